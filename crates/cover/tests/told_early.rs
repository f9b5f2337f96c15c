//! What is told of a goal before the work on its function is over: if the process ends there, it is all that anybody
//! learns, so it must never say more than what is known by then.

use std::sync::{Arc, Mutex};

use quipu_base::Id;
use quipu_cover::{News, Options, Record, Subject, Verdict, cover, goals_of};

/// Verdicts as they were told, and those in the end.
fn told_and_final(text: &str) -> Vec<(Verdict, Verdict)> {
    let flags = quipu_cfront::Options::from_flags::<&str>(&[]).expect("no flags are fine");
    let program = quipu_cfront::compile_source("f.c", text.as_bytes().to_vec(), &flags)
        .expect("the program is correct");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = heard.clone();
    let record = Record::new(move |news| listener.lock().expect("nobody panics").push(news));
    let options = Options { record, ..Options::default() };
    let functions = &program.module.functions;
    let func = functions.entries().find(|(_, data)| data.source_name == "f").expect("it is there").0;
    let subject = Subject::new(&program.module, func, Vec::new(), &options).expect("nothing is demanded");
    let goals = goals_of(&program, func, &options);
    let all: Vec<_> = goals.all().ids().collect();
    let report = cover(&program, &subject, goals, &all, &options).expect("there are inputs");
    let heard = heard.lock().expect("nobody panics");
    let decided = heard.iter().filter_map(|news| match news {
        News::Decided { goal, verdict, .. } => Some((verdict.clone(), report.verdicts[goal.index()].clone())),
        News::Found(_) | News::Deepened(_) => None,
    });
    decided.collect()
}

fn says_no_more_than_known(text: &str, is_final: fn(&Verdict) -> bool) {
    let told = told_and_final(text);
    assert!(told.iter().any(|(_, last)| is_final(last)), "{told:?}");
    for (early, last) in &told {
        let too_much = matches!(early, Verdict::Unreachable(_)) && !matches!(last, Verdict::Unreachable(_));
        assert!(!too_much, "told {early:?}, but it is {last:?}");
    }
}

#[test]
fn strings_longer_than_assumed() {
    let text = "int f(const char *s) { if (s == 0 || s[0] != 'a' || s[18] != 'b') return 0; \
                for (int i = 0; i < 18; i++) if (s[i] == 0) return 0; return 1; }";
    says_no_more_than_known(text, |verdict| matches!(verdict, Verdict::Excluded(..)));
}

#[test]
fn objects_that_do_not_overlap_by_assumption() {
    let text = "int f(int *p, short *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }";
    says_no_more_than_known(text, |verdict| matches!(verdict, Verdict::Excluded(..)));
}

#[test]
fn goals_behind_undefined_behaviour() {
    let text =
        "int f(int x) { int z = 0; if (x == 3) { z = x / z; if (z == 7) return 2; return 1; } return 0; }";
    says_no_more_than_known(text, |verdict| matches!(verdict, Verdict::AfterUndefined(..)));
}
