/* Conversions, checks and wrap-around. */
int sum(int a, int b) { return a + b; }
unsigned usum(unsigned a, unsigned b) { return a + b; }
int mixed(char c, unsigned short s, long l) { return (int)(c * s + l); }
int quotient(int a, int b) { return a / b % 7; }
int shifts(int a, unsigned char n) { return (a << n) >> 3; }
int truncate(double d) { return (int)d; }
float narrow(double d, int i) { return (float)d + i; }
_Bool truth(int a, double d) { return a && d; }
char wrap(char c) { return ++c; }
long compare(unsigned a, int b) { return a < b; }
