//! Parallel moves as a sequence: the arguments of an edge are read before any parameter is written.

use super::Reg;

/// Moves `(dst, src)` in an order that has the effect of all at once. `scratch` breaks cycles.
pub(super) fn sequence(moves: &[(Reg, Reg)], scratch: Reg) -> Vec<(Reg, Reg)> {
    let mut pending: Vec<(Reg, Reg)> = moves.iter().copied().filter(|(dst, src)| dst != src).collect();
    let mut done = Vec::with_capacity(pending.len());
    while !pending.is_empty() {
        let free = pending.iter().position(|&(dst, _)| pending.iter().all(|&(_, src)| src != dst));
        match free {
            Some(position) => done.push(pending.swap_remove(position)),
            None => {
                // Every destination is still to be read: save one and read the copy.
                let saved = pending[0].0;
                done.push((scratch, saved));
                for (_, src) in &mut pending {
                    if *src == saved {
                        *src = scratch;
                    }
                }
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moves: &[(Reg, Reg)]) {
        let scratch = 9;
        let start: Vec<u32> = (100..110).collect();
        let mut expected = start.clone();
        for &(dst, src) in moves {
            expected[dst as usize] = start[src as usize];
        }
        let mut regs = start;
        for (dst, src) in sequence(moves, scratch) {
            regs[dst as usize] = regs[src as usize];
        }
        regs[scratch as usize] = 109;
        assert_eq!(regs, expected, "{moves:?}");
    }

    #[test]
    fn all_assignments_of_four_registers() {
        for code in 0..256u32 {
            let moves: Vec<(Reg, Reg)> = (0..4).map(|dst| (dst, (code >> (2 * dst)) & 3)).collect();
            check(&moves);
        }
    }

    #[test]
    fn two_cycles_share_the_scratch_register() {
        check(&[(0, 1), (1, 0), (2, 3), (3, 2), (4, 0)]);
    }
}
