//! Linear forms against the points of octagons.

use quipu_base::Random;

use super::random_octagon;
use crate::linear::Linear;

/// A form, and its value at a point for some choice of the number that it leaves open.
struct Case {
    form: Linear,
    parts: Vec<i128>,
    least: i128,
    most: i128,
    divisor: i128,
}

fn random_case(random: &mut Random, dims: usize) -> Case {
    let small = |random: &mut Random| random.below(7) as i128 - 3;
    let parts: Vec<i128> = (0..dims).map(|_| small(random)).collect();
    let least = small(random);
    let most = least + random.below(3) as i128;
    let divisor = 1 + random.below(3) as i128;
    let mut form = Linear::between(least, most);
    for (dim, &factor) in parts.iter().enumerate() {
        form = form.plus(&Linear::dimension(dim), factor).expect("it is small");
    }
    let form = form.divided(divisor).expect("it is small");
    Case { form, parts, least, most, divisor }
}

impl Case {
    fn values(&self, point: &[i128]) -> impl Iterator<Item = i128> {
        let sum: i128 = self.parts.iter().zip(point).map(|(a, b)| a * b).sum();
        let divisor = self.divisor;
        (self.least..=self.most).map(move |rest| (sum + rest).div_euclid(divisor))
    }
}

#[test]
fn bounds_of_forms_hold() {
    let mut tight = 0;
    for seed in 1..=5000 {
        let random = &mut Random::new(seed);
        let (Some(octagon), kept) = random_octagon(random, 3, 2) else { continue };
        let (a, b) = (random_case(random, 3), random_case(random, 3));
        let values: Vec<i128> = kept.iter().flat_map(|point| a.values(point)).collect();
        let (lo, hi) = (a.form.lower(&octagon), a.form.upper(&octagon));
        assert!(values.iter().all(|value| (lo..=hi).contains(value)), "{seed}: {:?} {lo} {hi}", a.form);
        tight += u32::from(values.iter().max() == Some(&hi));
        for factor in [-2, -1, 1, 3] {
            let Some(sum) = a.form.plus(&b.form, factor) else { continue };
            let (lo, hi) = (sum.lower(&octagon), sum.upper(&octagon));
            for point in &kept {
                for x in a.values(point) {
                    let sums = b.values(point).map(|y| x + factor * y);
                    assert!({ sums }.all(|value| (lo..=hi).contains(&value)), "{seed} {factor} {point:?}");
                }
            }
        }
    }
    assert!(tight > 2000, "most bounds should be met: {tight}");
}

#[test]
fn a_form_at_most_zero_loses_no_point() {
    let mut smaller = 0;
    for seed in 1..=10_000 {
        let random = &mut Random::new(seed);
        let (Some(octagon), kept) = random_octagon(random, 3, 2) else { continue };
        let case = random_case(random, 3);
        let left: Vec<&Vec<i128>> =
            kept.iter().filter(|point| case.values(point).any(|value| value <= 0)).collect();
        let mut noted = octagon.clone();
        let possible = case.form.note_at_most_zero(&mut noted);
        match noted.closed().filter(|_| possible) {
            None => assert!(left.is_empty(), "{seed}: {:?} loses {left:?}", case.form),
            Some(noted) => {
                smaller += u32::from(noted != octagon);
                assert!(left.iter().all(|point| super::holds(&noted, point)), "{seed}: {:?}", case.form);
            }
        }
    }
    assert!(smaller > 2000, "forms should tell something: {smaller}");
}
