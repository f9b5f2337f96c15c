/* Loops over numbers of a byte: so few inputs that all of them can be run. Some assertions hold, some do not, and some
   are never reached. */
#include <assert.h>
typedef unsigned char byte;
typedef signed char word;

void product(byte a, byte b)
{
    byte sum = 0;
    for (byte i = 0; i != b; i++)
        sum += a;
    assert(sum == (byte)(a * b));
}

void divisor(word a, word b)
{
    word x = a, y = b;
    if (a <= 0 || b <= 0)
        return;
    while (x != y) {
        if (x > y)
            x -= y;
        else
            y -= x;
        assert(x > 0 && y > 0);
    }
    assert(x <= a && x <= b);
    assert(x < a || x < b || a == b);
    assert(x < 64 || a == b);
    assert(x < 60 || x > 63);
}

void quotient(byte n, byte d)
{
    byte rest = n, count = 0;
    if (d == 0)
        return;
    while (rest >= d) {
        rest -= d;
        count++;
    }
    assert(rest < d);
    assert((byte)(count * d + rest) == n);
    assert(count < 255);
}

void doubled(byte n, byte m)
{
    byte p = 1;
    while (p < n && p < 128)
        p *= 2;
    assert((p & (p - 1)) == 0);
    assert(p >= n || p == 128);
    if (p == 96)
        assert(m == 3);
}

void bits(byte x, byte y)
{
    int n = 0, ones = 0;
    while (x) {
        ones += x & 1;
        x >>= 1;
        n++;
    }
    assert(ones <= n && n <= 8);
    assert(ones + y < 263);
    assert(n > 0 || ones == 0);
}

void triangular(byte n, byte m)
{
    byte i = 0, sum = 0;
    while (i < n) {
        i++;
        sum += i;
    }
    assert(i == n);
    assert(sum == (byte)((n + 1) * n / 2));
    assert(sum != m || n != 250 || sum < 200);
}

void strides(word start, word end)
{
    word i = start;
    int turns = 0;
    while (i < end) {
        i = (word)(i + 3);
        if (++turns > 200)
            return;
    }
    assert(i >= end);
    assert((i - start) % 3 == 0 || i < start);
    assert(i <= 127 - 2 || end > 100);
}

void ends(byte n, byte m)
{
    byte i = 0, j = n;
    while (i < j) {
        i++;
        j--;
    }
    assert((byte)(i + j) == n);
    assert(i - j <= 1 && j <= i);
    assert(i == j || m != 7);
}

void middle(byte n, byte wanted)
{
    byte low = 0, high = n;
    while (low < high) {
        byte mid = low + (high - low) / 2;
        assert(mid >= low && mid < high);
        if (mid < wanted)
            low = mid + 1;
        else
            high = mid;
    }
    assert(low == high && low <= n);
    assert(low == wanted || wanted > n);
}

void middle_that_wraps(byte n, byte wanted)
{
    byte low = 0, high = n;
    int turns = 0;
    while (low < high && turns++ < 20) {
        byte mid = (byte)(low + high) / 2;
        assert(mid < high);
        assert(mid >= low);
        if (mid < wanted)
            low = mid + 1;
        else
            high = mid;
    }
}

void odd_sums(byte n, byte m)
{
    byte sum = 0, odd = 1;
    for (byte i = 0; i < n; i++) {
        sum += odd;
        odd += 2;
    }
    assert(sum == (byte)(n * n));
    assert((odd & 1) == 1);
    assert(odd != m || m != 4);
}

void level(byte moves, byte more)
{
    int level = 3;
    while (moves) {
        if (moves & 1) {
            if (level < 6)
                level++;
        } else if (level > 0)
            level--;
        moves >>= 1;
        assert(level >= 0 && level <= 6);
    }
    assert(level > 0 || more > 10);
    if (level > 6)
        assert(more == 0);
}

void nested(word n, word m)
{
    int cells = 0, rows = 0;
    for (word i = 0; i < n; i++) {
        rows++;
        for (word j = 0; j < m; j++) {
            cells++;
            assert(rows >= 1 && j < m);
        }
    }
    assert(rows == n || n < 0);
    assert(cells >= 0);
}
