/* The numbers of these programs. With NARROW there are so few of them that all inputs can be tried. */
#ifdef NARROW
typedef signed char word;
typedef int wide;
#define LARGEST 127
#else
typedef int word;
typedef long long wide;
#define LARGEST 30000
#endif
