//! Polynomial equalities that hold at the head of a loop, modulo the width of its numbers.
//!
//! A state is a vector of the values of all monomials up to some degree. A way through a turn is a linear map of these
//! vectors, as far as the values after it are polynomials of those before; a monomial that is none of them may have any
//! value, whatever the others are. So the module that all states generate is found by applying the maps until nothing
//! new is found, which is after finitely many steps: there is nothing to widen (Müller-Olm and Seidl, 2005). What is
//! orthogonal to it holds in all states. Conditions do not matter, but for ways that are never taken.

use quipu_model::{Model, Node, Term};
use quipu_num::{IntCmp, Width};

use crate::cone::visit;
use crate::module::Module;
use crate::paths::{Decisions, truth};
use crate::polynomial::{Monomial, Polynomial};
use crate::turn::Turn;

/// With more numbers than these no cubes, and only linear equalities, are looked for.
const MOST_FOR_CUBES: usize = 3;
const MOST_FOR_SQUARES: usize = 5;
const MOST_NUMBERS: usize = 12;
/// No more equalities are told for one width, and none with more parts.
const MOST_EQUALITIES: usize = 12;
const MOST_PARTS: usize = 8;
/// No more conditions of a turn are looked at.
const MOST_CONDITIONS: usize = 256;
/// No more vectors are looked at.
const MOST_VECTORS: usize = 4_000;

/// The equalities that hold in every turn, if these are the ways through one.
pub fn equalities(model: &mut Model, turn: &Turn<'_>, paths: &[&Decisions]) -> Vec<Term> {
    let mut widths: Vec<Width> = turn.places.iter().map(|place| model.width(place.head)).collect();
    widths.sort_unstable();
    widths.dedup();
    let mut found = Vec::new();
    for width in widths.into_iter().filter(|width| *width != Width::W1) {
        let lift = Lift::new(model, turn, paths, width);
        let rows = lift.equalities();
        for row in rows {
            found.push(lift.term(model, &row));
        }
    }
    found
}

/// Vectors of the values of monomials.
struct Lift {
    width: Width,
    heads: Vec<Term>,
    /// Numbers that change, then fixed ones.
    numbers: Vec<Term>,
    /// The columns: larger ones first, the number 1 last.
    basis: Vec<Monomial>,
    firsts: Vec<Polynomial>,
    /// For each way.
    nexts: Vec<Vec<Polynomial>>,
}

impl Lift {
    fn new(model: &Model, turn: &Turn<'_>, paths: &[&Decisions], width: Width) -> Lift {
        let places: Vec<_> = turn.places.iter().filter(|place| model.width(place.head) == width).collect();
        let heads: Vec<Term> = places.iter().map(|place| place.head).collect();
        let unconditional = Decisions::default();
        let polynomial = |term: Term, path: &Decisions| Polynomial::of(model, term, path);
        let firsts: Vec<Polynomial> =
            places.iter().map(|place| polynomial(place.first, &unconditional)).collect();
        let next = |path: &Decisions| -> Vec<Polynomial> {
            let equations = equations(model, turn, width, path);
            let values = places.iter().map(|place| polynomial(place.next, path));
            values.map(|value| replaced(width, value, &equations)).collect()
        };
        let nexts: Vec<Vec<Polynomial>> = paths.iter().map(|path| next(path)).collect();
        let mut numbers = heads.clone();
        let leaves = firsts.iter().chain(nexts.iter().flatten()).flat_map(Polynomial::parts);
        for leaf in leaves.flat_map(|(monomial, _)| monomial.clone()).collect::<Vec<Term>>() {
            if numbers.len() < MOST_NUMBERS && !numbers.contains(&leaf) && is_fixed(model, turn, leaf) {
                numbers.push(leaf);
            }
        }
        let has_at_most = |most: usize| usize::from(numbers.len() <= most);
        let degree = 1 + has_at_most(MOST_FOR_SQUARES) + has_at_most(MOST_FOR_CUBES);
        let basis = basis(&numbers, degree);
        Lift { width, heads, numbers, basis, firsts, nexts }
    }

    fn equalities(&self) -> Vec<Vec<u64>> {
        let mut module = Module::zero(self.width, self.basis.len());
        let mut open: Vec<Vec<u64>> = self.step(&self.firsts).into_iter().map(|(_, vector)| vector).collect();
        let mut maps = Vec::new();
        for next in &self.nexts {
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
        self.essential(module.orthogonal())
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
            let value = match self.heads.iter().position(|&head| head == number) {
                Some(n) => values[n].clone(),
                None => Polynomial::leaf(self.width, number),
            };
            product = product.times(self.width, &value)?;
        }
        Some(product)
    }

    /// Those that do not follow from simpler ones, and are short and about something that changes.
    fn essential(&self, mut rows: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let degree = |row: &Vec<u64>| {
            let parts = row.iter().zip(&self.basis).filter(|(factor, _)| **factor != 0);
            parts.map(|(_, monomial)| monomial.len()).max().unwrap_or(0)
        };
        let size = |row: &Vec<u64>| row.iter().filter(|factor| **factor != 0).count();
        let mut known = self.laws();
        let mut told: Vec<Vec<u64>> = known.rows().cloned().collect();
        rows = rows.into_iter().map(|row| known.reduced(row)).collect();
        rows.sort_by_key(|row| (degree(row), size(row)));
        let mut essential = Vec::new();
        for row in rows {
            let row = known.reduced(row);
            if !known.insert(row.clone()) {
                continue;
            }
            if degree(&row) == 1 {
                for &number in &self.numbers {
                    if let Some(product) = self.multiplied(&row, number) {
                        known.insert(product);
                    }
                }
            }
            let is_about = |head: &Term| {
                row.iter().zip(&self.basis).any(|(&factor, monomial)| factor != 0 && monomial.contains(head))
            };
            let row = self.simplest(row.clone(), &told);
            told.push(row.clone());
            let is_worth_it = degree(&row) < 3 || self.heads.iter().any(|&head| self.defines(&row, head));
            let fits = size(&row) <= MOST_PARTS && self.heads.iter().any(is_about) && is_worth_it;
            if fits && essential.len() < MOST_EQUALITIES {
                essential.push(row);
            }
        }
        essential
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

    /// That a sum is zero.
    fn term(&self, model: &mut Model, row: &[u64]) -> Term {
        let parts = row.iter().zip(&self.basis).map(|(&factor, monomial)| (monomial.clone(), factor));
        let sum = Polynomial::from_parts(self.width, parts).term(model, self.width);
        let zero = model.constant_term(self.width, 0);
        model.equal(sum, zero)
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

/// What conditions of a turn that goes some way tell about variables that each turn has for itself: what they are equal
/// to. Each value is free of those that have one already.
fn equations(model: &Model, turn: &Turn<'_>, width: Width, path: &Decisions) -> Vec<(Term, Polynomial)> {
    let mut equations: Vec<(Term, Polynomial)> = Vec::new();
    let conditions = conditions_on(model, &turn.during, path);
    for (condition, a, b) in equal_pairs(model, &conditions) {
        if model.width(a) != width {
            continue;
        }
        let mut zero = Polynomial::of(model, a, path);
        zero.plus(width, &Polynomial::of(model, b, path), width.mask());
        let zero = replaced(width, zero, &equations);
        let is_own = |leaf: &Term| {
            matches!(model.node(*leaf), Node::Var(_))
                && !is_fixed(model, turn, *leaf)
                && turn.places.iter().all(|place| place.head != *leaf)
                && equations.iter().all(|(known, _)| known != leaf)
        };
        let own = zero.parts().filter_map(|(monomial, _)| match &**monomial {
            [leaf] if is_own(leaf) => Some(*leaf),
            _ => None,
        });
        if let Some((leaf, value)) = own.collect::<Vec<Term>>().into_iter().find_map(|leaf| {
            // The condition itself is no number, so it can stand for one that nobody knows.
            let value = zero.solved_for(width, leaf, condition)?;
            Some((leaf, value))
        }) {
            let fresh = (leaf, value);
            for (_, known) in &mut equations {
                *known = replaced(width, known.clone(), std::slice::from_ref(&fresh));
            }
            equations.push(fresh);
        }
    }
    equations
}

/// A polynomial with the values of leaves.
fn replaced(width: Width, mut polynomial: Polynomial, values: &[(Term, Polynomial)]) -> Polynomial {
    for (leaf, value) in values {
        polynomial = polynomial.replaced(width, *leaf, value);
    }
    polynomial
}

/// Terms that conditions make equal, each pair with a condition that tells it: numbers between which neither order is
/// strict come first, as they tell where a loop ends.
fn equal_pairs(model: &Model, conditions: &[Term]) -> Vec<(Term, Term, Term)> {
    let at_most = |condition: Term| match *model.node(condition) {
        Node::Compare(order @ (IntCmp::Ule | IntCmp::Sle), a, b) => Some((order, a, b)),
        Node::Not(inner) => match *model.node(inner) {
            Node::Compare(IntCmp::Ult, a, b) => Some((IntCmp::Ule, b, a)),
            Node::Compare(IntCmp::Slt, a, b) => Some((IntCmp::Sle, b, a)),
            _ => None,
        },
        _ => None,
    };
    let orders: Vec<(Term, (IntCmp, Term, Term))> =
        conditions.iter().filter_map(|&condition| Some((condition, at_most(condition)?))).collect();
    let mut pairs = Vec::new();
    for (n, &(condition, (order, a, b))) in orders.iter().enumerate() {
        if orders[..n].iter().any(|&(_, other)| other == (order, b, a)) {
            pairs.push((condition, a, b));
        }
    }
    pairs.extend(conditions.iter().filter_map(|&condition| match *model.node(condition) {
        Node::Compare(IntCmp::Eq, a, b) => Some((condition, a, b)),
        _ => None,
    }));
    pairs
}

/// The conditions that hold on a way, one by one: where only one of several can be true there, it is.
fn conditions_on(model: &Model, conditions: &[Term], path: &Decisions) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open: Vec<Term> = conditions.iter().rev().copied().collect();
    while let Some(condition) = open.pop() {
        match model.node(condition) {
            _ if found.len() >= MOST_CONDITIONS => break,
            Node::All(items) => open.extend(items.iter().rev()),
            Node::Any(items) => {
                let left: Vec<Term> =
                    items.iter().copied().filter(|&item| truth(model, item, path) != Some(false)).collect();
                match left[..] {
                    [only] => open.push(only),
                    _ => found.push(condition),
                }
            }
            _ => found.push(condition),
        }
    }
    found
}

/// Whether a term has the same value in all turns.
fn is_fixed(model: &Model, turn: &Turn<'_>, term: Term) -> bool {
    let is_head = |term: Term| turn.places.iter().any(|place| place.head == term);
    visit([term], |term, open| match model.node(term) {
        Node::Var(var) => !is_head(term) && (turn.is_fixed)(*var),
        node => {
            node.for_each_operand(|operand| open.push(operand));
            true
        }
    })
}
