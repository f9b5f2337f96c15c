//! Functions that nobody defines: what they may do, and what the user says about them.

mod support;

use std::path::PathBuf;

use support::{Ran, empty_folder, pass, quipu};

/// A folder with copies of test files.
fn folder(name: &str, files: &[&str]) -> PathBuf {
    let folder = empty_folder(name);
    for file in files {
        let from = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files")).join(file);
        std::fs::copy(from, folder.join(file)).expect("a file can be copied");
    }
    folder
}

/// The verdicts of the goals of a run, in order.
fn verdicts(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let functions = json["functions"].as_array().expect("functions").clone();
    let goals = functions.iter().flat_map(|function| function["goals"].as_array().expect("goals").clone());
    goals.map(|goal| goal["verdict"].as_str().expect("a verdict").to_string()).collect()
}

fn count(verdicts: &[String], name: &str) -> usize {
    verdicts.iter().filter(|verdict| *verdict == name).count()
}

#[test]
fn a_driver_behind_a_bus_is_covered_and_its_tests_pass() {
    let folder = folder("stubs_bus", &["bus.c"]);
    let ran = quipu("cover bus.c --json --tests bus_tests.c").at(&folder).exits(0);
    let verdicts = verdicts(&ran);
    assert_eq!(count(&verdicts, "covered"), verdicts.len(), "{}", ran.stdout);
    let text = pass(&folder.join("bus_tests.c"), "passed");
    assert!(text.contains("quipu_bus_read_buf_queue"), "parameters have the names of the prototype:\n{text}");
}

#[test]
fn handles_rows_structs_and_callbacks_come_from_outside() {
    let folder = folder("stubs_handles", &["handles.c"]);
    for function in ["scan", "first", "watched", "filtered"] {
        let ran =
            quipu("cover handles.c --json --tests tests.c --force -f").arg(function).at(&folder).exits(0);
        let verdicts = verdicts(&ran);
        assert_eq!(count(&verdicts, "covered"), verdicts.len(), "{function}: {}", ran.stdout);
        pass(&folder.join("tests.c"), "passed");
    }
}

/// What an allocator of another file, or a callback, hands out as `void *` has room for what the code takes it for.
#[test]
fn objects_from_outside_are_as_large_as_the_code_takes_them_to_be() {
    let folder = empty_folder("stubs_room");
    let source = "struct state { int mode; int table[100]; int z; };
        typedef void *(*hook)(void *opaque, unsigned n, unsigned size);
        struct stream { hook alloc; void *opaque; };
        int by_callback(struct stream *stream) {
            struct state *s;
            if (!stream || !stream->alloc) return -1;
            s = (struct state *)stream->alloc(stream->opaque, 1, sizeof(struct state));
            if (!s) return -4;
            s->z = stream->opaque != 0;
            return s->z == 0 ? 1 : 2;
        }
        void *take(unsigned n);
        int by_function(int k) { struct state *s = take(sizeof *s); if (!s) return 0; s->z = k; return s->z == 7 ? 1 : 2; }
        int get(void **out);
        int by_parameter(int k) {
            void *p = 0;
            struct state *s;
            if (get(&p)) return 0;
            s = p;
            if (!s) return 1;
            s->z = k;
            return s->z == 7 ? 2 : 3;
        }
        struct page { int words[3000]; };
        struct page *page(int n);
        int large(int n) { struct page *p = page(n); if (!p) return 0; return p->words[3] == 7 ? 1 : 2; }";
    std::fs::write(folder.join("room.c"), source).expect("a file can be written");
    let ran = quipu("cover room.c --json --tests tests.c").at(&folder).exits(0);
    let verdicts = verdicts(&ran);
    assert_eq!((count(&verdicts, "covered"), verdicts.len()), (20, 20), "{}", ran.stdout);
    assert_eq!(ran.json()["summary"]["crashes"], 0, "{}", ran.stdout);
    pass(&folder.join("tests.c"), "passed");
}

/// An array that is handed over without its length is written as a whole, and what stands beside it is not.
#[test]
fn arrays_are_filled_as_far_as_calls_show_them() {
    let folder = empty_folder("stubs_arrays");
    let source = "struct frame { int id; short xyz[3]; unsigned char tail; int *link; };
        void get_mac(unsigned char *mac);
        void sample(short *out);
        void load(void *to);
        int address(void) { unsigned char mac[6] = { 0 }; get_mac(mac); return mac[5] == 7 ? 1 : 0; }
        int axis(void) {
            struct frame v = { 0 };
            sample(&v.xyz[1]);
            if (v.xyz[2] == 9) return 1;
            return v.tail == 0 && v.xyz[0] == 0 ? 2 : 3;
        }
        int whole(void) {
            struct frame v = { 0 };
            load(&v);
            return v.id == 77 && v.xyz[2] == 5 ? 1 : 0;
        }
        void both(unsigned char *bytes);
        int least(void) { unsigned char two[2] = { 0 }, three[3] = { 0 }; both(two); both(three); return two[1] == 3 && three[1] == 4 && three[2] == 0 ? 1 : 0; }
        void shared(unsigned char *bytes);
        void (*table[])(unsigned char *) = { shared };
        int through(int n) { unsigned char one = 0, two[2]; table[0](&one); shared(two); return n; }";
    std::fs::write(folder.join("arrays.c"), source).expect("a file can be written");
    let covered = |function: &str, criterion: &str| {
        let command =
            format!("cover arrays.c --json --tests tests.c --force --criterion {criterion} -f {function}");
        let ran = quipu(&command).at(&folder).runs();
        pass(&folder.join("tests.c"), "passed");
        let verdicts = verdicts(&ran);
        (count(&verdicts, "covered"), verdicts.len(), count(&verdicts, "unreachable"))
    };
    assert_eq!(covered("address", "condition"), (2, 2, 0));
    assert_eq!(covered("axis", "branch"), (3, 4, 0), "what stands beside the array is excluded");
    assert_eq!(covered("whole", "condition"), (4, 4, 0));
    assert_eq!(covered("least", "condition"), (5, 6, 0), "no call has three[2] changed");
    assert_eq!(covered("through", "statement"), (4, 4, 0), "a call by address may hand over one byte");
}

/// A callback whose parameters point to constants is a function of its own type, which `const` tells from others.
#[test]
fn callbacks_with_constant_parameters_have_bodies() {
    let folder = empty_folder("stubs_callbacks");
    let source =
        "int each(const char *(*next)(const void *data, char *const *table, int n), const void *data) {
            const char *text = next ? next(data, 0, 3) : 0;
            if (!text) return 0;
            return text[0] == 'x' ? 2 : 1;
        }\n";
    std::fs::write(folder.join("a.c"), source).expect("a file can be written");
    let ran = quipu("cover a.c --json --tests t.c").at(&folder).exits(0);
    let verdicts = verdicts(&ran);
    assert_eq!(count(&verdicts, "covered"), verdicts.len(), "{}", ran.stdout);
    pass(&folder.join("t.c"), "passed");
}

/// Pointers from outside may point to what the program knows, whatever a body for them returns.
#[test]
fn pointers_from_outside_may_be_any() {
    for function in ["same", "overlap", "written"] {
        let ran = quipu("cover handles.c --json --criterion statement,branch -f").arg(function).exits(3);
        let verdicts = verdicts(&ran);
        assert_eq!(count(&verdicts, "unreachable"), 0, "{function}: {}", ran.stdout);
        assert!(count(&verdicts, "excluded") > 0, "{function}: {}", ran.stdout);
    }
}

/// What matters for an assertion is not cut down to what bodies of functions that nobody defines do.
#[test]
fn assertions_behind_pointers_from_outside_are_not_proved() {
    let folder = empty_folder("stubs_check");
    let source = "#include <assert.h>
        struct row { int id; };
        struct row *find(void);
        void next(struct row **out);
        static struct row mine, other;
        int found(void) { struct row *r = find(); if (!r) return 0; mine.id = 1; r->id = 2; assert(mine.id == 1); return 1; }
        int moved(void) { struct row *r = &other; next(&r); mine.id = 1; r->id = 2; assert(mine.id == 1); return 1; }\n";
    std::fs::write(folder.join("a.c"), source).expect("a file can be written");
    quipu("check a.c").at(&folder).exits(3).has("2 properties: 2 excluded by assumptions");
    // Who says that nothing else is changed does not say where a pointer points.
    quipu("check a.c -f found").arg("--stub").arg("find: pure").at(&folder).exits(3).has("excluded");
}

#[test]
fn library_functions_without_a_model_are_functions_that_nobody_defines() {
    let folder = folder("stubs_posix", &["posix.c"]);
    let ran = quipu("cover posix.c --json --time 20 --tests posix_tests.c").at(&folder).exits(0);
    let verdicts = verdicts(&ran);
    assert_eq!(count(&verdicts, "covered"), verdicts.len(), "{}", ran.stdout);
    pass(&folder.join("posix_tests.c"), "passed");
}

#[test]
fn what_is_said_about_a_result_is_stated_by_the_user() {
    let folder = folder("stubs_returns", &["bus.c"]);
    let open = quipu("cover bus.c --json -f sensor_wait").at(&folder).exits(0);
    assert_eq!(count(&verdicts(&open), "covered"), verdicts(&open).len());
    let narrow = "bus_is_busy: pure, returns 0,1";
    let ran = quipu("cover bus.c --json -f sensor_wait --tests t.c --stub").arg(narrow).at(&folder).exits(0);
    assert_eq!(verdicts(&ran), ["unreachable", "covered"], "{}", ran.stdout);
    pass(&folder.join("t.c"), "passed");
    quipu("cover bus.c -f sensor_wait --stub")
        .arg(narrow)
        .at(&folder)
        .exits(0)
        .has("assuming `bus_is_busy` changes nothing and returns 0, 1")
        .has("proved for all inputs, as stated above");
    // A narrower range leaves the other side.
    let ran = quipu("cover bus.c --json -f sensor_wait --stub")
        .arg("bus_is_busy: returns -5..-2")
        .at(&folder)
        .exits(0);
    assert_eq!(verdicts(&ran), ["covered", "unreachable"], "{}", ran.stdout);
}

const EFFECTS: &str = "
    struct pair { int a; int b; };
    int level; int mode;
    void tick(const int *in, int *out, struct pair *pair);
    struct pair *get(void);
    int effects(void) {
        int in = 0, out = 0; struct pair pair = {0, 0};
        level = 4; mode = 5;
        tick(&in, &out, &pair);
        if (level != 4) return 1;
        if (mode != 5) return 2;
        if (in) return 3;
        if (out == 7) return 4;
        if (pair.b == 8) return 5;
        return 0;
    }
    int nonnull(void) { struct pair *p = get(); if (!p) return -1; return p->a == 3 ? 1 : 0; }\n";

/// For each of the five decisions, whether the stub lets it be true.
#[track_caller]
fn can_be_true(name: &str, stub: &str, expected: [&str; 5]) {
    let folder = empty_folder(&format!("stubs_effects_{name}"));
    std::fs::write(folder.join("a.c"), EFFECTS).expect("a file can be written");
    let ran = quipu("cover a.c --json -f effects --tests t.c --stub").arg(stub).at(&folder).runs();
    let all = verdicts(&ran);
    let truths: Vec<&str> = all.iter().step_by(2).map(String::as_str).collect();
    assert_eq!(truths, expected, "{stub}\n{}\n{}", ran.stdout, ran.stderr);
    pass(&folder.join("t.c"), "passed");
}

#[test]
fn only_what_is_named_is_written() {
    let (yes, no) = ("covered", "unreachable");
    can_be_true("pure", "tick: pure", [no, no, no, no, no]);
    can_be_true("out", "tick: writes(out)", [no, no, no, yes, no]);
    can_be_true("pair", "tick: writes(pair, level)", [yes, no, no, no, yes]);
    can_be_true("globals", "tick: writes(level, mode)", [yes, yes, no, no, no]);
    can_be_true("returns", "get: pure", [yes, yes, "excluded", yes, yes]);
}

#[test]
fn a_pointer_that_is_never_null() {
    let folder = empty_folder("stubs_nonnull");
    std::fs::write(folder.join("a.c"), EFFECTS).expect("a file can be written");
    let ran =
        quipu("cover a.c --json -f nonnull --tests t.c --stub").arg("get: nonnull").at(&folder).exits(0);
    assert_eq!(verdicts(&ran)[0], "unreachable", "{}", ran.stdout);
    assert_eq!(count(&verdicts(&ran), "covered"), 3, "{}", ran.stdout);
    pass(&folder.join("t.c"), "passed");
}

#[test]
fn a_model_takes_the_place_of_a_function() {
    let folder = folder("stubs_model", &["bus.c", "bus_model.c"]);
    std::fs::create_dir_all(folder.join("models")).expect("a folder can be made");
    std::fs::rename(folder.join("bus_model.c"), folder.join("models/busy.c")).expect("a file can be moved");
    std::fs::write(folder.join("quipu.toml"), "[stubs]\nbus_is_busy = \"model models/busy.c\"\n")
        .expect("written");
    let ran = quipu("cover bus.c --json --tests t.c -f sensor_wait").at(&folder).exits(0);
    assert_eq!(verdicts(&ran), ["unreachable", "covered"], "{}", ran.stdout);
    pass(&folder.join("t.c"), "passed");
    // The functions of the model are not under test.
    let ran = quipu("cover bus.c").at(&folder).exits(0);
    assert!(!ran.stdout.contains("\nbus_is_busy  "), "{}", ran.stdout);
    quipu("cover bus.c -f sensor_wait")
        .at(&folder)
        .exits(0)
        .has("assuming `bus_is_busy` does what models/busy.c says");
}

#[test]
fn options_count_more_than_the_file() {
    let folder = folder("stubs_weight", &["bus.c"]);
    std::fs::write(
        folder.join("quipu.toml"),
        "[stubs]\nbus_is_busy = \"returns -9\"\nelsewhere = \"pure\"\n",
    )
    .expect("written");
    let file = quipu("cover bus.c --json -f sensor_wait").at(&folder).exits(0);
    assert_eq!(verdicts(&file), ["covered", "unreachable"], "{}", file.stdout);
    let option =
        quipu("cover bus.c --json -f sensor_wait --stub").arg("bus_is_busy: returns 1").at(&folder).exits(0);
    assert_eq!(verdicts(&option), ["unreachable", "covered"], "{}", option.stdout);
}

#[test]
fn all_mistakes_are_told_with_their_places() {
    let says = |stub: &str, parts: &[&str]| {
        let ran = quipu("cover bus.c --stub").arg(stub).exits(2);
        parts.iter().fold(ran, |ran, part| ran.says(part));
    };
    says("bus_red: pure", &["--stub:1:1: error: there is no function `bus_red`", "did you mean `bus_read`?"]);
    says("sensor_read: pure", &["`sensor_read` has a body, at bus.c:14:5"]);
    says(
        "bus_read: writes(bf, len), nonnull, returns 1..9999999999",
        &[
            "--stub:1:18: error: `bus_read` has no parameter `bf`",
            "did you mean `buf`?",
            "--stub:1:22: error: the parameter `len` is no pointer",
            "--stub:1:28: error: `bus_read` returns no pointer",
            "--stub:1:45: error: `bus_read` returns `int`, whose values are -2147483648..2147483647",
        ],
    );
    says("bus_is_busy: writes(bus)", &["the parameter `bus` points to something constant"]);
    says("bus_read: purr", &["did you mean `pure`?"]);
    says("bus_read: returns 3..1", &["the range is empty: 3 is greater than 1", "^~~~"]);
    says("bus_read: pure, model x.c", &["a function with a model does what that does"]);
    says("bus_read: model nothing.c", &["cannot read nothing.c"]);
    says(
        "bus_read: model bus_model.c",
        &["bus_model.c does not define `bus_read`", "it defines bus_is_busy"],
    );
    says("pure", &["this does not name a function"]);
    // Several options are told at once.
    quipu("cover bus.c --stub")
        .arg("a b")
        .arg("--stub")
        .arg("bus_read: x")
        .exits(2)
        .says("a b")
        .says("`x` says");
    quipu("cover bus.c --stub")
        .arg("bus_read: pure")
        .arg("--stub")
        .arg("bus_read: pure")
        .exits(2)
        .says("already");
}

#[test]
fn mistakes_in_a_file_have_places() {
    let folder = folder("stubs_mistakes", &["bus.c"]);
    let text = "[stubs]\nbus_read = \"writes(buf), retuns 3\"\nlog_line = 3\n";
    std::fs::write(folder.join("quipu.toml"), text).expect("written");
    quipu("cover bus.c")
        .at(&folder)
        .exits(2)
        .says("quipu.toml:2:26: error: `retuns 3` says nothing")
        .says("quipu.toml:3:12");
    let text = "[stubs]\nbus_read = \"writes(r)\"\nsensor_read = \"pure\"\n";
    std::fs::write(folder.join("quipu.toml"), text).expect("written");
    quipu("cover bus.c")
        .at(&folder)
        .exits(2)
        .says("quipu.toml:2:20: error: `bus_read` has no parameter `r`")
        .says("quipu.toml:3:1: warning: `sensor_read` has a body");
}

#[test]
fn init_proposes_lines_in_comments() {
    quipu("init bus.c -o -")
        .exits(0)
        .has("[stubs]\n# bus_read = \"writes(buf)\"  # it is given nothing else to change\n")
        .has("# log_line = \"pure\"  # it is given pointers to constants only\n")
        .has("# bus_is_busy = \"pure, returns 0..1\"  # it is given pointers to constants only; its name is a question\n");
    // Written as they stand, they are understood.
    let folder = folder("stubs_init", &["bus.c"]);
    quipu("init bus.c").at(&folder).exits(0);
    let text = std::fs::read_to_string(folder.join("quipu.toml")).expect("it was written");
    let (head, stubs) = text.split_once("[stubs]\n").expect("there are stubs");
    let stubs: String = stubs.lines().map(|line| format!("{}\n", line.trim_start_matches("# "))).collect();
    std::fs::write(folder.join("quipu.toml"), format!("{head}[stubs]\n{stubs}")).expect("written");
    quipu("cover bus.c -f sensor_read").at(&folder).exits(0).has("assuming `bus_read` changes only `buf`");
}
