//! `switch`, and GNU's computed `goto`, which is a switch over the labels of the function.

use quipu_ir::{Block, Case, DecisionData, DecisionKind, Edge, Terminator, Ty, Unreachable, Value};
use rucc_sema::{CaseId, CaseList, ExprId, StmtId};
use rustc_hash::FxHashMap;

use super::Lowered;
use super::function::{Exit, FnLower};
use super::global::label_number;

/// A switch whose body is being lowered.
pub(super) struct OpenSwitch {
    cases: FxHashMap<CaseId, Block>,
    default: Block,
}

impl FnLower<'_, '_> {
    pub(super) fn switch(
        &mut self,
        cond: ExprId,
        body: StmtId,
        cases: CaseList,
        default: Option<StmtId>,
    ) -> Lowered<()> {
        let value = self.scalar(cond)?;
        let (span, text) = self.unit.construct(self.unit.tast.expr_span(cond));
        let decision = self.body.decisions.push(DecisionData { kind: DecisionKind::Switch, span, text });
        let after = self.new_block();
        let default_block = if default.is_some() { self.new_block() } else { after };
        let width = self.body.ty(value).width();
        let Some(width) = width else {
            return self.unit.unsupported("switch on this type", self.unit.tast.expr_span(cond));
        };
        let mut blocks = FxHashMap::default();
        let mut arms = Vec::new();
        for case in cases.iter() {
            let data = self.unit.tast[case];
            let target = self.new_block();
            blocks.insert(case, target);
            // GNU's `case 9 ... 1` matches nothing.
            if data.low <= data.high {
                let (low, high) = (width.wrap(data.low as u64), width.wrap(data.high as u64));
                let span = self.unit.stmt_span(data.body);
                arms.push(Case { low, high, span, edge: Edge::to(target) });
            }
        }
        let default_edge = Edge::to(default_block);
        self.terminate(Terminator::Switch {
            value,
            cases: arms,
            default: default_edge,
            decision: Some(decision),
        });
        self.switches.push(OpenSwitch { cases: blocks, default: default_block });
        self.breaks.push(Exit { target: after, depth: self.scope_depth() });
        self.stmt(body)?;
        self.breaks.pop();
        self.switches.pop();
        self.jump(after);
        self.start(after);
        Ok(())
    }

    pub(super) fn case(&mut self, case: CaseId, body: StmtId) -> Lowered<()> {
        let target = self.switches.iter().rev().find_map(|switch| switch.cases.get(&case)).copied();
        self.labelled(target, body)
    }

    pub(super) fn default(&mut self, body: StmtId) -> Lowered<()> {
        let target = self.switches.last().map(|switch| switch.default);
        self.labelled(target, body)
    }

    /// Control comes to a labelled statement from above and from its jumps.
    pub(super) fn labelled(&mut self, target: Option<Block>, body: StmtId) -> Lowered<()> {
        let target = target.expect("a label should stand where its jumps can find it");
        self.jump(target);
        self.start(target);
        self.stmt(body)
    }

    /// `goto *address`: all computed gotos of a function share one switch over its labels.
    pub(super) fn computed_goto(&mut self, address: Value) {
        let number = self.ptr_to_int(address);
        let ty = self.address_ty();
        let dispatch = match self.dispatch {
            Some((block, _)) => block,
            None => {
                let (block, param) = self.join_block(ty);
                self.dispatch = Some((block, param));
                block
            }
        };
        self.jump_with(dispatch, number);
    }

    /// Fills the shared switch, once all labels are known.
    pub(super) fn finish_dispatch(&mut self) {
        let Some((block, value)) = self.dispatch else { return };
        let nowhere = self.new_block();
        self.body.blocks[nowhere].term = Terminator::Unreachable(Unreachable::Declared);
        let width = self.address_width();
        let mut labels: Vec<_> =
            self.labels.iter().map(|(&label, &block)| (label_number(label), block)).collect();
        labels.sort_unstable();
        let span = self.span;
        let cases = labels
            .into_iter()
            .map(|(number, target)| Case {
                low: width.wrap(number),
                high: width.wrap(number),
                span,
                edge: Edge::to(target),
            })
            .collect();
        self.body.blocks[block].term =
            Terminator::Switch { value, cases, default: Edge::to(nowhere), decision: None };
        debug_assert!(self.body.ty(value) != Ty::Ptr);
    }
}
