//! Linear forms over the dimensions of an octagon, in mathematical integers.

use crate::octagon::{Bound, Literal, Octagon, UNBOUNDED};

/// A sum of dimensions with coefficients, plus some number between two bounds, divided by a number. The value is an
/// integer, whichever number it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// By dimension; no coefficient is zero.
    parts: Vec<(usize, i128)>,
    least: i128,
    most: i128,
    /// Positive.
    divisor: i128,
}

/// Forms with more parts are bounded part by part.
const MOST_PAIRED: usize = 4;
/// No number is larger than this. All that machine integers and their differences need is far below.
const LARGEST: i128 = 1 << 86;
const LARGEST_DIVISOR: i128 = 1 << 16;

impl Linear {
    pub fn between(least: i128, most: i128) -> Linear {
        Linear { parts: Vec::new(), least, most, divisor: 1 }
    }

    pub fn constant(value: i128) -> Linear {
        Linear::between(value, value)
    }

    pub fn dimension(dim: usize) -> Linear {
        Linear { parts: vec![(dim, 1)], least: 0, most: 0, divisor: 1 }
    }

    pub fn shifted(mut self, by: i128) -> Linear {
        self.least += by * self.divisor;
        self.most += by * self.divisor;
        self
    }

    /// The quotient by a positive number, rounded down; none if numbers become too large.
    pub fn divided(mut self, by: i128) -> Option<Linear> {
        let divisor = self.divisor.checked_mul(by).filter(|divisor| *divisor < LARGEST_DIVISOR)?;
        // A remainder is left out.
        self.least -= self.divisor * (by - 1);
        self.divisor = divisor;
        Some(self)
    }

    /// The whole as a sum of dimensions with coefficients and a number, if it is one.
    pub fn as_sum(&self) -> Option<(&[(usize, i128)], i128)> {
        (self.divisor == 1 && self.least == self.most).then_some((&self.parts, self.least))
    }

    /// The same value with a larger divisor.
    fn over(&self, divisor: i128) -> Option<Linear> {
        let factor = divisor / self.divisor;
        let scaled = |number: i128| number.checked_mul(factor).filter(|number| number.abs() < LARGEST);
        let mut parts = self.parts.clone();
        for part in &mut parts {
            part.1 = scaled(part.1)?;
        }
        Some(Linear { parts, least: scaled(self.least)?, most: scaled(self.most)?, divisor })
    }

    /// None if numbers become too large.
    pub fn plus(&self, other: &Linear, factor: i128) -> Option<Linear> {
        if self.divisor != other.divisor {
            let divisor = common_multiple(self.divisor, other.divisor)?;
            return self.over(divisor)?.plus(&other.over(divisor)?, factor);
        }
        let mut parts = self.parts.clone();
        for &(dim, coefficient) in &other.parts {
            let more = coefficient.checked_mul(factor).filter(|more| more.abs() < LARGEST)?;
            match parts.iter_mut().find(|(own, _)| *own == dim) {
                Some((_, own)) => *own += more,
                None => parts.push((dim, more)),
            }
        }
        parts.retain(|&(_, coefficient)| coefficient != 0);
        parts.sort_unstable();
        let (least, most) = if factor < 0 { (other.most, other.least) } else { (other.least, other.most) };
        let least = self.least.checked_add(least.checked_mul(factor)?)?;
        let most = self.most.checked_add(most.checked_mul(factor)?)?;
        let small = least.abs() < LARGEST && most.abs() < LARGEST;
        (small && parts.iter().all(|part| part.1.abs() < LARGEST)).then_some(Linear {
            parts,
            least,
            most,
            divisor: self.divisor,
        })
    }

    /// The least upper bound that can be told.
    pub fn upper(&self, octagon: &Octagon) -> i128 {
        match add(upper_of(&self.parts, octagon), self.most) {
            UNBOUNDED.. => UNBOUNDED,
            bound => bound.div_euclid(self.divisor),
        }
    }

    pub fn lower(&self, octagon: &Octagon) -> i128 {
        match self.dividend_from(octagon) {
            bound if bound <= -UNBOUNDED => bound,
            bound => -(-bound).div_euclid(self.divisor),
        }
    }

    /// A lower bound of what is divided.
    fn dividend_from(&self, octagon: &Octagon) -> i128 {
        let negated: Vec<(usize, i128)> = self.parts.iter().map(|&(dim, c)| (dim, -c)).collect();
        -add(upper_of(&negated, octagon), -self.least)
    }

    /// Lets the octagon know that the form is at most zero.
    pub fn note_at_most_zero(&self, octagon: &mut Octagon) -> bool {
        if self.parts.is_empty() {
            return self.least <= 0;
        }
        let before = octagon.clone();
        for (n, &(a, factor)) in self.parts.iter().enumerate() {
            let rest = self.without(&[n]).dividend_from(&before);
            if rest > -UNBOUNDED {
                let most = (-rest).div_euclid(factor.abs());
                octagon.note_most(Literal::new(a, factor < 0), most);
            }
            for (m, &(b, other)) in self.parts.iter().enumerate().skip(n + 1) {
                let rest = self.without(&[n, m]).dividend_from(&before);
                if other.abs() == factor.abs() && rest > -UNBOUNDED {
                    let most = (-rest).div_euclid(factor.abs());
                    let (a, b) = (Literal::new(a, factor < 0), Literal::new(b, other < 0));
                    octagon.note(Bound { a, b, most });
                }
            }
        }
        true
    }

    fn without(&self, left_out: &[usize]) -> Linear {
        let parts = self.parts.iter().enumerate().filter(|(n, _)| !left_out.contains(n));
        Linear { parts: parts.map(|(_, &part)| part).collect(), ..*self }
    }
}

fn common_multiple(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    Some(a / x * b).filter(|multiple| *multiple < LARGEST_DIVISOR)
}

fn add(a: i128, b: i128) -> i128 {
    if a >= UNBOUNDED || b >= UNBOUNDED { UNBOUNDED } else { (a + b).clamp(-UNBOUNDED, UNBOUNDED) }
}

fn times(factor: i128, bound: i128) -> i128 {
    match bound >= UNBOUNDED {
        true => UNBOUNDED,
        false => factor.checked_mul(bound).map_or(UNBOUNDED, |product| product.clamp(-UNBOUNDED, UNBOUNDED)),
    }
}

/// An upper bound of a sum: its parts are taken one by one, or in pairs, whichever bounds are best.
fn upper_of(parts: &[(usize, i128)], octagon: &Octagon) -> i128 {
    let Some((&(dim, factor), rest)) = parts.split_first() else { return 0 };
    let literal = |dim: usize, factor: i128| Literal::new(dim, factor < 0);
    let alone = times(factor.abs(), octagon.most(literal(dim, factor)));
    let mut best = add(alone, upper_of(rest, octagon));
    if parts.len() > MOST_PAIRED {
        return best;
    }
    for (n, &(other, its_factor)) in rest.iter().enumerate() {
        let shared = factor.abs().min(its_factor.abs());
        let pair = times(shared, octagon.sum(literal(dim, factor), literal(other, its_factor)));
        let mut left: Vec<(usize, i128)> = rest.to_vec();
        left[n].1 -= shared * its_factor.signum();
        left.insert(0, (dim, factor - shared * factor.signum()));
        left.retain(|part| part.1 != 0);
        best = best.min(add(pair, upper_of(&left, octagon)));
    }
    best
}
