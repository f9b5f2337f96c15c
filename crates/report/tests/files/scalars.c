#include <stdint.h>
#include <stddef.h>

enum colour { RED, GREEN = 5, BLUE = -2 };
typedef enum { OFF, ON } power;
typedef unsigned char byte;

signed char widen_8(signed char a, unsigned char b) { return (signed char)(a + b); }
unsigned short widen_16(short a, unsigned short b) { return (unsigned short)(a + b); }
unsigned int add_32(int a, unsigned int b) { return (unsigned int)a + b; }
unsigned long long add_64(long a, unsigned long long b) { return (unsigned long long)a + b; }
int64_t smallest(int64_t a, uint8_t b) { return a - b; }
char next_char(char c) { return c == 'z' ? 'a' : (char)(c + 1); }
_Bool both(_Bool a, _Bool b) { return a && b; }
enum colour pick(enum colour c) { return c == RED ? GREEN : BLUE; }
power flip(power p) { return p == ON ? OFF : ON; }
float half(float x) { return x / 2; }
double ratio(double x, double y) { return x / y; }
size_t length(size_t n, byte b) { return n + b; }
