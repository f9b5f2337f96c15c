//! Reading a table: `z = items[index]`, and 0 beyond the end.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// Contracts `z = items[index]` if `index < items.len()`, else `z = 0`; the items and `z` have the width `w`.
/// False if there is no solution.
pub fn element(
    index_width: Width,
    w: Width,
    index: &mut Domain,
    items: &mut [Domain],
    z: &mut Domain,
) -> bool {
    let given = *index;
    let mut found: Option<[Domain; 2]> = None;
    let mut add = |index_part: Domain, z_part: Domain| {
        found = Some(match found {
            None => [index_part, z_part],
            Some([i, v]) => [given.join_within(index_width, i, index_part), z.join_within(w, v, z_part)],
        });
    };
    for (position, item) in (0..=index_width.mask()).zip(items.iter()) {
        if given.contains(index_width, position)
            && let Some(common) = z.meet(w, *item)
        {
            add(Domain::singleton(index_width, position), common);
        }
    }
    let length = items.len() as u64;
    if length <= index_width.mask() {
        let beyond = given.narrow(index_width, Interval::new(index_width, length, index_width.mask()));
        if let (Some(beyond), Some(zero)) = (beyond, z.narrow(w, Interval::singleton(0))) {
            add(beyond, zero);
        }
    }
    let Some([index_left, z_left]) = found else { return false };
    *index = index_left;
    *z = z_left;
    fix_item(index_left, items, w, z)
}

/// Once the position is known, the item there is `z`.
fn fix_item(index: Domain, items: &mut [Domain], w: Width, z: &mut Domain) -> bool {
    let Some(position) = index.is_singleton() else { return true };
    let Some(item) = usize::try_from(position).ok().and_then(|n| items.get_mut(n)) else { return true };
    let (Some(item_left), Some(z_left)) = (item.meet(w, *z), z.meet(w, *item)) else { return false };
    *item = item_left;
    *z = z_left;
    true
}
