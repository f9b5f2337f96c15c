//! The C compiler reads the text as what it was made from, and has nothing to warn about.

mod random;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use quipu_cfront::{Options, compile_source};
use quipu_ctext::{declare, literal, prototype};
use quipu_ir::{Module, SourceType, SourceTypes, TypeId};
use random::Random;

/// A C file of the test's own.
fn write(name: &str, text: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ctext");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs the compiler with all warnings as errors.
fn compile(source: &Path, flags: &[&str]) {
    let options = Options::default();
    let mut words = options.compiler().split_whitespace();
    let mut command = Command::new(words.next().unwrap());
    let output = command
        .args(words)
        .args(["-std=gnu17", "-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg(source)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
}

fn module_of(text: &str) -> Module {
    let compiled = compile_source("t.c", text.into(), &Options::default());
    compiled.unwrap_or_else(|failure| panic!("{failure}\n{text}")).module
}

const DECLARATIONS: &str = r"
typedef unsigned int word;
typedef struct { int x; } point;
typedef enum { RED, GREEN = 5 } color;
typedef int row[4];
typedef int binary(int, int);
enum shade { DARK, LIGHT };
union either { int i; double d; };
struct node { struct node *next; row cells; binary *apply; };

_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; word u; long l;
unsigned long ul; long long ll; unsigned long long ull; float f; double d;
point o; color co; enum shade es; union either ei; struct node no; row r; row *pr; row ar[2];
void *v; char **argv; int (*a1)[3]; int *a2[3]; int (*a3[2])[3]; binary *fp; binary *fps[2]; int (**fpp)(void);
void (*sort)(void *, unsigned long, int (*)(void *, void *)); int (*log_to)(char *, ...); point (*po)(point, color);
int *(*(*(*deep)(int (*)[2]))(binary *))[7]; struct incomplete *inc; union either *(*eis[2][3])(struct node);

int f1(int a, word b2) { return a + (int)b2; }
void f2(void) {}
point f3(struct node n, enum shade e) { point p = { n.cells[0] + (int)e }; return p; }
int f4(int a[10], int m[3][4], row q, row qs[2], char *w[]) { return a[0] + m[0][0] + q[0] + qs[0][0] + w[0][0]; }
int f5(char *format, ...) { return format[0]; }
binary *f6(binary g, binary *h) { return g ? g : h; }
int (*f7(int (*a)[3]))[3] { return a; }
double f8(float x, double y, short z, _Bool t, char ch) { return x + y + z + t + ch; }
";

/// Declares everything once more, by the types that the front end saw: the compiler rejects what does not fit.
#[test]
fn what_is_declared_again_fits_the_source() {
    let module = module_of(DECLARATIONS);
    let mut text = DECLARATIONS.to_string();
    for global in module.globals.iter() {
        let declaration = declare(&module.types, global.ty, &global.name).unwrap();
        let bare = declare(&module.types, global.ty, "").unwrap();
        let name = &global.name;
        writeln!(text, "extern {declaration};").unwrap();
        writeln!(
            text,
            "_Static_assert(__builtin_types_compatible_p(__typeof__({name}), {bare}), \"{name}\");"
        )
        .unwrap();
    }
    for func in module.functions.ids() {
        writeln!(text, "{};", prototype(&module, func).unwrap()).unwrap();
    }
    assert!(module.globals.len() > 30 && module.functions.len() == 8);
    compile(&write("again.c", &text), &["-fsyntax-only"]);
}

/// A function of the old style, called from another file by its prototype, gets its arguments.
#[test]
fn an_old_function_gets_the_prototype_of_its_promoted_parameters() {
    let old = "int old(a, b, c, d) char a; float b; short c; _Bool d; { return a + (int)(b * 2) + c + d; }\n";
    let module = module_of(old);
    let prototype = prototype(&module, module.function("old").unwrap()).unwrap();
    assert_eq!(prototype, "int old(int a, double b, int c, int d)");
    let old = write("old.c", old);
    let caller = format!("{prototype};\nint main(void) {{ return old('\\1', 2.5, -3, 1); }}\n");
    let caller = write("caller.c", &caller);
    let program = caller.with_extension("exe");
    compile(&caller, &[old.to_str().unwrap(), "-o", program.to_str().unwrap()]);
    assert_eq!(Command::new(&program).status().unwrap().code(), Some(1 + 5 - 3 + 1));
}

#[test]
fn random_types_are_read_back() {
    let mut random = Random::new(1);
    let mut types = random::named_types();
    let drawn: Vec<TypeId> = (0..400).map(|_| random.object_type(&mut types, 5)).collect();
    let mut text = random::NAMED_TYPES.to_string();
    for (n, &ty) in drawn.iter().enumerate() {
        writeln!(text, "{};", declare(&types, ty, &format!("v{n}")).unwrap()).unwrap();
    }
    let module = module_of(&text);
    for (n, &ty) in drawn.iter().enumerate() {
        let name = format!("v{n}");
        let read = module.globals.iter().find(|global| global.name == name).unwrap().ty;
        let bare = declare(&types, ty, "").unwrap();
        assert!(same(&types, ty, &module.types, read), "{}", declare(&types, ty, &name).unwrap());
        writeln!(
            text,
            "_Static_assert(__builtin_types_compatible_p(__typeof__({name}), {bare}), \"{name}\");"
        )
        .unwrap();
    }
    compile(&write("types.c", &text), &["-fsyntax-only"]);
}

/// Whether types of two tables are the same by structure, and records and enumerations by name.
fn same(a_types: &SourceTypes, a: TypeId, b_types: &SourceTypes, b: TypeId) -> bool {
    let all = |a: TypeId, b: TypeId| same(a_types, a, b_types, b);
    match (&a_types[a], &b_types[b]) {
        (SourceType::Pointer { to: x }, SourceType::Pointer { to: y }) => all(*x, *y),
        (SourceType::Array { element: x, len: m }, SourceType::Array { element: y, len: n }) => {
            m == n && all(*x, *y)
        }
        (
            SourceType::Function { ret: x, params: p, variadic: v, .. },
            SourceType::Function { ret: y, params: q, variadic: w, .. },
        ) => v == w && all(*x, *y) && p.len() == q.len() && p.iter().zip(q).all(|(&x, &y)| all(x, y)),
        (SourceType::Record { tag: x, .. }, SourceType::Record { tag: y, .. })
        | (SourceType::Enum { tag: x, .. }, SourceType::Enum { tag: y, .. }) => x == y,
        (SourceType::Typedef { name: x, .. }, SourceType::Typedef { name: y, .. }) => x == y,
        (a, b) => a == b,
    }
}

/// The program that prints the bytes of objects with these initial values.
fn printer(declarations: &str, values: &[(String, String)]) -> String {
    let mut text = format!("#include <stdio.h>\n#include <string.h>\n{declarations}");
    for (n, (declaration, value)) in values.iter().enumerate() {
        writeln!(text, "static {declaration} = {value};").unwrap();
        writeln!(
            text,
            "static void print{n}(void) {{ unsigned long long b = 0; memcpy(&b, &v{n}, sizeof v{n}); printf(\"%llx\\n\", b); }}"
        )
        .unwrap();
    }
    text.push_str("int main(void)\n{\n");
    (0..values.len()).for_each(|n| writeln!(text, "    print{n}();").unwrap());
    text + "    return 0;\n}\n"
}

fn is_float(types: &SourceTypes, ty: TypeId) -> bool {
    matches!(types[ty], SourceType::Float { .. })
}

/// Static objects with random values hold the bits that the values were made from; where C has literals of a type,
/// they have that type.
#[test]
fn random_literals_have_their_values() {
    let mut random = Random::new(2);
    let mut types = random::named_types();
    let mut values = Vec::new();
    let mut bits = Vec::new();
    let mut asserts = String::new();
    for n in 0..1500 {
        let ty = random.scalar_type(&mut types);
        let value = random.bits_of(&types, ty);
        let text = literal(&types, ty, value).unwrap();
        let bare = declare(&types, ty, "").unwrap();
        let is_wide = matches!(types[ty], SourceType::Int { bits: 32.., .. }) || is_float(&types, ty);
        if is_wide {
            writeln!(
                asserts,
                "_Static_assert(__builtin_types_compatible_p(__typeof__({text}), {bare}), \"{n}\");"
            )
            .unwrap();
        }
        values.push((declare(&types, ty, &format!("v{n}")).unwrap(), text));
        bits.push(value);
    }
    let source = printer(random::NAMED_TYPES, &values) + &asserts;
    let source = write("literals.c", &source);
    let program = source.with_extension("exe");
    compile(&source, &["-o", program.to_str().unwrap()]);
    let output = Command::new(&program).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let read: Vec<u64> = printed.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect();
    assert_eq!(read.len(), bits.len());
    for ((read, bits), (declaration, text)) in read.iter().zip(&bits).zip(&values) {
        assert_eq!(read, bits, "{declaration} = {text}");
    }
}

/// Arguments take the literals without a warning even where every change of a value is one.
#[test]
fn literals_are_arguments_without_conversions() {
    let mut random = Random::new(3);
    let mut types = random::named_types();
    let mut text = random::NAMED_TYPES.to_string();
    for n in 0..500 {
        let ty = random.scalar_type(&mut types);
        let value = random.bits_of(&types, ty);
        let param = declare(&types, ty, "p").unwrap();
        let value = literal(&types, ty, value).unwrap();
        writeln!(text, "extern void f{n}({param});\nextern void call{n}(void);").unwrap();
        writeln!(text, "void call{n}(void) {{ f{n}({value}); }}").unwrap();
    }
    compile(&write("arguments.c", &text), &["-Wconversion", "-Wsign-conversion", "-c", "-o", "/dev/null"]);
}
