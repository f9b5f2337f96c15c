//! What was predicted next to what was measured.

use std::borrow::Cow;

use quipu_inputs::{Argument, Bearing, Interface, Leaf, Observation, Place};
use quipu_interp::{Outcome, Step, layout, resolve, scalar};
use quipu_ir::{Module, RecordKind, SourceType, Ty, TypeId};
use rustc_hash::FxHashMap;

use crate::Replayer;
use crate::ending::{Ending, Replayed};
use crate::order::sorted;
use crate::step_text::step_text;

/// What the comparison of a prediction with a run says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The run did what was predicted, as far as a prediction was made and could be measured.
    Confirmed,
    /// It did something else.
    Disagrees(Difference),
    /// It did what was predicted until its time was over.
    Timeout,
    /// It did what was predicted until undefined behaviour, which made it crash.
    Crash(i32),
    /// It did what was predicted until it was stopped for another reason.
    Stopped(Ending),
}

/// The first difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub predicted: String,
    pub measured: String,
    /// The last step that both sides agree on.
    pub after: Option<String>,
}

/// How much was predicted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The whole run.
    Whole,
    /// The run up to undefined behaviour: anything may follow.
    Until,
    /// The run up to a limit of the interpreter: it goes on.
    Prefix,
}

impl Replayer<'_> {
    /// Compares a run of a function under test with what the interpreter predicted for the same inputs.
    pub fn compare(
        &self,
        interface: usize,
        predicted: &Observation,
        predicted_steps: &[Step],
        replayed: &Replayed,
    ) -> Verdict {
        let predicted_steps = self.in_order_of_start(interface, predicted_steps);
        let expected: Vec<Step> =
            predicted_steps.iter().copied().filter(|step| self.measures(step)).collect();
        let extent = extent(&predicted.outcome);
        if let Some(difference) = self.steps_differ(extent, &expected, replayed) {
            return Verdict::Disagrees(difference);
        }
        match (&replayed.ending, extent) {
            (Ending::Timeout, _) => Verdict::Timeout,
            (Ending::StackOverflow | Ending::OutOfMemory | Ending::Blocked(_) | Ending::NotRun(_), _) => {
                Verdict::Stopped(replayed.ending.clone())
            }
            (Ending::Crashed(signal), Extent::Until | Extent::Prefix) => Verdict::Crash(*signal),
            (_, Extent::Until | Extent::Prefix) => Verdict::Confirmed,
            (_, Extent::Whole) => {
                let interface = &self.interfaces[interface];
                match ending_differs(self.module, interface, predicted, replayed) {
                    None => Verdict::Confirmed,
                    Some(texts) => Verdict::Disagrees(self.ending_difference(texts, &expected, replayed)),
                }
            }
        }
    }

    /// The steps of a run as they are measured. In the prediction `main` calls what runs before it; in the compiled
    /// program it is entered behind that, if at all.
    fn in_order_of_start<'s>(&self, interface: usize, steps: &'s [Step]) -> Cow<'s, [Step]> {
        let main = self.interfaces[interface].func;
        let function = &self.module.functions[main];
        let entry = function.code().and_then(|code| code.blocks.iter().next());
        let calls = entry.and_then(|block| block.insts.first()).is_some_and(|inst| function.is_startup(inst));
        if !calls || steps.first() != Some(&Step::Enter(main)) {
            return Cow::Borrowed(steps);
        }
        let is_own = |step: &Step| match *step {
            Step::Enter(func) | Step::Leave(func) => func == main,
            Step::Stmt(func, _) | Step::Cond(func, ..) | Step::Switch(func, ..) => func == main,
        };
        let mut steps = steps.to_vec();
        match steps[1..].iter().position(is_own) {
            Some(before) => steps[..=before].rotate_left(1),
            None => drop(steps.remove(0)),
        }
        Cow::Owned(steps)
    }

    /// The first difference of the steps, unless it is only one of an order that C leaves open.
    fn steps_differ(&self, extent: Extent, expected: &[Step], replayed: &Replayed) -> Option<Difference> {
        let cut = !replayed.complete || is_cut(&replayed.ending);
        // A run that does not come back ends in the middle of a statement.
        let whole = extent == Extent::Whole && matches!(replayed.ending, Ending::Returned(_)) && !cut;
        let measured = replayed.steps.as_slice();
        let at = first_difference(expected, measured, extent, cut)?;
        let inner = self.probes.inner();
        let (a, b) = (sorted(expected, inner, whole), sorted(measured, inner, whole));
        let in_order = match whole {
            true => first_difference(&a, &b, Extent::Whole, false),
            false => first_difference(&a, &b, Extent::Prefix, true),
        };
        in_order.map(|_| self.difference_at(at, expected, replayed))
    }

    /// The difference of the endings; of the steps before them, if these differ inside the last statement.
    fn ending_difference(
        &self,
        (predicted, measured): (String, String),
        expected: &[Step],
        replayed: &Replayed,
    ) -> Difference {
        match first_difference(expected, &replayed.steps, Extent::Whole, false) {
            Some(at) => self.difference_at(at, expected, replayed),
            None => {
                let last = expected.last().map(|step| step_text(self.module, *step));
                Difference { predicted, measured, after: last }
            }
        }
    }

    fn difference_at(&self, at: usize, expected: &[Step], replayed: &Replayed) -> Difference {
        let text = |step: &Step| step_text(self.module, *step);
        Difference {
            predicted: expected.get(at).map_or("nothing follows".to_string(), text),
            measured: replayed.steps.get(at).map_or_else(|| replayed.ending.to_string(), text),
            after: at.checked_sub(1).and_then(|before| expected.get(before)).map(text),
        }
    }
}

/// Where two sequences differ; a side that was cut may be shorter.
fn first_difference(predicted: &[Step], measured: &[Step], extent: Extent, cut: bool) -> Option<usize> {
    let common = predicted.len().min(measured.len());
    if let Some(at) = (0..common).find(|&n| predicted[n] != measured[n]) {
        return Some(at);
    }
    let too_short = measured.len() < predicted.len() && !cut;
    let too_long = measured.len() > predicted.len() && extent == Extent::Whole;
    (too_short || too_long).then_some(common)
}

/// Whether the run was stopped from outside, before it had done everything.
fn is_cut(ending: &Ending) -> bool {
    matches!(
        ending,
        Ending::Timeout
            | Ending::StackOverflow
            | Ending::OutOfMemory
            | Ending::Blocked(_)
            | Ending::NotRun(_)
    )
}

fn extent(outcome: &Outcome) -> Extent {
    match outcome {
        Outcome::Event { .. } => Extent::Until,
        Outcome::LimitReached(_) | Outcome::InputsExhausted { .. } | Outcome::Unsupported { .. } => {
            Extent::Prefix
        }
        Outcome::Returned(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::AssertionFailed { .. }
        | Outcome::AssumptionFailed => Extent::Whole,
    }
}

/// The first difference behind the steps: how the run ended, its result, its outputs. Both sides as text.
fn ending_differs(
    module: &Module,
    interface: &Interface,
    predicted: &Observation,
    replayed: &Replayed,
) -> Option<(String, String)> {
    let same = match (&predicted.outcome, &replayed.ending) {
        (Outcome::Returned(a), Ending::Returned(b)) => {
            let ret = module.functions[interface.func].ret;
            let bearing = predicted.result_bearing();
            same_result(ret, *a, *b) || bearing == Bearing::Mixed || is_address_number(ret, bearing)
        }
        (Outcome::Exited(a), Ending::Exited(b)) => a & 0xff == b & 0xff,
        // `__builtin_trap` is an illegal instruction.
        (Outcome::Aborted, Ending::Aborted | Ending::Crashed(4 | 5)) => true,
        (outcome @ Outcome::AssertionFailed { .. }, Ending::AssertionFailed) => {
            outcome.failed_claim().is_none()
        }
        (outcome, Ending::ClaimFailed(number)) => outcome.failed_claim() == Some(*number),
        (Outcome::AssumptionFailed, Ending::AssumptionFailed) => true,
        _ => false,
    };
    if !same {
        return Some((outcome_text(&predicted.outcome), replayed.ending.to_string()));
    }
    if !matches!(predicted.outcome, Outcome::Returned(_)) {
        return None;
    }
    outputs_differ(interface, predicted, replayed)
        .or_else(|| struct_differs(module, interface, predicted, replayed))
}

fn same_result(ty: Option<Ty>, predicted: Option<u64>, measured: Option<u64>) -> bool {
    match (ty, predicted, measured) {
        (Some(ty), Some(a), Some(b)) => same_scalar(ty, a, b),
        // Without a `return` the result is anything, which is fine as long as nobody uses it (6.9.1p12).
        (Some(_), None, _) => true,
        _ => predicted.is_some() == measured.is_some(),
    }
}

/// Addresses differ from run to run: of a pointer only whether it is null is compared. One NaN is like another.
fn same_scalar(ty: Ty, a: u64, b: u64) -> bool {
    match ty {
        Ty::Ptr => (a == 0) == (b == 0),
        Ty::Int(width) => width.wrap(a) == width.wrap(b),
        Ty::F32 => {
            let [a, b] = [a, b].map(|bits| f32::from_bits(bits as u32));
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        Ty::Float(_) => {
            let [x, y] = [a, b].map(f64::from_bits);
            a == b || x.is_nan() && y.is_nan()
        }
    }
}

fn outputs_differ(
    interface: &Interface,
    predicted: &Observation,
    replayed: &Replayed,
) -> Option<(String, String)> {
    let expected: FxHashMap<Leaf, u64> =
        predicted.outputs.iter().map(|output| (output.leaf, output.bits)).collect();
    let measured: FxHashMap<Leaf, u64> = replayed.outputs.iter().copied().collect();
    for (leaf, info) in interface.leaves.entries() {
        let (a, b) = (expected.get(&leaf).copied(), measured.get(&leaf).copied());
        let same = match (a, b) {
            (Some(a), Some(b)) => same_scalar(info.ty, a, b),
            (None, None) => true,
            _ => false,
        };
        let counts = || {
            let bearing = predicted.leaf_bearing(leaf);
            bearing != Bearing::Mixed && !is_address_number(Some(info.ty), bearing)
        };
        if !same && !is_copied(interface, info.place) && counts() {
            let text = |bits: Option<u64>| match (bits, info.ty.width()) {
                (None, _) => format!("`{}` is unchanged", info.name),
                (Some(bits), Some(width)) if info.signed => {
                    format!("`{}` is {}", info.name, width.signed(bits))
                }
                (Some(bits), _) => format!("`{}` is {bits}", info.name),
            };
            return Some((text(a), text(b)));
        }
    }
    None
}

/// Whether a leaf is a part of a struct argument: what the function does to its copy is not seen from outside.
fn is_copied(interface: &Interface, place: Place) -> bool {
    match place {
        Place::Memory { object, .. } => interface.arguments.contains(&Argument::Copy(object)),
        Place::Argument(_) | Place::Index(_) => false,
    }
}

/// Whether a value is an address where a number is expected: it differs from run to run.
fn is_address_number(ty: Option<Ty>, bearing: Bearing) -> bool {
    bearing == Bearing::Address && ty != Some(Ty::Ptr)
}

/// Compares the scalars of a struct result that were written; padding and addresses have no values to compare.
fn struct_differs(
    module: &Module,
    interface: &Interface,
    predicted: &Observation,
    replayed: &Replayed,
) -> Option<(String, String)> {
    let (a, b) = (predicted.result.as_ref()?, replayed.result.as_ref()?);
    let SourceType::Function { ret, .. } = module.types[module.functions[interface.func].ty] else {
        return None;
    };
    let mut counts = vec![0; a.len()];
    mark_values(module, ret, 0, &mut counts);
    let differs = |n: &usize| {
        a[*n].is_some_and(|byte| (byte ^ b[*n]) & counts[*n] != 0)
            && predicted.bytes_bearing(*n, 1).is_number()
    };
    let at = (0..a.len()).find(differs)?;
    let text = |byte: u8| format!("byte {at} of the result is {byte}");
    Some((text(a[at].unwrap_or(0)), text(b[at])))
}

/// Marks the bits of scalars that are no pointers; of a union, those of its first member.
fn mark_values(module: &Module, ty: TypeId, offset: u64, counts: &mut [u8]) {
    match scalar(module, ty) {
        Some(Ty::Ptr) => return,
        Some(ty) => return mark_bits(counts, offset, 0, module.data_model.size_of(ty) * 8),
        None => {}
    }
    match &module.types[resolve(module, ty)] {
        SourceType::Array { element, len } => {
            let size = layout(module, *element).map_or(0, |layout| layout.size);
            (0..len.unwrap_or(0)).for_each(|n| mark_values(module, *element, offset + n * size, counts));
        }
        SourceType::Record { kind, fields, .. } => {
            let most = if *kind == RecordKind::Union { 1 } else { usize::MAX };
            for field in fields.iter().take(most) {
                match field.bits {
                    Some(_) if field.name.is_none() => {}
                    Some((bit, width)) => {
                        mark_bits(counts, offset + field.offset, u64::from(bit), u64::from(width));
                    }
                    None => mark_values(module, field.ty, offset + field.offset, counts),
                }
            }
        }
        _ => {}
    }
}

fn mark_bits(counts: &mut [u8], offset: u64, bit: u64, width: u64) {
    for bit in bit..bit + width {
        if let Some(byte) = counts.get_mut((offset + bit / 8) as usize) {
            *byte |= 1 << (bit % 8);
        }
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(Some(bits)) => format!("returned {}", bits.cast_signed()),
        Outcome::Returned(None) => "returned".to_string(),
        Outcome::Exited(status) => format!("exited with status {status}"),
        Outcome::Aborted => "aborted".to_string(),
        Outcome::AssertionFailed { .. } => match outcome.failed_claim() {
            Some(number) => format!("failed claim {number}"),
            None => "failed an assertion".to_string(),
        },
        Outcome::AssumptionFailed => "failed an assumption".to_string(),
        other => format!("{other:?}"),
    }
}
