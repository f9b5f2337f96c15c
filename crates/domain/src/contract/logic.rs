//! Choices and truth values: `select`, conjunction and disjunction.

use crate::domain::Domain;
use quipu_num::Width;

/// Contracts `z = c ? x : y`, `c` being of width 1 and the others of width `w`.
pub fn select(w: Width, c: Domain, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 4]> {
    let when_true = if c.contains(Width::W1, 1) { same(w, x, z) } else { None };
    let when_false = if c.contains(Width::W1, 0) { same(w, y, z) } else { None };
    match (when_true, when_false) {
        (None, None) => None,
        (Some([x, z]), None) => Some([Domain::TRUE, x, y, z]),
        (None, Some([y, z])) => Some([Domain::FALSE, x, y, z]),
        (Some([_, with_x]), Some([_, with_y])) => Some([c, x, y, z.join_within(w, with_x, with_y)]),
    }
}

/// Contracts `z = (all items are 1)`; all domains have width 1. False if there is no solution.
pub fn all(items: &mut [Domain], z: &mut Domain) -> bool {
    conjunction(items, z, true)
}

/// Contracts `z = (some item is 1)`; all domains have width 1. False if there is no solution.
pub fn any(items: &mut [Domain], z: &mut Domain) -> bool {
    // Some item is 1 unless all items are 0: a conjunction of complements.
    conjunction(items, z, false)
}

/// Contracts `(z == one) = (all items == one)`.
fn conjunction(items: &mut [Domain], z: &mut Domain, one: bool) -> bool {
    let (good, bad) = (Domain::truth(one), Domain::truth(!one));
    if items.contains(&bad) {
        return settle(z, bad);
    }
    if *z == good {
        items.fill(good);
        return true;
    }
    let mut open = items.iter_mut().filter(|item| **item != good);
    match (open.next(), open.next()) {
        (None, _) => settle(z, good),
        (Some(only), None) if *z == bad => settle(only, bad),
        _ => true,
    }
}

/// Fixes a truth value; false if it has the other value.
fn settle(z: &mut Domain, value: Domain) -> bool {
    let possible = *z == Domain::BOTH || *z == value;
    if possible {
        *z = value;
    }
    possible
}

fn same(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let z = z.meet(w, x)?;
    Some([x.meet(w, z)?, z])
}
