/* Sizes and alignments that gcc gives to records with bit-fields, for both data models. */
#define PACKED __attribute__((__packed__))
#define ALIGNED(n) __attribute__((__aligned__(n)))
#define MEMBERS char c; long long b : 14 ALIGNED(2); char d;
#define IS(type, size, align) \
    _Static_assert(sizeof(type) == (size) && _Alignof(type) == (align), #type)

enum { WORD = sizeof(long) };

/* The attribute moves the bit-field to a multiple of 4, not of the type's alignment. */
struct behind { signed char c; unsigned long b : 14 __attribute__((aligned(4))); };
struct before { signed char c; __attribute__((aligned(4))) unsigned long b : 14; };
struct between { signed char c; unsigned __attribute__((aligned(4))) long b : 14; };
struct by_macro { signed char c; unsigned long b : 14 ALIGNED(4); };
struct standard { signed char c; [[gnu::aligned(4)]] unsigned long b : 14; };
IS(struct behind, 8, WORD);
IS(struct before, 8, WORD);
IS(struct between, 8, WORD);
IS(struct by_macro, 8, WORD);
IS(struct standard, 8, WORD);

struct all_from_macro { MEMBERS };
struct largest { char c; int b : 3 __attribute__((aligned)); };
struct second { char c; unsigned a : 3, b : 4 ALIGNED(2), d : 5; };
struct each { char c; ALIGNED(2) unsigned a : 3, b : 4, d : 5; };
struct unnamed { char c; int : 3 ALIGNED(8); };
struct no_width { char c; short : 0 ALIGNED(8); char d; };
struct packed_too { char c; int b : 3 __attribute__((packed, aligned(2))); char d; };
struct shared { char c; ALIGNED(8) char m, b : 3, n; };
union one { char c; int b : 3 ALIGNED(8); };
IS(struct all_from_macro, 8, WORD);
IS(struct largest, 32, 16);
IS(struct second, 4, 4);
IS(struct each, 8, 4);
IS(struct unnamed, 9, 1);
IS(struct no_width, 9, 1);
IS(struct packed_too, 4, 2);
IS(struct shared, 32, 8);
IS(union one, 8, 8);

struct outer { char c; struct behind in; struct { char d; long e : 9 ALIGNED(1); }; };
typedef struct { char c; struct { short s; long b : 2 ALIGNED(2); } in[2]; } named_later;
IS(struct outer, WORD + 8 + WORD, WORD);
IS(named_later, 3 * WORD, WORD);

/* Under the pragma, bit-fields raise the alignment of the record though it is packed. */
#pragma pack(push, 4)
struct pragma { short m; unsigned b : 13; } __attribute__((packed));
struct PACKED pragma_front { short m; unsigned b : 13; };
struct pragma_mixed { char c; int m, b : 13; struct { char e; int f; }; } PACKED;
struct pragma_in { char c; struct { char d; int e : 2; } PACKED in; };
struct pragma_aligned { char c; int b : 3 ALIGNED(8); } PACKED;
struct pragma_type { char c; PACKED int m, b : 3; };
struct no_bit_fields { char c; int m; } PACKED;
#pragma pack(2)
union pragma_union { long long b : 50 __attribute__((packed)); };
struct plain { char c; int m; };
struct plain_bits { char c; int b : 30; };
#pragma pack(pop)
IS(struct pragma, 4, 4);
IS(struct pragma_front, 4, 4);
IS(struct pragma_mixed, 16, 4);
IS(struct pragma_in, 8, 4);
IS(struct pragma_aligned, 8, 4);
IS(struct pragma_type, 8, 4);
IS(struct no_bit_fields, 5, 1);
IS(union pragma_union, 8, 2);
IS(struct plain, 6, 2);
IS(struct plain_bits, 6, 2);
struct no_pragma { short m; unsigned b : 13; } PACKED;
IS(struct no_pragma, 4, 1);

union one first_member = {7};

int in_a_function(void) {
    struct { char c; long b : 14 ALIGNED(4); } local = {1, 2};
    return sizeof(struct { char c; long b : 14 ALIGNED(4), d : 3; }) + local.b;
}
