//! Repetitions at the start of a sequence.

/// The longest part that is looked for.
const LONGEST: usize = 24;
/// So often a part must come for its repetitions to be told in short.
const FEWEST: usize = 4;

/// A part with which a sequence starts again and again: how long it is, and how often it comes. Of several the shortest.
pub(super) fn repeated<T: PartialEq>(items: &[T]) -> Option<(usize, usize)> {
    (1..=LONGEST.min(items.len() / FEWEST)).find_map(|period| {
        let first = &items[..period];
        let times = items.chunks(period).take_while(|chunk| *chunk == first).count();
        (times >= FEWEST).then_some((period, times))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_part_counts() {
        assert_eq!(repeated(b"aaaaab"), Some((1, 5)));
        assert_eq!(repeated(b"abababababx"), Some((2, 5)));
        assert_eq!(repeated(b"abcabcabc"), None);
        assert_eq!(repeated(b"xabababab"), None);
        assert_eq!(repeated::<u8>(b""), None);
    }
}
