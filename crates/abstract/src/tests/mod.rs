//! The operators on their own, against all points of a small box.
//!
//! | file | what holds |
//! |---|---|
//! | `octagon` | closure, join and meet are exact; widening holds both and ends; essential bounds say all |
//! | `linear` | bounds of forms hold; what a form at most zero says loses no point |
//! | `state` | congruences, and the product of all: machine integers of 3 bits in either reading |

mod linear;
mod octagon;
mod state;

use quipu_base::Random;

use crate::octagon::{Bound, Literal, Octagon};

/// All points of a box around zero.
fn points(dims: usize, radius: i128) -> Vec<Vec<i128>> {
    (0..dims).fold(vec![Vec::new()], |points, _| {
        let longer = |point: Vec<i128>| {
            (-radius..=radius).map(move |x| point.iter().copied().chain([x]).collect::<Vec<i128>>())
        };
        points.into_iter().flat_map(longer).collect()
    })
}

fn value(literal: Literal, point: &[i128]) -> i128 {
    let x = point[literal.dim()];
    if literal.is_negative() { -x } else { x }
}

fn literals(dims: usize) -> Vec<Literal> {
    (0..dims).flat_map(|dim| [Literal::new(dim, false), Literal::new(dim, true)]).collect()
}

/// The box.
fn within(dims: usize, radius: i128) -> Octagon {
    let mut octagon = Octagon::full(dims);
    literals(dims).into_iter().for_each(|literal| octagon.note_most(literal, radius));
    octagon
}

fn random_bounds(random: &mut Random, dims: usize, radius: i128) -> Vec<Bound> {
    let all = literals(dims);
    let n = 1 + random.below(4);
    let most = |random: &mut Random| random.below(3 * radius as usize + 2) as i128 - radius - 1;
    (0..n)
        .map(|_| {
            let [a, b] = [0; 2].map(|_| all[random.below(all.len())]);
            Bound { a, b, most: most(random) }
        })
        .collect()
}

fn satisfies(point: &[i128], bounds: &[Bound]) -> bool {
    bounds.iter().all(|bound| value(bound.a, point) + value(bound.b, point) <= bound.most)
}

/// Whether an octagon holds a point.
fn holds(octagon: &Octagon, point: &[i128]) -> bool {
    let all = literals(octagon.dims());
    all.iter().all(|&a| all.iter().all(|&b| value(a, point) + value(b, point) <= octagon.sum(a, b)))
}

/// The part of a box that keeps bounds, and its points.
fn random_octagon(random: &mut Random, dims: usize, radius: i128) -> (Option<Octagon>, Vec<Vec<i128>>) {
    let bounds = random_bounds(random, dims, radius);
    let mut octagon = within(dims, radius);
    bounds.iter().for_each(|&bound| octagon.note(bound));
    let kept = points(dims, radius).into_iter().filter(|point| satisfies(point, &bounds)).collect();
    (octagon.closed(), kept)
}
