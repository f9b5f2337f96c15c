//! The encoding says of every input what the interpreter does: which edges are taken, and whether the run is clean.

mod common;

use quipu_encode::Unwinding;

/// Compares on many inputs; returns how many runs did the same.
fn agree(source: &str, function: &str, runs: usize) -> usize {
    let module = common::compile(source);
    let func = module.function(function).expect("the function exists");
    let unwinding = Unwinding { turns: 12, recursion: 12, ..Unwinding::default() };
    common::agree_on(&module, func, source, runs, &unwinding).same
}

#[test]
fn conditions_and_arithmetic() {
    let source = "int f(int a, int b, unsigned c) {
        int r = 0;
        if (a > 3 && b < 2 || c == 7u) r = a / (b + 1); else if (!(a & 1)) r = b << (c & 3);
        switch (r) { case 0: r++; case 1: r += 2; break; case 5 ... 9: r = a % 3; break; default: r -= c > 2u ? 1 : b; }
        return r > 2 || b ? r : -r;
    }";
    assert!(agree(source, "f", 3000) > 2000);
}

#[test]
fn loops_and_breaks() {
    let source = "int f(int n, int m) {
        int i, j, s = 0;
        for (i = 0; i < n; i++) {
            if (i == m) continue;
            for (j = i; j < 5; j++) { if (s > 20) goto out; s += j * i; }
            if (s == 13) break;
        }
    out:
        do { s--; } while (s > m);
        return s + i;
    }";
    assert!(agree(source, "f", 3000) > 500);
}

#[test]
fn a_value_computed_in_a_loop_is_used_behind_it() {
    let source = "int f(int n) {
        int last = -1, i = 0, k;
        for (;;) { k = i * 3 + n; if (k > 10) break; last = k; i++; if (i > 4) return last; }
        return k + last;
    }";
    assert!(agree(source, "f", 2000) > 1500);
}

/// The value of the turn in which a path left its loop was lost where paths met that had left before.
#[test]
fn paths_that_left_a_loop_in_different_turns_meet_behind_it() {
    let source = "int f(int n, int m) {
        int i = 0, k = 0, s = 0;
        while (i++ < 6) { k = i * n; if (k == m) break; if (k == m + 1) { s = 1; break; } }
        if (s) s = k;
        if (i > 6) return k;
        return i * 100 + k + s;
    }";
    assert!(agree(source, "f", 3000) > 2000);
}

#[test]
fn jumps_into_a_loop() {
    let source = "int f(int a, int b) {
        int i = a & 3, s = 0;
        if (b > 0) goto middle;
        while (i < 5) {
            s += i;
        middle:
            i++;
            if (s > b) break;
        }
        return s;
    }";
    assert!(agree(source, "f", 2000) > 1500);
}

#[test]
fn arrays_structs_and_pointers() {
    let source = "struct p { int x; short y[3]; unsigned b : 3; signed c : 5; };
    static int table[4] = {3, 1, 4, 1};
    int g;
    static void set(struct p *q, int i, int v) { q->y[i] = v; q->b = v; q->c += i; }
    int f(struct p *q, int a[6], int i, struct p v) {
        int local[5] = {0}, *w = &local[1];
        if (i < 0 || i > 2) return table[i & 3];
        set(q, i, a[i + 1]);
        w[i] = q->b; *w += 2; local[a[0] & 3]++;
        g = table[q->y[i] & 3] + local[2];
        table[1] = v.x;
        if (q->y[0] == q->y[2]) g++;
        struct p copy = v; copy.y[1] = 5; *q = copy;
        return w - local == 1 && &a[i] > &a[1] ? local[i] : g + v.c;
    }";
    assert!(agree(source, "f", 4000) > 500);
}

#[test]
fn recursion_and_function_pointers() {
    let source = "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int twice(int n) { return 2 * n; }
    static int neg(int n) { return -n; }
    static int (*const table[3])(int) = {fib, twice, neg};
    int f(int k, int n, int (*cb)(int)) {
        if (n > 5 || n < 0) return -1;
        int r = k >= 0 && k < 3 ? table[k](n) : 0;
        if (cb) r += cb(r);
        if (r == 8) return 1;
        return r;
    }";
    assert!(agree(source, "f", 2000) > 1000);
}

#[test]
fn environment() {
    let source = "#include <stdio.h>
    #include <stdlib.h>
    #include <assert.h>
    #include <ctype.h>
    #include <string.h>
    int sensor(void); void __VERIFIER_assume(int);
    int f(int n) {
        int x, y, s = 0;
        char buf[4]; memset(buf, n, sizeof buf);
        if (scanf(\"%d %d\", &x, &y) != 2) return -1;
        __VERIFIER_assume(x < 100);
        for (int i = 0; i < (n & 3); i++) s += sensor() > x;
        if (isdigit(x & 127)) s++;
        if (rand() % 7 == 3) exit(2);
        assert(s != 2 || y != 5);
        if (getchar() == 'a') s += abs(y);
        return s + buf[1];
    }";
    assert!(agree(source, "f", 3000) > 300);
}

/// Where there is no object, the order is that of addresses.
#[test]
fn null_pointers_that_moved_are_ordered() {
    let source = "int f(char *b, char *e, int n) {
        if (b == e) n++;
        e--;
        if (b < e) return n > 2 ? 1 : 2;
        return b >= e ? 3 : 4;
    }";
    assert!(agree(source, "f", 2000) > 500);
}

/// The numbers in packed structs are not aligned to their size, and bytes of them are read one by one.
#[test]
fn inputs_in_large_arrays_of_packed_structs() {
    let source = "struct __attribute__((packed)) item { char tag; int value; };
    struct item items[300];
    void set(int i) { items[i].value = i; }
    int f(unsigned char i, int k) {
        unsigned char *bytes = (unsigned char *)&items[i & 3];
        if (items[i & 3].value != 0 && bytes[1 + (k & 3)] > 7) return bytes[k & 3];
        return items[k & 3].tag;
    }";
    assert!(agree(source, "f", 2000) > 1500);
}
