//! A small seeded random number generator: xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64.
//!
//! Our own so that a seed names the same program on every machine and in every release.

/// A deterministic source of random choices.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator that a seed names.
    pub fn new(seed: u64) -> Rng {
        let mut mixer = seed;
        Rng { state: std::array::from_fn(|_| splitmix(&mut mixer)) }
    }

    /// The seed of the `n`-th independent part of a run with this seed.
    pub fn derive(seed: u64, n: u64) -> u64 {
        let mut mixer = seed ^ n.wrapping_mul(0xd134_2543_de82_ef95);
        splitmix(&mut mixer)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.state;
        let result = s1.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (t2, t3) = (s2 ^ s0, s3 ^ s1);
        self.state = [s0 ^ t3, s1 ^ t2, t2 ^ (s1 << 17), t3.rotate_left(45)];
        result
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there should be something to choose from");
        u64::try_from((u128::from(self.bits()) * u128::from(n)) >> 64).expect("the upper half fits")
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.wrapping_sub(low).cast_unsigned().wrapping_add(1);
        let step = if span == 0 { self.bits() } else { self.below(span) };
        low.wrapping_add(step.cast_signed())
    }

    /// An index below `n`, which is not zero.
    pub fn index(&mut self, n: usize) -> usize {
        usize::try_from(self.below(n as u64)).expect("an index below a length fits")
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// One of the items, each as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> T {
        let total: u64 = items.iter().map(|(weight, _)| u64::from(*weight)).sum();
        let mut left = self.below(total);
        for &(weight, item) in items {
            if left < u64::from(weight) {
                return item;
            }
            left -= u64::from(weight);
        }
        unreachable!("a number below the total should fall into an item")
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_sequence() {
        let (mut a, mut b, mut c) = (Rng::new(7), Rng::new(7), Rng::new(8));
        let first: Vec<u64> = (0..8).map(|_| a.bits()).collect();
        assert_eq!(first, (0..8).map(|_| b.bits()).collect::<Vec<_>>());
        assert_ne!(first, (0..8).map(|_| c.bits()).collect::<Vec<_>>());
    }

    #[test]
    fn bounds_are_respected_and_reached() {
        let mut rng = Rng::new(1);
        let mut seen = [false; 5];
        for _ in 0..200 {
            let n = rng.between(-2, 2);
            seen[usize::try_from(n + 2).unwrap()] = true;
        }
        assert!(seen.iter().all(|&s| s));
        assert_eq!(rng.weighted(&[(0, 'a'), (1, 'b')]), 'b');
    }

    #[test]
    fn the_whole_range_is_possible() {
        let mut rng = Rng::new(3);
        let numbers: Vec<i64> = (0..20).map(|_| rng.between(i64::MIN, i64::MAX)).collect();
        assert!(numbers.iter().any(|&n| n < 0) && numbers.iter().any(|&n| n > 0));
    }
}
