//! The text in front of every file of generated programs: headers, the mixing function, guards.

/// Headers and helper functions. All names start with `qk_` or `QK_`.
pub const PRELUDE: &str = r#"#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long qk_mix(unsigned long long h, unsigned long long v)
{
    h ^= v + 0x9e3779b97f4a7c15ULL;
    h *= 0xff51afd7ed558ccdULL;
    return h ^ (h >> 29);
}

/* A NaN counts as one value: its sign and payload depend on the compiler. */
static unsigned long long qk_bits(double x)
{
    unsigned long long bits;
    if (x != x) return 0x7ff8000000000000ULL;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static unsigned long long qk_bits_f(float x)
{
    unsigned bits;
    if (x != x) return 0x7fc00000u;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int qk_compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static double qk_number(double x) { return x == x ? x : 0.0; }
static float qk_number_f(float x) { return x == x ? x : 0.0f; }
static long qk_to_signed(double x) { return x > -9e18 && x < 9e18 ? (long)x : -1L; }
static unsigned long qk_to_unsigned(double x) { return x > -1.0 && x < 1.8e19 ? (unsigned long)x : 1UL; }

#define QK_TYPE(...) _Generic((__VA_ARGS__), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, \
    unsigned short: 6, int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, \
    unsigned long long: 12, float: 13, double: 14, default: 15)

#define QK_SIGNED(T, N, MIN, MAX) \
    static T qk_same_##N(T a) { return a; } \
    static inline T qk_add_##N(T a, T b) \
    { return (b > 0 && a > MAX - b) || (b < 0 && a < MIN - b) ? a : a + b; } \
    static inline T qk_sub_##N(T a, T b) \
    { return (b < 0 && a > MAX + b) || (b > 0 && a < MIN + b) ? a : a - b; } \
    static inline T qk_mul_##N(T a, T b) \
    { \
        if (a > 0) { if (b > 0 ? a > MAX / b : b < MIN / a) return a; } \
        else if (a < 0) { if (b > 0 ? a < MIN / b : b < MAX / a) return b; } \
        return a * b; \
    } \
    static inline T qk_div_##N(T a, T b) { return b == 0 || (a == MIN && b == -1) ? a : a / b; } \
    static inline T qk_rem_##N(T a, T b) { return b == 0 || (a == MIN && b == -1) ? a : a % b; } \
    static inline T qk_shl_##N(T a, long b) \
    { return b < 0 || b >= (long)sizeof(T) * 8 || a < 0 || a > (MAX >> b) ? a : a << b; } \
    static inline T qk_shr_##N(T a, long b) { return b < 0 || b >= (long)sizeof(T) * 8 ? a : a >> b; }

#define QK_UNSIGNED(T, N) \
    static T qk_same_##N(T a) { return a; } \
    static inline T qk_div_##N(T a, T b) { return b == 0 ? a : a / b; } \
    static inline T qk_rem_##N(T a, T b) { return b == 0 ? a : a % b; } \
    static inline T qk_shl_##N(T a, long b) { return b < 0 || b >= (long)sizeof(T) * 8 ? a : a << b; } \
    static inline T qk_shr_##N(T a, long b) { return b < 0 || b >= (long)sizeof(T) * 8 ? a : a >> b; }

QK_SIGNED(int, i, (-2147483647 - 1), 2147483647)
QK_SIGNED(long, l, (-9223372036854775807L - 1), 9223372036854775807L)
QK_SIGNED(long long, ll, (-9223372036854775807LL - 1), 9223372036854775807LL)
QK_UNSIGNED(unsigned, u)
QK_UNSIGNED(unsigned long, ul)
QK_UNSIGNED(unsigned long long, ull)
"#;
