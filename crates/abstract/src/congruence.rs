//! Congruences (Granger, 1989): integers with one remainder.

/// The integers that differ from one by a multiple of a number: of 0, that one alone; of 1, all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congruence {
    modulus: i128,
    /// Not negative, and below the modulus unless that is 0.
    rest: i128,
}

/// Larger numbers are not followed.
const LARGEST: i128 = 1 << 64;

impl Congruence {
    pub const ALL: Congruence = Congruence { modulus: 1, rest: 0 };

    pub fn constant(value: i128) -> Congruence {
        Congruence::new(0, value)
    }

    fn new(modulus: i128, rest: i128) -> Congruence {
        match modulus.abs() {
            0 if rest.abs() < LARGEST => Congruence { modulus: 0, rest },
            modulus if modulus > 0 && modulus < LARGEST => {
                Congruence { modulus, rest: rest.rem_euclid(modulus) }
            }
            _ => Congruence::ALL,
        }
    }

    /// A number above 1 and a rest, if all differ by multiples of the number.
    pub fn step(self) -> Option<(i128, i128)> {
        (self.modulus > 1).then_some((self.modulus, self.rest))
    }

    pub fn contains(self, value: i128) -> bool {
        match self.modulus {
            0 => value == self.rest,
            modulus => value.rem_euclid(modulus) == self.rest,
        }
    }

    pub fn join(self, other: Congruence) -> Congruence {
        Congruence::new(
            common_divisor(common_divisor(self.modulus, other.modulus), self.rest - other.rest),
            self.rest,
        )
    }

    pub fn is_within(self, other: Congruence) -> bool {
        self.join(other) == other
    }

    pub fn plus(self, other: Congruence, factor: i128) -> Congruence {
        let scaled = |number: i128| number.checked_mul(factor).filter(|number| number.abs() < LARGEST);
        match (scaled(other.modulus), scaled(other.rest)) {
            (Some(modulus), Some(rest)) => {
                Congruence::new(common_divisor(self.modulus, modulus), self.rest + rest)
            }
            _ => Congruence::ALL,
        }
    }

    /// The bounds moved to the nearest members between them; none if there is none.
    pub fn tightened(self, (least, most): (i128, i128)) -> Option<(i128, i128)> {
        let (least, most) = match self.modulus {
            0 => (least.max(self.rest), most.min(self.rest)),
            modulus => (
                least + (self.rest - least).rem_euclid(modulus),
                most - (most - self.rest).rem_euclid(modulus),
            ),
        };
        (least <= most).then_some((least, most))
    }
}

fn common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
