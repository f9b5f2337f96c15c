//! Octagons (Miné, 2001): bounds of `x`, `x + y` and `x - y` for integers.
//!
//! A matrix bounds differences of literals: literal `2 * n` is the dimension `n`, literal `2 * n + 1` its negation, and
//! the entry at `(i, j)` is an upper bound of `j - i`. The numbers are mathematical integers; whoever speaks of machine
//! integers has to choose how they are read.

/// No bound. Far from the ends of the type, so that a sum of two bounds is one again.
pub const UNBOUNDED: i128 = 1 << 120;
/// No bound is lower than this when it is noted, so that no sum of bounds on the way to a closure is too large.
const LOWEST: i128 = -(1 << 80);

/// A set of integer vectors. Closed but for [`Octagon::widened`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Octagon {
    dims: usize,
    entries: Vec<i128>,
}

/// A dimension with a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(usize);

impl Literal {
    pub fn new(dim: usize, negative: bool) -> Literal {
        Literal(2 * dim + usize::from(negative))
    }

    fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// An upper bound of the sum of two literals; twice a literal if they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    pub a: Literal,
    pub b: Literal,
    pub most: i128,
}

impl Octagon {
    /// All vectors.
    pub fn full(dims: usize) -> Octagon {
        let n = 2 * dims;
        let mut entries = vec![UNBOUNDED; n * n];
        (0..n).for_each(|i| entries[i * n + i] = 0);
        Octagon { dims, entries }
    }

    pub fn dims(&self) -> usize {
        self.dims
    }

    fn at(&self, i: usize, j: usize) -> i128 {
        self.entries[i * 2 * self.dims + j]
    }

    fn lower(&mut self, i: usize, j: usize, bound: i128) {
        let n = 2 * self.dims;
        let entry = &mut self.entries[i * n + j];
        *entry = bound.min(*entry);
    }

    /// The least upper bound known of `a + b`.
    pub fn sum(&self, a: Literal, b: Literal) -> i128 {
        self.at(a.negated().0, b.0)
    }

    /// The least upper bound known of a literal.
    pub fn most(&self, a: Literal) -> i128 {
        match self.sum(a, a) {
            UNBOUNDED.. => UNBOUNDED,
            twice => twice.div_euclid(2),
        }
    }

    /// The bounds of a dimension.
    pub fn range(&self, dim: usize) -> (i128, i128) {
        (-self.most(Literal::new(dim, true)), self.most(Literal::new(dim, false)))
    }

    /// Takes note of a bound of `a + b`, without drawing conclusions.
    pub fn note(&mut self, bound: Bound) {
        let Bound { a, b, most } = Bound { most: bound.most.max(LOWEST), ..bound };
        if a == b.negated() {
            // The sum is zero.
            if most < 0 {
                self.lower(a.0, a.0, most);
            }
            return;
        }
        self.lower(a.negated().0, b.0, most);
        self.lower(b.negated().0, a.0, most);
    }

    /// Takes note of a bound of a literal.
    pub fn note_most(&mut self, a: Literal, most: i128) {
        if most < UNBOUNDED {
            self.note(Bound { a, b: a, most: 2 * most });
        }
    }

    /// Draws all conclusions that integers allow (tight closure); none if there is no such vector.
    pub fn closed(mut self) -> Option<Octagon> {
        let n = 2 * self.dims;
        for k in 0..n {
            for i in 0..n {
                let first = self.at(i, k);
                if first >= UNBOUNDED {
                    continue;
                }
                for j in 0..n {
                    let second = self.at(k, j);
                    if second < UNBOUNDED {
                        // Where there is no vector, bounds fall again and again.
                        self.lower(i, j, (first + second).max(-UNBOUNDED));
                    }
                }
            }
        }
        for i in 0..n {
            let twice = self.at(i, i ^ 1);
            if twice < UNBOUNDED {
                self.lower(i, i ^ 1, 2 * twice.div_euclid(2));
            }
        }
        if (0..n).any(|i| {
            let (up, down) = (self.at(i, i ^ 1), self.at(i ^ 1, i));
            up < UNBOUNDED && down < UNBOUNDED && up + down < 0
        }) {
            return None;
        }
        for i in 0..n {
            for j in 0..n {
                let (a, b) = (self.at(i, i ^ 1), self.at(j ^ 1, j));
                if a < UNBOUNDED && b < UNBOUNDED {
                    self.lower(i, j, (a + b).div_euclid(2));
                }
            }
        }
        (0..n).all(|i| self.at(i, i) >= 0).then_some(self)
    }

    /// The smallest octagon that holds both, if they are closed.
    pub fn join(&self, other: &Octagon) -> Octagon {
        let entries = self.entries.iter().zip(&other.entries).map(|(&a, &b)| a.max(b)).collect();
        Octagon { dims: self.dims, entries }
    }

    /// The vectors of both, without conclusions.
    pub fn meet(&self, other: &Octagon) -> Octagon {
        let entries = self.entries.iter().zip(&other.entries).map(|(&a, &b)| a.min(b)).collect();
        Octagon { dims: self.dims, entries }
    }

    /// Bounds that `other` exceeds move to the next of some thresholds, in ascending order, or disappear. To be used for
    /// `self` in the next step as it is: conclusions would bring bounds back, again and again.
    pub fn widened(&self, other: &Octagon, thresholds: &[i128]) -> Octagon {
        let n = 2 * self.dims;
        let entries = (0..n * n).map(|at| {
            let (old, new) = (self.entries[at], other.entries[at]);
            // Bounds of one literal are doubled.
            let scale = if at / n == (at % n) ^ 1 { 2 } else { 1 };
            match new <= old {
                true => old,
                false => {
                    let next = thresholds.partition_point(|&threshold| scale * threshold < new);
                    thresholds.get(next).map_or(UNBOUNDED, |&threshold| scale * threshold)
                }
            }
        });
        Octagon { dims: self.dims, entries: entries.collect() }
    }

    /// Whether every bound of `other` is one of this octagon, which must be closed.
    pub fn is_within(&self, other: &Octagon) -> bool {
        self.entries.iter().zip(&other.entries).all(|(a, b)| a <= b)
    }

    /// Bounds from which all others follow; each relation is told once. What `before` says already is left out.
    pub fn essential(&self, before: &Octagon) -> Vec<Bound> {
        let n = 2 * self.dims;
        let mut bounds = Vec::new();
        for i in 0..n {
            for j in 0..n {
                // The entry at (j ^ 1, i ^ 1) says the same.
                let (a, b) = (Literal(i ^ 1), Literal(j));
                if i != j && a.0 <= b.0 && self.at(i, j) < before.at(i, j) {
                    bounds.push(Bound { a, b, most: self.at(i, j) });
                }
            }
        }
        // Bounds of one dimension come first and stay: they are the simplest.
        bounds.sort_by_key(|bound| bound.a != bound.b);
        let mut n = bounds.len();
        while n > 0 {
            n -= 1;
            let mut rest = before.clone();
            let others = bounds.iter().enumerate().filter(|&(other, _)| other != n);
            others.for_each(|(_, &bound)| rest.note(bound));
            let follows = rest.closed().is_some_and(|rest| {
                let Bound { a, b, most } = bounds[n];
                rest.sum(a, b) <= most
            });
            if follows {
                bounds.remove(n);
            }
        }
        bounds
    }
}

impl Literal {
    pub fn dim(self) -> usize {
        self.0 / 2
    }

    pub fn is_negative(self) -> bool {
        self.0 % 2 == 1
    }
}
