//! Constructive disjunction: what is common to the cases of a constraint.
//!
//! Operations that are monotone only on one side of a pole are contracted on each side separately. A case
//! works on domains of its own (see [`within`]); what it leaves is cut back to the given domains, and the
//! parts of all possible cases are joined inside them.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// Adds what one case leaves to what the cases before it left. An impossible case adds nothing.
pub(crate) fn unite<const N: usize>(
    w: Width,
    given: &[Domain; N],
    found: &mut Option<[Domain; N]>,
    case: Option<[Domain; N]>,
) {
    let Some(case) = case else { return };
    let mut parts = *given;
    for (part, left) in parts.iter_mut().zip(case) {
        match part.meet(w, left) {
            Some(common) => *part = common,
            None => return,
        }
    }
    let joined = match *found {
        None => parts,
        Some(before) => std::array::from_fn(|n| {
            if before[n] == given[n] { given[n] } else { given[n].join_within(w, before[n], parts[n]) }
        }),
    };
    *found = Some(joined);
}

/// A domain whose arc is a part of `piece`, in the order of its values, that holds all values of `x` in it.
/// This is not [`Domain::meet`], which may take a set that its bits keep within the piece in another order.
pub(crate) fn within(w: Width, x: Domain, piece: Interval) -> Option<Domain> {
    let mut arc = piece;
    loop {
        let part = Domain::new(w, arc.narrow(w, x.interval())?, x.bits())?;
        if x.interval().contains(w, part.lo()) && x.interval().contains(w, part.hi()) {
            return Some(part);
        }
        arc = part.interval();
    }
}

/// The parts of `x` before and after `pole`; one part if the arc does not cross it.
pub(crate) fn split(w: Width, x: Domain, pole: u64) -> [Option<Domain>; 2] {
    if !x.interval().crosses(w, pole) {
        return [Some(x), None];
    }
    let before = Interval::new(w, x.lo(), w.wrap(pole.wrapping_sub(1)));
    let after = Interval::new(w, pole, x.hi());
    [within(w, x, before), within(w, x, after)]
}
