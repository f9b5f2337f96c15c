//! Allocations that fail in a test: functions of the test file stand in for `malloc` and its relatives.
//!
//! A test says which of its allocations fail, behind those that it makes itself. The file has nothing of this if no test
//! needs it.

use std::collections::BTreeSet;

use quipu_cover::{FunctionReport, Test};
use quipu_inputs::{Request, TargetList, functions_by_address};
use quipu_interp::InputKind;
use quipu_ir::{Func, Module};

struct Allocator {
    name: &'static str,
    headers: &'static [&'static str],
    /// Another one that it is written with.
    needs: Option<&'static str>,
    text: &'static str,
}

const ALLOCATORS: [Allocator; 11] = [
    Allocator {
        name: "malloc",
        headers: &[],
        needs: None,
        text: "\
static void *quipu_malloc(size_t size)
{
    return size <= PTRDIFF_MAX && quipu_refuses() ? NULL : malloc(size);
}
",
    },
    Allocator {
        name: "calloc",
        headers: &[],
        needs: None,
        text: "\
static void *quipu_calloc(size_t count, size_t size)
{
    int fits = size == 0 || count <= PTRDIFF_MAX / size;
    return fits && quipu_refuses() ? NULL : calloc(count, size);
}
",
    },
    Allocator {
        name: "realloc",
        headers: &[],
        needs: None,
        text: "\
static void *quipu_realloc(void *old, size_t size)
{
    int frees = old != NULL && size == 0;
    return !frees && size <= PTRDIFF_MAX && quipu_refuses() ? NULL : realloc(old, size);
}
",
    },
    Allocator {
        name: "reallocarray",
        headers: &[],
        needs: Some("realloc"),
        text: "\
static void *quipu_reallocarray(void *old, size_t count, size_t size)
{
    if (size == 0 || count <= SIZE_MAX / size)
        return quipu_realloc(old, count * size);
    errno = ENOMEM;
    return NULL;
}
",
    },
    Allocator {
        name: "aligned_alloc",
        headers: &[],
        needs: None,
        text: "\
static void *quipu_aligned_alloc(size_t align, size_t size)
{
    int fits = align != 0 && (align & (align - 1)) == 0 && size <= PTRDIFF_MAX;
    return fits && quipu_refuses() ? NULL : aligned_alloc(align, size);
}
",
    },
    Allocator {
        name: "memalign",
        headers: &["malloc.h"],
        needs: None,
        text: "\
static void *quipu_memalign(size_t align, size_t size)
{
    int fits = align != 0 && (align & (align - 1)) == 0 && size <= PTRDIFF_MAX;
    return fits && quipu_refuses() ? NULL : memalign(align, size);
}
",
    },
    Allocator {
        name: "posix_memalign",
        headers: &[],
        needs: None,
        text: "\
static int quipu_posix_memalign(void **place, size_t align, size_t size)
{
    int fits = align % sizeof(void *) == 0 && align != 0 && (align & (align - 1)) == 0 && size <= PTRDIFF_MAX;
    return fits && quipu_refuses() ? ENOMEM : posix_memalign(place, align, size);
}
",
    },
    Allocator { name: "strdup", headers: &["string.h"], needs: None, text: STRDUP },
    Allocator { name: "__strdup", headers: &["string.h"], needs: Some("strdup"), text: "" },
    Allocator { name: "strndup", headers: &["string.h"], needs: None, text: STRNDUP },
    Allocator { name: "__strndup", headers: &["string.h"], needs: Some("strndup"), text: "" },
];

const STRDUP: &str = "\
static char *quipu_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = quipu_refuses() ? NULL : malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}
";

const STRNDUP: &str = "\
static char *quipu_strndup(const char *text, size_t most)
{
    const char *end = memchr(text, 0, most);
    size_t length = end == NULL ? most : (size_t)(end - text);
    char *copy = quipu_refuses() ? NULL : malloc(length + 1);
    if (copy == NULL)
        return NULL;
    copy[length] = 0;
    return memcpy(copy, text, length);
}
";

const SHARED: &str = "\
/* Which of the next allocations of the source fail: the lowest bit stands for the first of them. */
static unsigned long quipu_refused;

static int quipu_refuses(void)
{
    int refused = (int)(quipu_refused & 1);
    quipu_refused >>= 1;
    if (refused)
        errno = ENOMEM;
    return refused;
}
";

/// What stands in for the functions that allocate memory.
pub(crate) struct Allocators {
    /// Those that the source uses.
    used: Vec<&'static Allocator>,
    /// Those of which it, or a test, uses the address.
    by_address: BTreeSet<String>,
}

impl Allocators {
    /// Those for the library functions with these names, if an allocation fails in some test.
    pub(crate) fn of(module: &Module, library: &BTreeSet<String>, reports: &[FunctionReport]) -> Allocators {
        let mut tests = reports.iter().flat_map(|report| &report.tests);
        let needed = tests.any(|test| test.observation.requests.iter().any(is_refused));
        let is_used = |one: &&Allocator| needed && library.contains(one.name);
        let name = |func: Func| module.functions[func].source_name.clone();
        let leaves = reports.iter().flat_map(|report| report.interface.leaves.iter());
        let pointed_to = leaves.filter_map(|leaf| leaf.targets.as_ref()).flat_map(TargetList::functions);
        let by_address = functions_by_address(module).into_iter().chain(pointed_to).map(name).collect();
        Allocators { used: ALLOCATORS.iter().filter(is_used).collect(), by_address }
    }

    /// The headers that they need.
    pub(crate) fn headers(&self) -> BTreeSet<&'static str> {
        let shared = ["errno.h", "stdint.h", "stdlib.h"].into_iter().filter(|_| !self.used.is_empty());
        self.used.iter().flat_map(|one| one.headers.iter().copied()).chain(shared).collect()
    }

    /// Their definitions, and macros by which the source calls them.
    pub(crate) fn text(&self) -> String {
        if self.used.is_empty() {
            return String::new();
        }
        let is_written = |one: &&Allocator| {
            let is_needed = self.used.iter().any(|user| user.needs == Some(one.name));
            !one.text.is_empty() && (is_needed || self.used.iter().any(|used| used.name == one.name))
        };
        let texts = ALLOCATORS.iter().filter(is_written).map(|one| format!("\n{}", one.text));
        let mut text: String = [SHARED.to_string()].into_iter().chain(texts).collect();
        text.push('\n');
        for one in &self.used {
            let (name, plain) = (one.name, one.name.trim_start_matches('_'));
            text.push_str(&match self.by_address.contains(name) {
                true => format!("#define {name} quipu_{plain}\n"),
                false => format!("#define {name}(...) quipu_{plain}(__VA_ARGS__)\n"),
            });
        }
        text
    }

    /// Statements that forget what a test before has left.
    pub(crate) fn reset(&self) -> Option<String> {
        (!self.used.is_empty()).then(|| "quipu_refused = 0;".to_string())
    }

    /// Whether a test can say which of its allocations fail: all of them have a stand-in, or none fails.
    pub(crate) fn can_tell(&self, test: &Test) -> bool {
        let has_one = |request: &Request| self.used.iter().any(|one| one.name == request.function);
        let requests = &test.observation.requests;
        let mut asked = requests.iter().filter(|request| request.kind == InputKind::Refusal);
        !requests.iter().any(is_refused) || asked.all(has_one)
    }

    /// The statement that says which allocations of a test fail.
    pub(crate) fn statement(&self, test: &Test) -> Option<String> {
        let asked = test.observation.requests.iter().filter(|request| request.kind == InputKind::Refusal);
        let failing: Vec<usize> =
            asked.enumerate().filter(|(_, request)| is_refused(request)).map(|(n, _)| n).collect();
        let bits = failing.iter().fold(0u64, |bits, n| bits | 1 << n);
        let numbers: Vec<String> = failing.iter().map(|n| (n + 1).to_string()).collect();
        let which = match &numbers[..] {
            [] => return None,
            [one] => format!("allocation {one} fails"),
            several => format!("allocations {} fail", several.join(", ")),
        };
        Some(format!("quipu_refused = {bits:#x}; /* {which} */"))
    }
}

/// Whether a library function allocates memory.
pub(crate) fn is_allocator(name: &str) -> bool {
    ALLOCATORS.iter().any(|one| one.name == name)
}

fn is_refused(request: &Request) -> bool {
    request.kind == InputKind::Refusal && request.bits != 0
}
