//! An activation of a function: its blocks in order, loops turn by turn.

use std::rc::Rc;

use quipu_base::IdVec;
use quipu_ir::{Block, Edge, Func, FuncBody, Slot, Value, ValueDef};
use quipu_model::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::any_turn::Looping;
use crate::context::Context;
use crate::encoder::{Engine, Here};
use crate::encoding::CutKind;
use crate::float::Float;
use crate::memory::ObjectId;
use crate::order::{Item, Order};
use crate::pointer::{Base, Pointer};
use crate::repeat::Head;
use crate::state::{Arrival, State};
use crate::symbol::Symbol;

/// Where turns are not followed one by one, more certain ones are not either.
const MOST_CERTAIN_TURNS: u64 = 64;

/// So many turns are kept to see whether what holds in all turns behind them holds in them, too.
const MOST_EARLIER_TURNS: u64 = 2;

/// An activation of a function.
#[derive(Clone)]
pub(crate) struct Frame<'m> {
    pub func: Func,
    pub code: &'m FuncBody,
    order: Rc<Order>,
    pub context: Context,
    pub values: IdVec<Value, Option<Symbol>>,
    /// For each slot the object that tells which of its lives is the present one.
    pub slots: IdVec<Slot, Option<ObjectId>>,
    /// The objects of slots, by the turns of loops in which their lives begin.
    pub lives: FxHashMap<(Slot, Context), ObjectId>,
    /// The objects of computed size.
    pub allocas: Vec<ObjectId>,
    /// The contexts around the present one, from the outside.
    outer: Vec<Context>,
    pub arrivals: FxHashMap<Block, Vec<Arrival>>,
    /// Arrivals for the next turn of the loop with this head.
    pub back: FxHashMap<Block, Vec<Arrival>>,
    /// The block executions before the loop that is executed.
    loop_start: usize,
    /// The states at the head of the present loop in turns before one that stands for all, each with the number of
    /// checks before it. None if these are many.
    pub earlier: Option<Vec<(Arrival, usize)>>,
    /// The heads of loops in whose present turn a condition to stay was decided by constants.
    counting: FxHashSet<Block>,
    /// The states in which the function returns. A result comes with the truth of its being there.
    pub returns: Vec<Arrival>,
}

/// What a function returns.
pub(crate) struct Returned {
    pub value: Option<Symbol>,
    /// False where the function ends without the value that it should have.
    pub given: Term,
}

impl<'m> Frame<'m> {
    /// Whether something uses a value.
    pub fn is_used(&self, value: Value) -> bool {
        self.order.used[value]
    }

    /// The values that a path brings along to a block.
    fn carried_to(&self, block: Block) -> Vec<(Value, Symbol)> {
        let symbol =
            |value: Value| self.values[value].clone().expect("a value is computed before it is used");
        self.order.carried_to[block].iter().map(|&value| (value, symbol(value))).collect()
    }

    /// The objects of local variables whose lives do not end with a turn of the present loop.
    pub fn lasting_lives(&self) -> impl Iterator<Item = ((Slot, Context), ObjectId)> + '_ {
        let is_outer = |context: &Context| self.outer.contains(context);
        self.lives
            .iter()
            .filter(move |((_, context), _)| is_outer(context))
            .map(|(&key, &object)| (key, object))
    }

    /// Goes back to an earlier state. Lasting objects keep their names; those that come and go with a turn get new
    /// ones, as a pointer to one of another turn means another object.
    pub fn restore(&mut self, before: &Frame<'m>) {
        let mut lives = before.lives.clone();
        lives.extend(self.lasting_lives());
        *self = Frame { lives, slots: self.slots.clone(), ..before.clone() };
    }

    /// A block that decides by constants leads to one of these blocks: perhaps it decides whether a loop goes on.
    pub fn note_counting(&mut self, block: Block, then: Block, otherwise: Block) {
        let Some(head) = self.order.around[block].last() else { return };
        let stays = |target: Block| self.order.around[target].contains(head);
        if stays(then) != stays(otherwise) {
            self.counting.insert(*head);
        }
    }

    /// What tells the lives of a slot apart that begin in a block: the turns of those loops in which they end.
    pub fn life_context(&self, block: Block, slot: Slot) -> Context {
        let ends = &self.order.ends_in[slot];
        let depth = self.order.around[block].iter().filter(|&head| ends.contains(head)).count();
        self.outer.get(depth).copied().unwrap_or(self.context)
    }
}

impl<'a> Engine<'a> {
    /// Executes a function in the present state. None if no path comes back.
    pub fn enter(&mut self, func: Func, arguments: Vec<Symbol>, context: Context) -> Option<Returned> {
        if !self.follow_into(func) {
            return None;
        }
        let module: &'a quipu_ir::Module = self.module;
        let code = module.functions[func].code().expect("only code is entered");
        let order = self.order(func);
        let mut frame = Frame {
            func,
            code,
            order: order.clone(),
            context,
            values: IdVec::filled(None, code.values.len()),
            slots: IdVec::filled(None, code.slots.len()),
            lives: FxHashMap::default(),
            allocas: Vec::new(),
            outer: Vec::new(),
            arrivals: FxHashMap::default(),
            back: FxHashMap::default(),
            loop_start: 0,
            earlier: None,
            counting: FxHashSet::default(),
            returns: Vec::new(),
        };
        let visit = self.visit(context);
        self.out.entries.entry(func).or_default().push(visit);
        let mut callers = self.calls.iter().rev().copied();
        let callers = [callers.next(), callers.next()];
        self.out.callers.entry(func).or_default().push(callers);
        let start = Arrival { state: self.state.clone(), args: arguments, carried: Vec::new() };
        frame.arrivals.insert(code.entry(), vec![start]);
        self.active.push(func);
        self.items(&mut frame, &order.items);
        self.active.pop();
        if frame.returns.is_empty() {
            return None;
        }
        let here = here(&frame, code.entry());
        let returns = std::mem::take(&mut frame.returns);
        let (mut args, _) = self.meet(here, returns);
        self.end_locals(&frame);
        let given = args.pop().map_or_else(|| self.terms.truth(true), |given| given.int());
        Some(Returned { value: args.pop(), given })
    }

    pub fn items(&mut self, frame: &mut Frame<'a>, items: &[Item]) {
        for item in items {
            match item {
                Item::Block(block) => self.arrive(frame, *block),
                Item::Component(head, inner) => self.turns(frame, *head, inner),
            }
        }
    }

    /// Executes a loop until no path leads back to its head, or no more turns are allowed.
    fn turns(&mut self, frame: &mut Frame<'a>, head: Block, inner: &[Item]) {
        let outer = frame.context;
        let context = outer.in_loop(head);
        let allowed = self.unwinding.loops.get(&context).copied().unwrap_or(self.unwinding.turns);
        let outer_start = std::mem::replace(&mut frame.loop_start, self.out.n_visits);
        let mut uncertain = 0;
        let arrivals = frame.arrivals.remove(&head).unwrap_or_default();
        let mut next = self.cases(frame, head, arrivals);
        let mut heads = Vec::new();
        let mut earlier = Vec::new();
        *self.out.loops.entry((frame.func, head)).or_default() += 1;
        // The states from which on turns are no longer told apart.
        let mut last: Vec<Arrival> = Vec::new();
        frame.outer.push(outer);
        for turn in 0.. {
            let before = guards(&next);
            frame.counting.remove(&head);
            heads.extend(next.iter().map(|arrival| self.head(arrival)));
            if turn < MOST_EARLIER_TURNS {
                earlier.extend(next.iter().map(|arrival| (arrival.clone(), self.out.checks.len())));
            }
            if next.is_empty() {
                // Control came into the middle of the loop.
                frame.context = context.turn(turn);
                self.items(frame, inner);
            }
            for (case, arrival) in next.into_iter().enumerate() {
                frame.context = context.turn(turn).case(case);
                frame.arrivals.insert(head, vec![arrival]);
                self.arrive(frame, head);
                self.items(frame, inner);
            }
            let Some(back) = frame.back.remove(&head) else { break };
            next = self.cases(frame, head, back);
            let counts = frame.counting.contains(&head);
            uncertain += u64::from(self.unwinding.every_turn || before != guards(&next));
            let repeats = |engine: &mut Self| next.iter().any(|now| engine.may_repeat(turn, &heads, now));
            let too_many = uncertain > allowed || (turn >= allowed && repeats(self));
            let long = (0..=self.unwinding.past as u64).contains(&turn.wrapping_sub(MOST_CERTAIN_TURNS));
            let far = self.unwinding.loose && (too_many || long);
            match (&next[..], far && !self.is_too_large()) {
                ([now], true) => last.push(now.clone()),
                _ => last.clear(),
            }
            if (1..=self.unwinding.past).contains(&last.len()) {
                continue;
            }
            if !last.is_empty() {
                frame.earlier = (turn < MOST_EARLIER_TURNS).then(|| std::mem::take(&mut earlier));
                if self.any_turn(frame, &Looping { head, inner, context, heads: &last }) {
                    break;
                }
            }
            if too_many || self.is_too_large() {
                let kind = match too_many {
                    true => CutKind::Loop {
                        context,
                        head,
                        turns: allowed.max(if counts { turn } else { 0 }),
                        counts,
                    },
                    false => CutKind::Size,
                };
                next.iter().for_each(|now| self.cut_unless_repeated(frame, head, &heads, now, &kind));
                break;
            }
        }
        frame.outer.pop();
        frame.loop_start = outer_start;
        frame.context = outer;
    }

    /// The states in which the next turn of a loop is executed, and which stand for several paths each.
    fn cases(&mut self, frame: &Frame<'a>, head: Block, arrivals: Vec<Arrival>) -> Vec<Arrival> {
        if arrivals.is_empty() {
            return Vec::new();
        }
        let n_blocks = self.out.n_visits - frame.loop_start;
        let groups = self.apart(&frame.order.steering[head], arrivals, n_blocks);
        groups.into_iter().map(|group| self.gather(frame, head, group)).collect()
    }

    /// A loop is not followed any further; if it only goes in circles from here on, nothing is lost by that.
    fn cut_unless_repeated(
        &mut self,
        frame: &Frame<'a>,
        head: Block,
        heads: &[Head],
        now: &Arrival,
        kind: &CutKind,
    ) {
        self.state = now.state.clone();
        let repeated = self.is_repeated(heads, now);
        let goes_on = self.terms.not(repeated);
        if let Some(state) = self.state_if(goes_on) {
            self.state = state;
            self.cut(here(frame, head), kind.clone());
        }
    }

    /// Makes one arrival of several. The present state is that of the arrival.
    pub fn gather(&mut self, frame: &Frame<'a>, block: Block, arrivals: Vec<Arrival>) -> Arrival {
        let (args, carried) = self.meet(here(frame, block), arrivals);
        Arrival { state: self.state.clone(), args, carried }
    }

    /// Executes a block where its paths meet. In a loop, they may still be apart there if they will be at its head.
    pub fn arrive(&mut self, frame: &mut Frame<'a>, block: Block) {
        let Some(arrivals) = frame.arrivals.remove(&block) else { return };
        let order = frame.order.clone();
        if !order.is_self_contained[block] || order.around[block].is_empty() {
            return self.execute_block(frame, block, arrivals);
        }
        let context = frame.context;
        let n_blocks = self.out.n_visits - frame.loop_start;
        for (case, group) in self.apart(&order.steering[block], arrivals, n_blocks).into_iter().enumerate() {
            frame.context = context.case(case);
            self.execute_block(frame, block, group);
        }
        frame.context = context;
    }

    fn execute_block(&mut self, frame: &mut Frame<'a>, block: Block, arrivals: Vec<Arrival>) {
        let (args, carried) = self.meet(here(frame, block), arrivals);
        for (value, symbol) in carried {
            frame.values[value] = Some(symbol);
        }
        for (&param, symbol) in frame.code.blocks[block].params.iter().zip(args) {
            frame.values[param] = Some(symbol);
        }
        self.out.n_visits += 1;
        // What comes in a precondition comes before everything in the function.
        if self.active.len() == 1 && !self.assuming {
            self.root_block = block;
        }
        self.block(frame, block);
    }

    /// Notes when an edge is taken.
    pub fn note_edge(&mut self, frame: &Frame<'a>, block: Block, number: usize, state: &State) {
        let visit = self.visit_in(frame.context, state);
        self.out.edges.entry((frame.func, block, number)).or_default().push(visit);
    }

    /// Sends a state along an edge.
    pub fn leave(&mut self, frame: &mut Frame<'a>, block: Block, number: usize, edge: &Edge, state: State) {
        self.note_edge(frame, block, number, &state);
        let args = edge.args.iter().map(|&arg| self.value(frame, arg)).collect();
        let carried = frame.carried_to(edge.target);
        let arrival = Arrival { state, args, carried };
        let waiting =
            if frame.order.is_back(block, edge.target) { &mut frame.back } else { &mut frame.arrivals };
        waiting.entry(edge.target).or_default().push(arrival);
    }

    /// What a value is at present.
    pub fn value(&mut self, frame: &Frame<'a>, value: Value) -> Symbol {
        if let Some(symbol) = &frame.values[value] {
            return symbol.clone();
        }
        let data = frame.code.values[value];
        match data.def {
            ValueDef::Const(bits) => match data.ty {
                quipu_ir::Ty::Int(width) => Symbol::Int(self.terms.constant(width, bits)),
                quipu_ir::Ty::Float(width) => Symbol::Float(Float::constant(&mut self.terms, width, bits)),
                quipu_ir::Ty::Ptr => {
                    let address = self.terms.constant(self.address, bits);
                    self.terms.pointer_at(address)
                }
            },
            ValueDef::Global(global, offset) => {
                let base = Base::Object(self.globals[&global]);
                let offset = self.terms.constant(self.address, offset.cast_unsigned());
                Symbol::Pointer(Rc::new(Pointer::to(&mut self.terms, base, offset)))
            }
            ValueDef::Func(func) => {
                let base = Base::Function(func);
                Symbol::Pointer(Rc::new(Pointer::start_of(&mut self.terms, base, self.address)))
            }
            ValueDef::Computed => unreachable!("a value is computed before it is used: {value}"),
        }
    }
}

/// When states are reached.
fn guards(arrivals: &[Arrival]) -> Vec<Term> {
    arrivals.iter().map(|arrival| arrival.state.guard.term()).collect()
}

/// The start of a block.
fn here(frame: &Frame<'_>, block: Block) -> Here {
    let span = frame.code.blocks[block].span;
    Here { context: frame.context, func: frame.func, block, inst: 0, span }
}
