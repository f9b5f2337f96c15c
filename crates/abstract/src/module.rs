//! Modules of vectors of machine integers: all sums of some generators with coefficients, modulo a power of two.
//!
//! They are kept in Howell's normal form: at most one row leads with each column, its first entry is a power of two, and
//! a member that is zero in the first columns is a sum of the rows that lead with later ones. So membership is decided
//! by reduction, and rows that are zero in front are found there. Every chain of growing modules ends, as each step adds
//! a row or makes a leading power smaller.

use quipu_num::Width;

/// A module of vectors.
#[derive(Clone, Debug)]
pub struct Module {
    width: Width,
    /// The row that leads with a column.
    rows: Vec<Option<Vec<u64>>>,
}

impl Module {
    /// The module of the zero vector alone.
    pub fn zero(width: Width, columns: usize) -> Module {
        Module { width, rows: vec![None; columns] }
    }

    pub fn rows(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.rows.iter().flatten()
    }

    /// Adds a vector; false if it was a member already.
    pub fn insert(&mut self, vector: Vec<u64>) -> bool {
        let mut grown = false;
        let mut open = vec![vector];
        while let Some(mut vector) = open.pop() {
            let mut column = 0;
            while column < vector.len() {
                let entry = vector[column];
                if entry == 0 {
                    column += 1;
                    continue;
                }
                let row = match &mut self.rows[column] {
                    Some(row) if row[column].trailing_zeros() <= entry.trailing_zeros() => {
                        let factor = entry >> row[column].trailing_zeros();
                        subtract(self.width, &mut vector, row, factor);
                        column += 1;
                        continue;
                    }
                    row => row,
                };
                // The vector leads with less than the row, and takes its place.
                grown = true;
                normalise(self.width, &mut vector, column);
                let power = vector[column].trailing_zeros();
                let annihilated =
                    scaled(self.width, &vector, 1_u64.checked_shl(self.width.bits() - power).unwrap_or(0));
                open.push(annihilated);
                open.extend(row.replace(vector));
                break;
            }
        }
        grown
    }

    /// The vector, less members that make its entries as small as possible, read as signed: what is `-x` should not
    /// become a large multiple of `x`. Members become zero.
    pub fn reduced(&self, mut vector: Vec<u64>) -> Vec<u64> {
        for column in 0..vector.len() {
            if let Some(row) = &self.rows[column] {
                let power = row[column];
                let quotient = vector[column] >> power.trailing_zeros();
                let is_nearer_above = vector[column] & (power - 1) > power / 2;
                let factor = quotient.wrapping_add(u64::from(is_nearer_above));
                subtract(self.width, &mut vector, row, factor);
            }
        }
        vector
    }

    /// Generators of all vectors whose product with each member is zero.
    pub fn orthogonal(&self) -> Vec<Vec<u64>> {
        let generators: Vec<&Vec<u64>> = self.rows().collect();
        let (n, columns) = (generators.len(), self.rows.len());
        let mut graph = Module::zero(self.width, n + columns);
        for column in 0..columns {
            let mut row: Vec<u64> = generators.iter().map(|generator| generator[column]).collect();
            row.extend((0..columns).map(|other| u64::from(other == column)));
            graph.insert(row);
        }
        graph.rows.split_off(n).into_iter().flatten().map(|row| row[n..].to_vec()).collect()
    }
}

fn subtract(width: Width, vector: &mut [u64], row: &[u64], factor: u64) {
    for (entry, other) in vector.iter_mut().zip(row) {
        *entry = width.wrap(entry.wrapping_sub(factor.wrapping_mul(*other)));
    }
}

fn scaled(width: Width, vector: &[u64], factor: u64) -> Vec<u64> {
    vector.iter().map(|entry| width.wrap(entry.wrapping_mul(factor))).collect()
}

/// Makes the first entry a power of two.
fn normalise(width: Width, vector: &mut [u64], column: usize) {
    let odd = vector[column] >> vector[column].trailing_zeros();
    let inverse = inverse_of_odd(odd);
    for entry in vector {
        *entry = width.wrap(entry.wrapping_mul(inverse));
    }
}

/// The number by which an odd number is multiplied to get 1, modulo 2^64.
pub fn inverse_of_odd(odd: u64) -> u64 {
    let mut inverse = odd;
    // Each step doubles the number of right bits (Newton); an odd number is its own inverse modulo 8.
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(width: Width, generators: &[[u64; 3]]) -> std::collections::BTreeSet<Vec<u64>> {
        let size = 1 << width.bits();
        let mut all = std::collections::BTreeSet::from([vec![0; 3]]);
        for generator in generators {
            let before = all.clone();
            for member in before {
                for factor in 0..size {
                    let sum = member.iter().zip(generator).map(|(a, b)| width.wrap(a + factor * b));
                    all.insert(sum.collect());
                }
            }
        }
        all
    }

    /// A sequence that looks random.
    fn numbers() -> impl FnMut(u64) -> u64 {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % below
        }
    }

    #[test]
    fn members_and_orthogonal_vectors_are_those_of_brute_force() {
        let width = Width::new(3).unwrap();
        let mut next = numbers();
        for _ in 0..300 {
            let n = 1 + next(3) as usize;
            let generators: Vec<[u64; 3]> = (0..n).map(|_| [next(8), next(8), next(8)]).collect();
            let mut module = Module::zero(width, 3);
            for generator in &generators {
                module.insert(generator.to_vec());
            }
            let expected = members(width, &generators);
            let orthogonal = module.orthogonal();
            let mut dual = Module::zero(width, 3);
            for row in orthogonal {
                dual.insert(row);
            }
            for bits in 0..512_u64 {
                let vector = vec![bits & 7, bits >> 3 & 7, bits >> 6];
                let is_member = |module: &Module| module.reduced(vector.clone()) == [0, 0, 0];
                assert_eq!(is_member(&module), expected.contains(&vector), "{generators:?} {vector:?}");
                let is_orthogonal = generators.iter().all(|generator| {
                    width.wrap(generator.iter().zip(&vector).map(|(a, b)| a * b).sum()) == 0
                });
                assert_eq!(is_member(&dual), is_orthogonal, "{generators:?} {vector:?}");
            }
        }
    }
}
