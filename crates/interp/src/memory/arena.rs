//! Storage for the bytes of objects, and for their shadow: one mask byte per byte, whose set bits are those
//! that were written.
//!
//! Storage comes in powers of two and goes back to a list of its size. Bytes that were never written keep
//! what their storage held before: nothing can read them.

/// Bytes and shadow of all objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    pub bytes: Vec<u8>,
    pub init: Vec<u8>,
    /// How much of it was ever handed out.
    top: usize,
    /// Returned storage, by the logarithm of its size.
    free: [Vec<u32>; LARGEST_CLASS + 1],
    /// The bound of `top`.
    limit: usize,
}

const SMALLEST_CLASS: usize = 3;
const LARGEST_CLASS: usize = 16;

/// The largest piece of storage; larger objects have pages.
pub(super) const LARGEST_PIECE: usize = 1 << LARGEST_CLASS;

/// Storage kept between runs; what exceeds it is returned to the system.
const KEPT: usize = 1 << 26;

impl Arena {
    /// An arena that grows to at most `limit` bytes.
    pub fn new(limit: u64) -> Arena {
        let limit = limit.min(u64::from(u32::MAX) - (1 << 20)) as usize;
        Arena { limit, ..Arena::default() }
    }

    /// Storage for `size` unwritten bytes, or none beyond the limit.
    #[inline]
    pub fn take(&mut self, size: usize) -> Option<usize> {
        let class = class(size);
        let at = match self.free[class].pop() {
            Some(at) => at as usize,
            None => self.extend(1 << class)?,
        };
        self.init[at..at + size].fill(0);
        Some(at)
    }

    /// Takes back storage for `size` bytes.
    #[inline]
    pub fn give(&mut self, at: usize, size: usize) {
        self.free[class(size)].push(at as u32);
    }

    /// How much was ever handed out.
    pub fn top(&self) -> usize {
        self.top
    }

    /// Takes back everything above `top`.
    pub fn reset(&mut self, top: usize) {
        for list in &mut self.free {
            list.clear();
        }
        self.top = top;
        if self.bytes.len() > top + KEPT {
            for vec in [&mut self.bytes, &mut self.init] {
                vec.truncate(top + KEPT);
                vec.shrink_to_fit();
            }
        }
    }

    fn extend(&mut self, size: usize) -> Option<usize> {
        let at = self.top;
        let top = at + size;
        if top > self.limit {
            return None;
        }
        if top > self.bytes.len() {
            let len = top.next_power_of_two().max(1 << 12);
            self.bytes.resize(len, 0);
            self.init.resize(len, 0);
        }
        self.top = top;
        Some(at)
    }
}

fn class(size: usize) -> usize {
    (usize::BITS - size.saturating_sub(1).leading_zeros()).max(SMALLEST_CLASS as u32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_powers_of_two() {
        assert_eq!([0, 1, 8, 9, 16, 17, 4096].map(class), [3, 3, 3, 4, 4, 5, 12]);
    }

    #[test]
    fn storage_is_used_again_and_unwritten() {
        let mut arena = Arena::new(1 << 20);
        let at = arena.take(5).unwrap();
        arena.init[at..at + 5].fill(0xff);
        arena.give(at, 5);
        assert_eq!(arena.take(7), Some(at));
        assert_eq!(arena.init[at..at + 7], [0; 7]);
        assert_ne!(arena.take(7), Some(at));
    }

    #[test]
    fn the_limit_holds() {
        let mut arena = Arena::new(64);
        assert!(arena.take(64).is_some());
        assert!(arena.take(1).is_none());
    }
}
