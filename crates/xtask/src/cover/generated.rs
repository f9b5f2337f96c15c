//! A large state machine: a C file of about 2,000 lines with more than 300 branches, the same every time.
//!
//! Its state is global. A step decides by the state, then by guards of several kinds over the event, its value and the
//! state's variables; some guards contradict an earlier one, so that a few branches are dead.

use std::fmt::Write as _;

use quipu_testkit::rng::Rng;

const STATES: usize = 40;
const GUARDS_PER_STATE: usize = 7;
const ACTIONS_PER_GUARD: usize = 4;
const SEED: u64 = 20;

const HEAD: &str = "/* A generated state machine. */

static int state, level, timer, errors, mode, total;
static unsigned flags;

static int limited(int number)
{
    if (number > 1000)
        return 1000;
    if (number < -1000)
        return -1000;
    return number;
}

static void enter(int next)
{
    if (next != state) {
        timer = 0;
        errors = errors > 90 ? 90 : errors;
    }
    state = next;
}

void start(int first, unsigned options)
{
    state = 0;
    level = limited(first);
    timer = 0;
    errors = 0;
    mode = options & 4 ? 1 : 0;
    total = 0;
    flags = options;
}

int step(int event, int value)
{
    if (value < -10000 || value > 10000 || level < -1000 || level > 1000)
        return -1;
    if (timer < 0 || timer > 1000 || errors < 0 || errors > 1000 || total < -100000 || total > 100000)
        return -2;
    switch (state) {
";

const TAIL: &str = "    default:
        return -3;
    }
    timer++;
    return errors > 10 ? -4 : state;
}

int run(const int events[3], const int values[3])
{
    start(values[0], 5);
    for (int i = 0; i < 3; i++)
        if (step(events[i], values[i]) < 0)
            return -1;
    if (state == 0)
        return 0;
    return total > 100 ? 2 : 1;
}
";

/// The text of the machine.
pub fn state_machine() -> String {
    let mut rng = Rng::new(SEED);
    let mut text = HEAD.to_owned();
    for state in 0..STATES {
        let _ = writeln!(text, "    case {state}:");
        for guard in 0..GUARDS_PER_STATE {
            let condition = condition(&mut rng, state, guard);
            let _ = writeln!(text, "        if ({condition}) {{");
            for _ in 0..ACTIONS_PER_GUARD {
                let _ = writeln!(text, "            {}", action(&mut rng));
            }
            if rng.below(2) == 0 {
                let _ = writeln!(text, "            enter({});", rng.below(STATES as u64));
            }
            text.push_str("        }\n");
        }
        text.push_str("        break;\n");
    }
    text.push_str(TAIL);
    text
}

fn condition(rng: &mut Rng, state: usize, guard: usize) -> String {
    let (small, large) = (rng.between(1, 30), rng.between(100, 900));
    match rng.below(9) {
        0 => format!("event == {} && value > {large}", rng.below(16)),
        1 => format!("value >= {large} && value < {}", large + small),
        2 => format!("level * 3 + value == {}", large + state as i64),
        3 => format!("(flags & {}u) == {}u", 7 << (guard + 1), 5 << (guard + 1)),
        4 => format!("timer > {small} && (event == {} || mode == {})", rng.below(16), rng.below(4)),
        5 => format!("value % {} == {} && level % 5 == 2", small + 3, rng.between(0, small)),
        6 => format!("total == {} || (errors > {small} && mode != 2)", large * 10 + state as i64),
        7 => format!("value > {large} && value < level - {}", large + small),
        _ => format!("level > {large} && level < {}", large - small),
    }
}

fn action(rng: &mut Rng) -> String {
    let number = rng.between(1, 50);
    match rng.below(7) {
        0 => format!("level = limited(level + {number});"),
        1 => "level = limited(value);".to_owned(),
        2 => format!("total += {number};"),
        3 => format!("flags ^= {}u;", 1 << rng.below(12)),
        4 => "errors++;".to_owned(),
        5 => format!("mode = {};", rng.below(4)),
        _ => format!("timer += {};", number % 5 + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_large_and_always_the_same() {
        let text = state_machine();
        let lines = text.lines().count();
        let branches = text.matches("if (").count() + text.matches("case ").count();
        assert!((1700..2300).contains(&lines), "{lines} lines");
        assert!(branches >= 300, "{branches} branches");
        assert_eq!(text, state_machine());
    }

    #[test]
    fn the_machine_is_c() {
        let file = std::env::temp_dir().join(format!("quipu-generated-{}.c", std::process::id()));
        std::fs::write(&file, state_machine()).expect("the folder for temporary files is writable");
        let program = super::super::program::load(&file).expect("the machine should compile");
        let (functions, unsupported) = super::super::program::functions(&program, &file);
        std::fs::remove_file(&file).expect("the file is ours");
        assert_eq!((functions.len(), unsupported), (5, 0));
    }
}
