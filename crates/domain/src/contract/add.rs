//! Sums and, with the operands exchanged, differences: exact on arcs, whether or not the sum wraps.

use crate::domain::Domain;
use quipu_num::Width;

/// Contracts `z = x + y`. A difference `z = x - y` is `x = z + y`.
#[inline]
pub(crate) fn add(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let z = z.narrow(w, x.hull(w).add(w, y.hull(w)))?;
    let x = x.narrow(w, z.hull(w).sub(w, y.hull(w)))?;
    let y = y.narrow(w, z.hull(w).sub(w, x.hull(w)))?;
    // A bit of one is known only from a known bit of each of the other two, and what leading bits say about
    // each other the arcs say already.
    let useful = |d: Domain| u32::from(d.bits().below_free(w));
    if useful(x) + useful(y) + useful(z) < 2 { Some([x, y, z]) } else { add_bits(w, x, y, z) }
}

fn add_bits(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let z = z.narrow_bits(w, x.bits().add(w, y.bits(), 0))?;
    let x = x.narrow_bits(w, z.bits().sub(w, y.bits()))?;
    let y = y.narrow_bits(w, z.bits().sub(w, x.bits()))?;
    Some([x, y, z])
}
