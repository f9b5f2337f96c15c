//! The part of a program that matters for goals.

use quipu_analysis::points_to::Site;
use quipu_analysis::{Scale, Slicer, Target};
use quipu_encode::Encoder;
use quipu_goals::{Goal, GoalId, Goals, Way};
use quipu_ir::Module;

use crate::subject::Subject;

/// What is followed of a program: all of it, or a slice.
#[derive(Clone, Copy)]
pub(crate) struct Part<'m> {
    pub module: &'m Module,
    pub whole: &'m Module,
}

impl<'m> Part<'m> {
    pub fn all_of(module: &'m Module) -> Part<'m> {
        Part { module, whole: module }
    }

    pub fn encoder(self, subject: &'m Subject) -> Encoder<'m> {
        Encoder::new(self.module, &subject.interface, subject.preconditions.clone()).slice_of(self.whole)
    }
}

/// A part of a program, and goals for which nothing else matters.
pub(crate) struct Slice {
    pub module: Module,
    pub scale: Scale,
    pub goals: Vec<GoalId>,
}

impl Slice {
    pub fn of(slicer: &Slicer<'_>, module: &Module, goals: &Goals, wanted: Vec<GoalId>) -> Slice {
        let targets: Vec<Target> =
            wanted.iter().flat_map(|&goal| targets(module, &goals.all()[goal])).collect();
        let module = slicer.slice(&targets);
        Slice { scale: slicer.scale(&module), module, goals: wanted }
    }
}

/// So many goals are looked at one by one, and so many slices made of them.
const MOST_GOALS: usize = 32;
const MOST_SLICES: usize = 6;

/// Slices for single goals, or for several if that makes no difference, with less to follow than a limit; those with the
/// least come first.
pub(crate) fn smaller_slices(
    slicer: &Slicer<'_>,
    module: &Module,
    goals: &Goals,
    wanted: &[GoalId],
    limit: Scale,
) -> Vec<Slice> {
    let mut slices: Vec<Slice> = Vec::new();
    for &goal in wanted.iter().take(MOST_GOALS) {
        let slice = Slice::of(slicer, module, goals, vec![goal]);
        if !slice.scale.is_less_than(limit) {
            continue;
        }
        let together = slices.iter().position(|other| other.scale == slice.scale).and_then(|n| {
            let all = slices[n].goals.iter().copied().chain([goal]).collect();
            let both = Slice::of(slicer, module, goals, all);
            (both.scale == slice.scale).then_some((n, both))
        });
        match together {
            Some((n, both)) => slices[n] = both,
            None => slices.push(slice),
        }
    }
    slices.sort_by_key(|slice| (slice.scale.loops, slice.scale.calls));
    slices.truncate(MOST_SLICES);
    slices
}

/// What must be preserved for a goal.
fn targets(module: &Module, goal: &Goal) -> Vec<Target> {
    let ways = goal.parts.iter().flat_map(|part| &part.ways);
    ways.flat_map(|way| targets_of(module, way)).collect()
}

fn targets_of(module: &Module, way: &Way) -> Vec<Target> {
    match way {
        Way::Entry(func) => vec![Target::Entry(*func)],
        Way::Block(func, block, _) => vec![Target::Block(*func, *block)],
        Way::Edge(func, block, _) => vec![Target::Way(*func, *block)],
        Way::Evaluation(func, edges) => edges.iter().map(|&(block, _)| Target::Way(*func, block)).collect(),
        Way::Compare { func, block, inst, .. } => {
            vec![Target::Inst(Site { func: *func, block: *block, inst: *inst })]
        }
        Way::End { func, spans, blocks, .. } => {
            let code = module.functions[*func].code().expect("goals are in code");
            let mut targets = Vec::new();
            for &block in blocks {
                let data = &code.blocks[block];
                targets.push(Target::Way(*func, block));
                for (inst, data) in data.insts.iter().enumerate() {
                    if spans.contains(&data.span) {
                        targets.push(Target::Inst(Site { func: *func, block, inst }));
                    }
                }
            }
            targets
        }
        Way::During { func, calls, via, happens, .. } => {
            let mut targets = targets_of(module, happens);
            targets.extend(via.map(Target::Entry));
            let call = |&(block, inst): &(_, usize)| Target::Inst(Site { func: *func, block, inst });
            targets.extend(calls.iter().map(call));
            targets
        }
    }
}
