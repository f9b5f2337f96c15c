//! Goals, and what meets them.

use quipu_base::define_id;
use quipu_ir::{Block, Cond, Decision, Event, Func, Span, Stmt};

use crate::criterion::{Criterion, McdcForm};
use crate::order::Order;

define_id!(
    /// A goal.
    GoalId, "g"
);
define_id!(
    /// Something that one run shows or does not show: that it meets a goal, or that it evaluates a decision in a
    /// certain way. What a run is worth is the set of its items.
    Item, "item"
);

/// Something that tests should make happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    pub id: GoalId,
    /// The function it belongs to.
    pub func: Func,
    pub kind: GoalKind,
    /// The construct it is about.
    pub span: Span,
    /// The construct's text: a condition, a controlling expression, the head of a statement, a function's name.
    pub text: String,
    /// What should become of it: `true`, `case 3`, `default`, `a == b - 1`, `executed`, ...
    pub outcome: String,
    /// What meets the goal: one way of each part. There is one part but for MC/DC, whose two are the condition being
    /// true and being false; under unique cause the two ways must [pair](crate::Goals::pair) as well.
    pub parts: Vec<Part>,
}

/// What one run can do for a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Any of these will do. None: no control flow leads there.
    pub ways: Vec<Way>,
    /// What a run shows that goes such a way: an item for each way, or one item for all of them.
    pub items: Vec<Item>,
}

/// What a goal asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GoalKind {
    /// The statement starts.
    Statement(Stmt),
    /// The decision has the outcome.
    Branch(Decision, Outcome),
    /// The condition has the outcome.
    Condition(Cond, bool),
    /// The decision has the outcome.
    Decision(Decision, Outcome),
    /// The function is entered.
    Entry,
    /// The condition decides its decision.
    Mcdc(Cond, McdcForm),
    /// The operands of this instruction of a block are in this relation.
    Boundary(Block, usize, Off),
    /// This undefined behaviour happens, and ends the run.
    Undefined(Event),
    /// An assertion of this kind fails, and ends the run.
    Assertion(AssertionKind),
}

/// What asserts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssertionKind {
    /// A condition must hold; where it holds, the run goes on.
    Condition,
    /// The same for the claim of an annotation, behind the start of this statement.
    Claim(Stmt),
    /// A function must not be called.
    ErrorCall,
}

/// What a decision chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A truth value.
    Truth(bool),
    /// An arm of a `switch`; the number of cases stands for the default.
    Arm(usize),
}

/// How a part of a goal can happen, in terms of the control flow.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// The function is entered.
    Entry(Func),
    /// Control comes to this instruction of the block; what stands in front of it in the block may still stop a run.
    Block(Func, Block, usize),
    /// The block is left by this edge, counted as in `Terminator::edges`.
    Edge(Func, Block, usize),
    /// A decision is evaluated by these edges: in one activation of the function, one after the other, and no edge of
    /// the same decision's conditions in between.
    Evaluation(Func, Vec<(Block, usize)>),
    /// This instruction, a comparison, is executed with its first operand in a relation to its second.
    Compare { func: Func, block: Block, inst: usize, relation: Off, order: Order },
    /// The run ends at an instruction with one of these places, with this event, or by a failed assertion if that is
    /// none; they stand in these blocks.
    End { func: Func, event: Option<Event>, spans: Vec<Span>, blocks: Vec<Block> },
    /// Something happens in what a statement calls by these instructions: a function is entered, or the run ends in one.
    /// That may be called `via` another function, which the statement calls.
    During { func: Func, stmt: Stmt, calls: Vec<(Block, usize)>, via: Option<Func>, happens: Box<Way> },
}

/// A number's relation to another. There is no wrapping around: one more is also greater. A float that is one more is the
/// next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Off {
    Equal,
    OneLess,
    OneMore,
}

impl GoalKind {
    /// The criterion that asks for it.
    pub fn criterion(self) -> Criterion {
        match self {
            GoalKind::Statement(_) => Criterion::Statement,
            GoalKind::Branch(..) => Criterion::Branch,
            GoalKind::Condition(..) => Criterion::Condition,
            GoalKind::Decision(..) | GoalKind::Entry => Criterion::Decision,
            GoalKind::Mcdc(_, form) => Criterion::Mcdc(form),
            GoalKind::Boundary(..) => Criterion::Boundary,
            GoalKind::Undefined(_) => Criterion::Undefined,
            GoalKind::Assertion(_) => Criterion::Assertion,
        }
    }
}

impl Goal {
    /// Whether the control flow alone, whatever the values, rules the goal out.
    pub fn is_unreachable(&self) -> bool {
        self.parts.iter().any(|part| part.ways.is_empty())
    }

    /// Whether the goal is something that should not happen, and that no clean run does.
    pub fn is_violation(&self) -> bool {
        matches!(self.kind, GoalKind::Undefined(_) | GoalKind::Assertion(_))
    }

    /// Whether the goal is an undefined behaviour.
    pub fn is_undefined(&self) -> bool {
        matches!(self.kind, GoalKind::Undefined(_))
    }
}
