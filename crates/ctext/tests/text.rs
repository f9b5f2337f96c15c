//! The text itself: what a reader of a generated test sees.

use quipu_base::IdVec;
use quipu_cfront::{Options, compile_source};
use quipu_ctext::{declare, literal, prototype};
use quipu_ir::{Module, SourceType, SourceTypes, TypeId};

const SOURCE: &str = r#"
typedef struct { int x, y; } point;
typedef enum { RED, GREEN = 5, BLUE = -1 } color;
typedef enum color_mode { PLAIN, BRIGHT } mode;
struct node { struct node *next; point at; };
union either { int i; float f; };
struct { int a; } nameless;

int i; unsigned char *p; int (*rows)[4]; int *cells[4]; int (*callback)(int, char *); _Bool flag;
struct node n; union either e; color c; mode m; point o; double table[2][3]; float *(*makers[3])(void);
char *(*(*deep)(int (*)(double), ...))[5];

int tritype(int i, int j, int k) { return i + j + k; }
void nothing(void) {}
point *first(point p, struct node *list, color) { return &list->at; }
int sum(int a[10], int m[3][4], int b[], char *names[static 2]) { return a[0] + m[0][0] + b[0] + names[0][0]; }
int total(const char *format, ...) { return format[0]; }
int (*chosen(int which))(int, char *) { return which ? callback : 0; }
struct node build(int p1, int, int p0) { return n; }
short old(a, b, c) char a; float b; long c; { return a + (int)b + c; }
int hidden(__builtin_va_list list) { return 0; }
int unknown();
long ask(void) { return unknown(1, 2.0f, &i, 3L); }
int anonymous(void) { return nameless.a; }
"#;

fn module() -> Module {
    compile_source("t.c", SOURCE.into(), &Options::default())
        .unwrap_or_else(|failure| panic!("{failure}"))
        .module
}

fn type_of(module: &Module, name: &str) -> TypeId {
    module.globals.iter().find(|global| global.name == name).unwrap_or_else(|| panic!("{name}")).ty
}

#[test]
fn declarators_read_like_the_source() {
    let module = module();
    for expected in [
        "int i",
        "unsigned char *p",
        "int (*rows)[4]",
        "int *cells[4]",
        "int (*callback)(int, char *)",
        "_Bool flag",
        "struct node n",
        "union either e",
        "color c",
        "enum color_mode m",
        "point o",
        "double table[2][3]",
        "float *(*makers[3])(void)",
        "char *(*(*deep)(int (*)(double), ...))[5]",
    ] {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let global =
            expected.split(|c| !is_name(c)).find(|word| module.globals.iter().any(|g| g.name == *word));
        let ty = type_of(&module, global.unwrap());
        assert_eq!(declare(&module.types, ty, global.unwrap()).unwrap(), expected);
    }
}

#[test]
fn a_type_without_a_name_is_as_in_a_cast() {
    let module = module();
    let abstracts = ["p", "rows", "callback", "n", "table"].map(|name| {
        let ty = type_of(&module, name);
        declare(&module.types, ty, "").unwrap()
    });
    assert_eq!(
        abstracts,
        ["unsigned char *", "int (*)[4]", "int (*)(int, char *)", "struct node", "double[2][3]"]
    );
}

#[test]
fn a_type_that_cannot_be_named_has_no_declaration() {
    let mut module = module();
    let nameless = type_of(&module, "nameless");
    assert_eq!(declare(&module.types, nameless, "x"), None);
    let pointer = module.types.push(SourceType::Pointer { to: nameless });
    assert_eq!(declare(&module.types, pointer, "x"), None);
    let vector = module.types.push(SourceType::Unsupported("__m128".to_string()));
    assert_eq!(declare(&module.types, vector, "x"), None);
}

#[test]
fn prototypes_read_like_the_source() {
    let module = module();
    for (name, expected) in [
        ("tritype", Some("int tritype(int i, int j, int k)")),
        ("nothing", Some("void nothing(void)")),
        ("first", Some("point *first(point p, struct node *list, color p2)")),
        ("sum", Some("int sum(int a[10], int m[3][4], int *b, char *names[2])")),
        ("total", Some("int total(const char *format, ...)")),
        ("chosen", Some("int (*chosen(int which))(int, char *)")),
        ("build", Some("struct node build(int p1, int p1_, int p0)")),
        ("old", Some("short old(int a, double b, long c)")),
        ("unknown", Some("int unknown(int p0, double p1, void *p2, long p3)")),
        ("hidden", None),
    ] {
        assert_eq!(prototype(&module, module.function(name).unwrap()).as_deref(), expected, "{name}");
    }
}

fn integer(name: &str, bits: u32, signed: bool) -> SourceType {
    SourceType::Int { name: name.to_string(), bits, signed }
}

/// The literal of a value in a table that has only its type.
fn literal_of(ty: SourceType, bits: u64) -> String {
    let mut types: SourceTypes = IdVec::new();
    let ty = types.push(ty);
    literal(&types, ty, bits).unwrap()
}

#[test]
fn integers_are_decimal_with_the_suffix_of_their_type() {
    for (name, width, signed, bits, expected) in [
        ("int", 32, true, 0xffff_ffff, "-1"),
        ("int", 32, true, 0x8000_0000, "(-2147483647 - 1)"),
        ("unsigned int", 32, false, 7, "7U"),
        ("long", 64, true, 5, "5L"),
        ("long", 32, true, 0x8000_0000, "(-2147483647L - 1)"),
        ("long", 64, true, 1 << 63, "(-9223372036854775807L - 1)"),
        ("long long", 64, true, 1 << 63, "(-9223372036854775807LL - 1)"),
        ("unsigned long", 64, false, u64::MAX, "18446744073709551615UL"),
        ("unsigned long long", 64, false, 0, "0ULL"),
        ("short", 16, true, 0x8000, "-32768"),
        ("unsigned short", 16, false, 0x8000, "32768"),
    ] {
        assert_eq!(literal_of(integer(name, width, signed), bits), expected);
    }
}

#[test]
fn only_plain_characters_are_characters() {
    let char_of = |bits| literal_of(integer("char", 8, true), bits);
    assert_eq!(
        [b'a', b' ', b'\'', b'"', b'\\', 0, b'\n'].map(|c| char_of(c.into())),
        [r"'a'", r"' '", r"'\''", r#"'"'"#, r"'\\'", r"'\0'", r"'\n'"]
    );
    assert_eq!([1, 127, 128, 255].map(char_of), ["1", "127", "-128", "-1"]);
    assert_eq!(literal_of(integer("char", 8, false), 255), "255");
    assert_eq!(literal_of(integer("unsigned char", 8, false), 97), "97");
    assert_eq!(literal_of(integer("signed char", 8, true), 97), "97");
    assert_eq!(literal_of(SourceType::Bool, 1), "1");
}

#[test]
fn enumerators_have_names() {
    let module = module();
    let of = |name, bits| literal(&module.types, type_of(&module, name), bits).unwrap();
    assert_eq!(of("c", 5), "GREEN");
    assert_eq!(of("c", 0xffff_ffff), "BLUE");
    assert_eq!(of("c", 7), "(color)7");
    assert_eq!(of("m", 1), "BRIGHT");
    assert_eq!(of("m", 0xffff_ffff), "(enum color_mode)4294967295LL");
    let untagged = SourceType::Enum { tag: None, bits: 32, signed: true, enumerators: Vec::new() };
    assert_eq!(literal_of(untagged, 7), "7");
    let wide = |signed, bits| {
        let enumerators = vec![("LAST".to_string(), -1)];
        literal_of(SourceType::Enum { tag: Some("w".to_string()), bits: 64, signed, enumerators }, bits)
    };
    assert_eq!(wide(false, u64::MAX), "LAST");
    assert_eq!(wide(false, u64::MAX - 1), "(enum w)18446744073709551614ULL");
    assert_eq!(wide(true, 1 << 63), "(enum w)(-9223372036854775807LL - 1)");
}

#[test]
fn floats_are_the_shortest_that_read_back() {
    let double = |value: f64| literal_of(SourceType::Float { bits: 64 }, value.to_bits());
    let float = |value: f32| literal_of(SourceType::Float { bits: 32 }, value.to_bits().into());
    assert_eq!([0.1, -0.0, 1e300, 5e-324, 3.0].map(double), ["0.1", "-0.0", "1e300", "5e-324", "3.0"]);
    assert_eq!([0.1, 16777216.0, 1e-45].map(float), ["0.1f", "16777216.0f", "1e-45f"]);
    assert_eq!(double(f64::INFINITY), "__builtin_inf()");
    assert_eq!(float(f32::NEG_INFINITY), "-__builtin_inff()");
    assert_eq!(literal_of(SourceType::Float { bits: 64 }, 0x7ff8 << 48), "__builtin_nan(\"\")");
    assert_eq!(literal_of(SourceType::Float { bits: 32 }, 0xffc0_0012), "-__builtin_nanf(\"0x12\")");
}

#[test]
fn pointers_are_null_or_a_cast_address() {
    let module = module();
    let of = |name, bits| literal(&module.types, type_of(&module, name), bits);
    assert_eq!(of("p", 0).unwrap(), "(void *)0");
    assert_eq!(of("rows", 4096).unwrap(), "(int (*)[4])4096UL");
    assert_eq!(of("n", 0), None);
}
