//! Polynomial equalities that hold at the head of a loop, modulo the width of its numbers.
//!
//! A state is a vector of the values of all monomials up to some degree. A way through a turn is a linear map of these
//! vectors, as far as the values after it are polynomials of those before; a monomial that is none of them may have any
//! value, whatever the others are. So the module that all states generate is found by applying the maps until nothing
//! new is found, which is after finitely many steps: there is nothing to widen (Müller-Olm and Seidl, 2005). What is
//! orthogonal to it holds in all states. Conditions do not matter, but for ways that are never taken.

use quipu_model::{Model, Term};
use quipu_num::Width;
use rustc_hash::FxHashSet;

use crate::analysis::Found;
use crate::equations::{equations, is_fixed, replaced};
use crate::extension::{Extension, in_width};
use crate::image::Way;
use crate::module::Module;
use crate::paths::Decisions;
use crate::polynomial::{Monomial, Polynomial};
use crate::turn::{Dimension, Place, Turn};

/// With more numbers than these no cubes, and only linear equalities, are looked for.
const MOST_FOR_CUBES: usize = 3;
const MOST_FOR_SQUARES: usize = 5;
const MOST_NUMBERS: usize = 12;
/// No more equalities are told for one width, and none with more parts.
const MOST_EQUALITIES: usize = 12;
const MOST_PARTS: usize = 8;
/// No more vectors are looked at.
const MOST_VECTORS: usize = 4_000;

/// The equalities that hold in every turn.
pub fn equalities(model: &mut Model, turn: &Turn<'_>, found: &Found) -> Vec<Term> {
    let open = Decisions::default();
    let Some(way_in) = found.way_in(model, &open) else { return Vec::new() };
    let loop_ = Ways { turn, dimensions: &found.dimensions, way_in, ways: found.ways(model) };
    let mut widths: Vec<Width> = turn.places.iter().map(|place| model.width(place.head)).collect();
    widths.sort_unstable();
    widths.dedup();
    let mut equalities = Vec::new();
    // What is said of a number in more bits also says what it is in its own. So wide ones come first.
    let mut extended = FxHashSet::default();
    for width in widths.into_iter().rev().filter(|width| *width != Width::W1) {
        for polynomial in of_width(model, &loop_, width, &mut extended) {
            let sum = polynomial.term(model, width);
            let zero = model.constant_term(width, 0);
            equalities.push(model.equal(sum, zero));
        }
    }
    equalities
}

/// A loop: the way into it, and those through a turn.
struct Ways<'a> {
    turn: &'a Turn<'a>,
    dimensions: &'a [Dimension],
    way_in: Way<'a>,
    ways: Vec<Way<'a>>,
}

/// What is zero in every turn, in some width: first between numbers of this width, then between these and others. Numbers
/// that are `extended` need not be looked at again; those of other widths that were are noted.
fn of_width(
    model: &mut Model,
    loop_: &Ways<'_>,
    width: Width,
    extended: &mut FxHashSet<Term>,
) -> Vec<Polynomial> {
    let mut places = Vec::new();
    let mut others = Vec::new();
    for (place, dimension) in loop_.turn.places.iter().zip(loop_.dimensions) {
        match dimension.width {
            own if own == width => places.push(*place),
            Width::W1 => {}
            _ => {
                let mut cast = |value: Term| in_width(model, dimension, value, width);
                let [head, first, next] = [place.head, place.first, place.next].map(&mut cast);
                others.push((place.head, Place { head, first, next }));
            }
        }
    }
    let numbers: Vec<Term> =
        loop_.dimensions.iter().map(|dimension| in_width(model, dimension, dimension.term, width)).collect();
    let n_plain = places.len();
    places.extend(others.iter().map(|(_, place)| *place));
    let moves = Moves::new(model, loop_, &numbers, width, &places);
    let plain = Lift::new(model, loop_.turn, width, moves.only(|n| n < n_plain));
    let mut zeros = plain.equalities(&[]);
    let is_followed = |n: usize| moves.is_followed(model, loop_.turn, n);
    let is_cut = |n: usize| model.width(others[n - n_plain].0) > width;
    let is_new = (0..n_plain).any(|n| is_followed(n) && !extended.contains(&places[n].head));
    let is_of_use = |n: usize| is_followed(n) && (is_new || !is_cut(n));
    let used: Vec<usize> = (n_plain..places.len()).filter(|&n| is_of_use(n)).collect();
    if !used.is_empty() && (0..n_plain).any(is_followed) {
        extended.extend(used.iter().map(|&n| others[n - n_plain].0));
        let all = moves.only(|n| n < n_plain || used.contains(&n));
        let mixed = Lift::new(model, loop_.turn, width, all);
        let more = mixed.equalities(&zeros);
        zeros.extend(more);
    }
    zeros
}

/// What numbers start with, and what they become.
struct Moves {
    heads: Vec<Term>,
    firsts: Vec<Polynomial>,
    /// For each way.
    nexts: Vec<Vec<Polynomial>>,
}

impl Moves {
    fn new(model: &Model, loop_: &Ways<'_>, numbers: &[Term], width: Width, places: &[Place]) -> Moves {
        let Ways { turn, dimensions, way_in, ways } = loop_;
        let at_first = Extension::new(model, dimensions, numbers, width, way_in);
        let first = |place: &Place| Polynomial::of(model, place.first, way_in.decisions, &at_first);
        let next = |way: &Way<'_>| -> Vec<Polynomial> {
            let extension = Extension::new(model, dimensions, numbers, width, way);
            let equations = equations(model, turn, way.decisions, &extension);
            let values =
                places.iter().map(|place| Polynomial::of(model, place.next, way.decisions, &extension));
            values.map(|value| replaced(width, value, &equations)).collect()
        };
        Moves {
            heads: places.iter().map(|place| place.head).collect(),
            firsts: places.iter().map(first).collect(),
            nexts: ways.iter().map(next).collect(),
        }
    }

    /// Whether a number is known after each turn if all are before it.
    fn is_followed(&self, model: &Model, turn: &Turn<'_>, n: usize) -> bool {
        let is_known = |leaf: &Term| self.heads.contains(leaf) || is_fixed(model, turn, *leaf);
        let mut leaves = self.nexts.iter().flat_map(|next| next[n].parts()).flat_map(|part| part.0);
        leaves.all(is_known)
    }

    /// Some of the numbers.
    fn only(&self, is_wanted: impl Fn(usize) -> bool) -> Moves {
        let some = |all: &Vec<Polynomial>| -> Vec<Polynomial> {
            let wanted = all.iter().enumerate().filter(|(n, _)| is_wanted(*n));
            wanted.map(|(_, polynomial)| polynomial.clone()).collect()
        };
        let heads = self.heads.iter().enumerate().filter(|(n, _)| is_wanted(*n)).map(|(_, &head)| head);
        Moves {
            heads: heads.collect(),
            firsts: some(&self.firsts),
            nexts: self.nexts.iter().map(some).collect(),
        }
    }
}

/// Vectors of the values of monomials.
struct Lift {
    width: Width,
    moves: Moves,
    /// Numbers that change, then fixed ones.
    numbers: Vec<Term>,
    /// The columns: larger ones first, the number 1 last.
    basis: Vec<Monomial>,
}

impl Lift {
    fn new(model: &Model, turn: &Turn<'_>, width: Width, moves: Moves) -> Lift {
        let mut numbers = moves.heads.clone();
        let leaves = moves.firsts.iter().chain(moves.nexts.iter().flatten()).flat_map(Polynomial::parts);
        for leaf in leaves.flat_map(|(monomial, _)| monomial.clone()) {
            if numbers.len() < MOST_NUMBERS && !numbers.contains(&leaf) && is_fixed(model, turn, leaf) {
                numbers.push(leaf);
            }
        }
        let has_at_most = |most: usize| usize::from(numbers.len() <= most);
        let degree = 1 + has_at_most(MOST_FOR_SQUARES) + has_at_most(MOST_FOR_CUBES);
        let basis = basis(&numbers, degree);
        Lift { width, moves, numbers, basis }
    }

    /// What is zero in all states, and does not follow from what is `told`.
    fn equalities(&self, told: &[Polynomial]) -> Vec<Polynomial> {
        let mut module = Module::zero(self.width, self.basis.len());
        let mut open: Vec<Vec<u64>> =
            self.step(&self.moves.firsts).into_iter().map(|(_, vector)| vector).collect();
        let mut maps = Vec::new();
        for next in &self.moves.nexts {
            let (map, anything) = self.map(next);
            open.extend(anything);
            maps.push(map);
        }
        let mut looked_at = 0;
        while let Some(vector) = open.pop() {
            if !module.insert(vector.clone()) {
                continue;
            }
            looked_at += 1;
            if looked_at > MOST_VECTORS {
                return Vec::new();
            }
            for map in &maps {
                let product = |row: &Vec<u64>| {
                    let products = row.iter().zip(&vector).map(|(a, b)| a.wrapping_mul(*b));
                    self.width.wrap(products.fold(0, u64::wrapping_add))
                };
                open.push(map.iter().map(product).collect());
            }
        }
        let told = told.iter().filter_map(|zero| self.row(zero)).collect();
        let rows = self.essential(module.orthogonal(), told);
        rows.iter().map(|row| self.polynomial(row)).collect()
    }

    /// What numbers that change become, if these are their values: for each monomial of which the new columns are
    /// sums, its factors in them. Columns that are too large for that may be anything.
    fn step(&self, values: &[Polynomial]) -> Vec<(Option<Monomial>, Vec<u64>)> {
        let columns: Vec<Option<Polynomial>> =
            self.basis.iter().map(|monomial| self.substituted(monomial, values)).collect();
        let mut monomials: Vec<Monomial> =
            columns.iter().flatten().flat_map(|column| column.parts().map(|part| part.0.clone())).collect();
        monomials.sort();
        monomials.dedup();
        let mut vectors = Vec::new();
        for monomial in monomials {
            let vector = vector(&columns, &monomial);
            vectors.push((Some(monomial), vector));
        }
        for n in (0..columns.len()).filter(|&n| columns[n].is_none()) {
            vectors.push((None, (0..columns.len()).map(|other| u64::from(other == n)).collect()));
        }
        vectors
    }

    /// A way as a linear map, by rows, and the vectors that may be added to every result.
    fn map(&self, values: &[Polynomial]) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
        let n = self.basis.len();
        let mut map = vec![vec![0; n]; n];
        let mut anything = Vec::new();
        for (monomial, vector) in self.step(values) {
            let column = monomial.and_then(|monomial| self.basis.iter().position(|own| *own == monomial));
            match column {
                Some(column) => {
                    vector.iter().enumerate().for_each(|(row, &factor)| map[row][column] = factor)
                }
                None => anything.push(vector),
            }
        }
        (map, anything)
    }

    /// A monomial in which the numbers that change have new values; none if that is too large.
    fn substituted(&self, monomial: &Monomial, values: &[Polynomial]) -> Option<Polynomial> {
        let mut product = Polynomial::constant(self.width, 1);
        for &number in monomial {
            let value = match self.moves.heads.iter().position(|&head| head == number) {
                Some(n) => values[n].clone(),
                None => Polynomial::leaf(self.width, number),
            };
            product = product.times(self.width, &value)?;
        }
        Some(product)
    }

    /// Those that do not follow from simpler ones, and are short and about something that changes.
    fn essential(&self, mut rows: Vec<Vec<u64>>, before: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let degree = |row: &Vec<u64>| self.degree(row);
        let size = |row: &Vec<u64>| row.iter().filter(|factor| **factor != 0).count();
        let mut known = self.laws();
        let mut told: Vec<Vec<u64>> = known.rows().cloned().collect();
        for row in before {
            self.note(&mut known, &row);
            told.push(row);
        }
        rows = rows.into_iter().map(|row| known.reduced(row)).collect();
        rows.sort_by_key(|row| (degree(row), size(row)));
        let mut essential = Vec::new();
        for row in rows {
            let row = known.reduced(row);
            if !self.note(&mut known, &row) {
                continue;
            }
            let is_about = |head: &Term| {
                row.iter().zip(&self.basis).any(|(&factor, monomial)| factor != 0 && monomial.contains(head))
            };
            let row = self.simplest(row.clone(), &told);
            told.push(row.clone());
            let is_worth_it =
                degree(&row) < 3 || self.moves.heads.iter().any(|&head| self.defines(&row, head));
            let fits = size(&row) <= MOST_PARTS && self.moves.heads.iter().any(is_about) && is_worth_it;
            if fits && essential.len() < MOST_EQUALITIES {
                essential.push(row);
            }
        }
        essential
    }

    fn degree(&self, row: &[u64]) -> usize {
        let parts = row.iter().zip(&self.basis).filter(|(factor, _)| **factor != 0);
        parts.map(|(_, monomial)| monomial.len()).max().unwrap_or(0)
    }

    /// Adds an equality to those that are known, and its products if it is linear; false if it was known.
    fn note(&self, known: &mut Module, row: &[u64]) -> bool {
        if !known.insert(row.to_vec()) {
            return false;
        }
        if self.degree(row) == 1 {
            for &number in &self.numbers {
                if let Some(product) = self.multiplied(row, number) {
                    known.insert(product);
                }
            }
        }
        true
    }

    /// The row, more or less others, with as few and as small coefficients as that gives.
    fn simplest(&self, mut row: Vec<u64>, others: &[Vec<u64>]) -> Vec<u64> {
        let cost = |row: &[u64]| -> u32 {
            let bits = |&factor: &u64| u64::BITS - self.width.signed(factor).unsigned_abs().leading_zeros();
            row.iter().map(bits).sum()
        };
        let moved = |row: &[u64], other: &[u64], sign: u64| -> Vec<u64> {
            let entry = |(a, b): (&u64, &u64)| self.width.wrap(a.wrapping_add(sign.wrapping_mul(*b)));
            row.iter().zip(other).map(entry).collect()
        };
        loop {
            let ways = others.iter().flat_map(|other| [moved(&row, other, 1), moved(&row, other, u64::MAX)]);
            let Some(best) = ways.min_by_key(|way| cost(way)) else { return row };
            if cost(&best) >= cost(&row) {
                return row;
            }
            row = best;
        }
    }

    /// Whether an equality tells what a number is, or a multiple of it. Cubes that say less cost more than they say.
    fn defines(&self, row: &[u64], number: Term) -> bool {
        let parts = row.iter().zip(&self.basis).filter(|(factor, _)| **factor != 0);
        let about: Vec<&Monomial> =
            parts.map(|(_, monomial)| monomial).filter(|m| m.contains(&number)).collect();
        matches!(about[..], [monomial] if monomial.len() == 1)
    }

    /// What is true of all numbers: `x * x` and `x` are both even or both odd, and so is `x * x * x`.
    fn laws(&self) -> Module {
        let mut laws = Module::zero(self.width, self.basis.len());
        for (&number, power) in self.numbers.iter().flat_map(|number| [(number, 2), (number, 3)]) {
            let power = vec![number; power];
            let is_about = |monomial: &Monomial| *monomial == [number] || *monomial == power;
            let factor = |monomial: &Monomial| if is_about(monomial) { self.width.min_signed() } else { 0 };
            if self.basis.contains(&power) {
                laws.insert(self.basis.iter().map(factor).collect());
            }
        }
        laws
    }

    /// An equality times a number, if there are columns for all its monomials.
    fn multiplied(&self, row: &[u64], number: Term) -> Option<Vec<u64>> {
        let mut product = vec![0; self.basis.len()];
        for (&factor, monomial) in row.iter().zip(&self.basis).filter(|(factor, _)| **factor != 0) {
            let mut monomial = monomial.clone();
            monomial.push(number);
            monomial.sort_unstable();
            let column = self.basis.iter().position(|other| *other == monomial)?;
            product[column] = factor;
        }
        Some(product)
    }

    fn polynomial(&self, row: &[u64]) -> Polynomial {
        let parts = row.iter().zip(&self.basis).map(|(&factor, monomial)| (monomial.clone(), factor));
        Polynomial::from_parts(self.width, parts)
    }

    /// The factors of the columns, if there are columns for all monomials.
    fn row(&self, polynomial: &Polynomial) -> Option<Vec<u64>> {
        let has_columns = polynomial.parts().all(|(monomial, _)| self.basis.contains(monomial));
        has_columns.then(|| self.basis.iter().map(|monomial| polynomial.factor(monomial)).collect())
    }
}

/// The factors of a monomial in some polynomials.
fn vector(columns: &[Option<Polynomial>], monomial: &Monomial) -> Vec<u64> {
    let factor = |column: &Option<Polynomial>| column.as_ref().map_or(0, |column| column.factor(monomial));
    columns.iter().map(factor).collect()
}

/// All products of so many numbers, then of fewer, down to the number 1.
fn basis(numbers: &[Term], degree: usize) -> Vec<Monomial> {
    let mut basis = vec![Vec::new()];
    let mut largest: Vec<Monomial> = vec![Vec::new()];
    for _ in 0..degree {
        let mut larger: Vec<Monomial> = Vec::new();
        for (n, &number) in numbers.iter().enumerate() {
            // Each product once: its factors come in the order of the numbers.
            let is_first = |factor: &Term| numbers[n..].contains(factor);
            for monomial in largest.iter().filter(|monomial| monomial.iter().all(is_first)) {
                let mut product = monomial.clone();
                product.push(number);
                product.sort_unstable();
                larger.push(product);
            }
        }
        basis.splice(0..0, larger.clone());
        largest = larger;
    }
    basis
}
