//! Functions that are too large to be encoded as a whole are explored run by run.

mod support;

use std::fmt::Write;

use support::{empty_folder, quipu};

/// A decoder with many states, each of which reads bytes until it has enough, and goes on as they say.
fn decoder(n_states: u32) -> String {
    let mut text = String::from(
        "struct decoder { int state; int key; unsigned hold; int bits; const unsigned char *in; int left; };
int step(struct decoder *m) {
    int ret = 0;
    for (;;) switch (m->state) {
",
    );
    for state in 0..n_states {
        let (byte, other, next) = (state * 37 % 251 + 1, state * 11 % n_states, (state + 1) % n_states);
        let name = |state: u32| 1000 + 7 * state;
        let _ = write!(
            text,
            "    case {}:
        while (m->bits < 8) {{
            if (m->left == 0) goto out;
            m->left--; m->hold += (unsigned)(*m->in++) << m->bits; m->bits += 8;
        }}
        if ((m->hold & 255) == {byte}) {{ m->key = {state}; m->state = {}; }}
        else if (m->key > {state}) {{ ret = {state}; goto out; }}
        else m->state = {};
        m->hold >>= 8; m->bits -= 8; break;
",
            name(state),
            name(other),
            name(next)
        );
    }
    text.push_str("    default: return -1; }\nout: return ret == 5 ? 7 : ret;\n}\n");
    text
}

#[test]
fn a_decoder_with_many_states() {
    let folder = empty_folder("exploration");
    std::fs::write(folder.join("decoder.c"), decoder(100)).expect("the source can be written");
    let report = quipu("cover decoder.c --json --time 20").at(&folder).runs().json();
    let goals = report["functions"][0]["goals"].as_array().expect("there are goals").clone();
    let count = |name: &str| goals.iter().filter(|goal| goal["verdict"] == name).count();
    assert!(goals.len() > 800, "it is large: {}", goals.len());
    assert!(10 * count("covered") >= 9 * goals.len(), "{} of {}", count("covered"), goals.len());
    assert_eq!(count("unreachable"), 0, "no goal is out of reach");
}
