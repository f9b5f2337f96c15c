//! Volatile objects and device memory, end to end: in proofs, in the compiled program, and in exported tests.

mod support;

use std::process::Command;

use support::{empty_folder, quipu};

/// Compiles exported tests and runs them. Address sanitizers have their own use for some of the addresses.
fn pass(tests: &std::path::Path) -> String {
    let program = tests.with_extension("");
    for flags in [["-O0", "-std=gnu11"], ["-O2", "-std=c11"]] {
        let built = Command::new("cc")
            .args(["-Wall", "-Wextra", "-Wno-type-limits", "-Werror"])
            .args(flags)
            .arg("-o")
            .args([program.as_path(), tests])
            .output()
            .expect("there is a compiler");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(&program).output().expect("the tests run");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        assert!(String::from_utf8_lossy(&ran.stdout).contains("tests passed"), "{ran:?}");
    }
    std::fs::read_to_string(tests).expect("the tests were written")
}

#[test]
fn a_driver_that_polls_is_covered() {
    for flags in ["-O0", "-O2"] {
        let ran = quipu(&format!("cover devices/uart.c --attack 2000 -- {flags}"))
            .exits(1)
            .has("USART1->SR reads 0, 0")
            .has("null-access: read of 4 bytes at address 0")
            .has("10 functions, 37 goals: 37 covered, 0 unreachable (proved), 0 gave up");
        assert!(!ran.stdout.contains("disagree"), "{}", ran.stdout);
    }
}

#[test]
fn handlers_and_counters_are_covered() {
    for flags in ["-O0", "-O2"] {
        let ran = quipu(&format!("cover devices/handler.c --attack 2000 -- {flags}"))
            .exits(0)
            .has("stop reads 0, 0, 0")
            .has("it is impossible that `x != 3` is true")
            .has("1 unreachable (proved), 0 gave up");
        assert!(!ran.stdout.contains("disagree"), "{}", ran.stdout);
    }
}

#[test]
fn every_form_of_a_read_is_covered() {
    for flags in ["-O0", "-O2", "-std=c99"] {
        let ran = quipu(&format!("cover devices/forms.c --attack 2000 -- {flags}"))
            .exits(0)
            .has("it is impossible that `GPIO(n)->LOCK == 300` is true")
            .has("it is impossible that `CONTROL.bit.mode > 3` is true")
            .has("it is impossible that `shared != 7` is true")
            .has("it is impossible that `*(uint32_t *)0x20000000u != 5` is true")
            .has("4 unreachable (proved), 0 gave up");
        assert!(!ran.stdout.contains("disagree"), "{}", ran.stdout);
    }
}

#[test]
fn tests_of_registers_are_exported_where_they_stay() {
    for (file, left_out) in [("uart", "needs a volatile object that others change"), ("forms", "Left out")] {
        let tests = empty_folder(&format!("devices-{file}")).join("tests.c");
        quipu(&format!("cover devices/{file}.c --tests"))
            .arg(tests.to_str().expect("the path is text"))
            .exits(i32::from(file == "uart"));
        let text = pass(&tests);
        assert!(text.contains("quipu_map_devices();"), "{text}");
        assert!(text.contains("quipu_put((unsigned char *)0x"), "{text}");
        assert!(text.contains(left_out), "{text}");
    }
}

/// A driver that is handed the base of its registers as a number has runs without undefined behaviour.
#[test]
fn registers_are_found_where_only_callers_know_them() {
    let folder = empty_folder("devices_bases");
    let head = "#include <stdint.h>
        #define REG(base, at) (*(volatile uint32_t *)(uintptr_t)((base) + (at)))
        uint32_t clock_of(uint32_t port);
        ";
    let open = "int over8(uint32_t port) { return REG(port, 12) & 0x8000 ? 1 : 0; }
        void put(uint32_t port, uint32_t value) { REG(port, 12) = value; }
        uint32_t baud(uint32_t port) {
            uint32_t clock = clock_of(port), rate = REG(port, 8);
            return REG(port, 12) & 0x8000 ? 2 * clock : rate;
        }
        struct port { uint32_t base; };
        int ready(const struct port *p) { if (!p) return -1; return REG(p->base, 4) & 1 ? 1 : 0; }";
    let compared = "uint32_t rate(uint32_t port) {
            uint32_t clock = port == 0x50011000u ? 2 : 1;
            if (REG(port, 8) == 7) return clock == 2 ? 9 : 8;
            switch (port) { case 0x60020000u: return REG(port, 0) & 1 ? 4 : 5; default: return clock; }
        }";
    for (name, code) in [("open.c", open), ("compared.c", compared)] {
        std::fs::write(folder.join(name), format!("{head}{code}\n")).expect("a file can be written");
        let ran = quipu("cover --attack 2000 --json --tests tests.c").arg(name).at(&folder).exits(0);
        let summary = &ran.json()["summary"];
        assert!(summary["covered"] == summary["goals"] && summary["crashes"] == 0, "{}", ran.stdout);
        pass(&folder.join("tests.c"));
    }
}

#[test]
fn reads_are_told_in_json() {
    quipu("cover devices/handler.c -f until_stopped --json")
        .exits(0)
        .has("\"volatile\": \"stop\"")
        .has("\"value\": 0");
}

#[test]
fn registers_are_no_undefined_behaviour() {
    quipu("cover devices/uart.c -f receive -f flags -f ready --criterion undefined")
        .exits(0)
        .has("0 found")
        .has("0 undecided");
}

/// A run without a test has no world outside: volatile objects hold what was written to them.
#[test]
fn plain_runs_read_what_was_written() {
    quipu("run devices/forms.c -f twice").exits(0).prints("returned 0\n");
}
