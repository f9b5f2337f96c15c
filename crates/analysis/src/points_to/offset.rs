//! Where in an object: one byte offset, or all offsets that leave a remainder.
//!
//! The elements of an array that an unknown index selects are the offsets `r`, `r + m`, `r + 2m`, ...; so fields of
//! array elements stay apart. (Offsets by congruence are Granger's, "Static analysis of arithmetical congruences",
//! 1989.)

/// A set of byte offsets: those congruent to `rem` modulo `modulus`, or `rem` alone where the modulus is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offset {
    modulus: u64,
    rem: i64,
}

impl Offset {
    /// Every offset.
    pub const ANY: Offset = Offset { modulus: 1, rem: 0 };

    /// One offset.
    pub fn exact(at: i64) -> Offset {
        Offset { modulus: 0, rem: at }
    }

    /// The offsets that leave this remainder.
    pub fn congruent(rem: i64, modulus: u64) -> Offset {
        match i64::try_from(modulus) {
            Ok(0) => Offset::exact(rem),
            Ok(m) => Offset { modulus, rem: rem.rem_euclid(m) },
            Err(_) => Offset::ANY,
        }
    }

    /// The offset, if it is only one.
    pub fn as_exact(self) -> Option<i64> {
        (self.modulus == 0).then_some(self.rem)
    }

    /// The distance between neighbours; 0 for a single offset.
    pub fn modulus(self) -> u64 {
        self.modulus
    }

    /// The least offset that is not negative, or the only one.
    pub fn remainder(self) -> i64 {
        self.rem
    }

    /// Whether an offset belongs to the set.
    pub fn contains(self, at: i64) -> bool {
        self.distances(Offset::exact(at), 0, 1)
    }

    /// The least set of this form that contains both.
    pub fn join(self, other: Offset) -> Offset {
        let distance = self.rem.abs_diff(other.rem);
        Offset::congruent(self.rem, gcd(gcd(self.modulus, other.modulus), distance))
    }

    /// All sums.
    pub fn plus(self, other: Offset) -> Offset {
        self.combined(other, self.rem.checked_add(other.rem))
    }

    /// All differences.
    pub fn minus(self, other: Offset) -> Offset {
        self.combined(other, self.rem.checked_sub(other.rem))
    }

    /// All products.
    pub fn times(self, other: Offset) -> Offset {
        let (m, n) = (i128::from(self.modulus), i128::from(other.modulus));
        let (r, s) = (i128::from(self.rem), i128::from(other.rem));
        let parts = [m * n, m * s, n * r].map(|part| u64::try_from(part.unsigned_abs()));
        match (parts, i64::try_from(r * s)) {
            ([Ok(a), Ok(b), Ok(c)], Ok(rem)) => Offset::congruent(rem, gcd(gcd(a, b), c)),
            _ => Offset::ANY,
        }
    }

    /// What is known of the offsets when multiples of 2^`bits` may have been added.
    pub fn wrapped(self, bits: u32) -> Offset {
        if bits >= 63 {
            // A larger power of two says nothing more about offsets of this size.
            let power = if self.modulus == 0 { 1 << 62 } else { 1 << self.modulus.trailing_zeros().min(62) };
            return Offset::congruent(self.rem, power);
        }
        Offset::congruent(self.rem, gcd(self.modulus, 1 << bits))
    }

    /// Whether `other - self` may be one of the numbers from `low` to below `high`.
    pub fn distances(self, other: Offset, low: i64, high: i64) -> bool {
        let difference = i128::from(other.rem) - i128::from(self.rem);
        let (low, high) = (i128::from(low), i128::from(high));
        match i128::from(gcd(self.modulus, other.modulus)) {
            0 => (low..high).contains(&difference),
            g => low + (difference - low).rem_euclid(g) < high,
        }
    }

    fn combined(self, other: Offset, rem: Option<i64>) -> Offset {
        rem.map_or(Offset::ANY, |rem| Offset::congruent(rem, gcd(self.modulus, other.modulus)))
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members from -60 to 60.
    fn members(offset: Offset) -> Vec<i64> {
        (-60..=60).filter(|&at| offset.contains(at)).collect()
    }

    fn all() -> Vec<Offset> {
        let moduli = [0, 1, 2, 3, 4, 6, 8, 12];
        moduli.iter().flat_map(|&m| (-5..9).map(move |rem| Offset::congruent(rem, m))).collect()
    }

    #[test]
    fn sets_contain_what_they_say() {
        assert_eq!(members(Offset::exact(-3)), [-3]);
        assert_eq!(members(Offset::congruent(-3, 40)), [-43, -3, 37]);
        assert_eq!(members(Offset::ANY).len(), 121);
    }

    #[test]
    fn operations_lose_nothing() {
        for &a in &all() {
            for &b in &all() {
                let joined = a.join(b);
                assert!(members(a).iter().chain(&members(b)).all(|&at| joined.contains(at)), "{a:?} {b:?}");
                for &x in members(a).iter().filter(|x| x.abs() < 15) {
                    for &y in members(b).iter().filter(|y| y.abs() < 15) {
                        assert!(a.plus(b).contains(x + y), "{a:?} {b:?}");
                        assert!(a.minus(b).contains(x - y), "{a:?} {b:?}");
                        assert!(a.times(b).contains(x * y), "{a:?} {b:?}");
                        assert!(a.distances(b, y - x, y - x + 1));
                    }
                }
            }
        }
    }

    #[test]
    fn distances_are_found_exactly() {
        for &a in &all() {
            for &b in &all() {
                for low in -9..9 {
                    let expected = members(a)
                        .iter()
                        .any(|x| members(b).iter().any(|y| (low..low + 3).contains(&(y - x))));
                    assert_eq!(a.distances(b, low, low + 3), expected, "{a:?} {b:?} {low}");
                }
            }
        }
    }
}
