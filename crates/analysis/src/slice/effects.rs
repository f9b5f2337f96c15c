//! What single instructions do to memory, and to the world outside.

use quipu_base::IdVec;
use quipu_ir::{Body, Callee, Check, Func, Inst, InstKind, Module, Ty, Value};
use rustc_hash::FxHashMap;

use crate::points_to::{ALL_BYTES, Callees, Effect, Object, Offset, PointsTo, Site, TargetSet, effect_of};

/// A part of memory that is read or written.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub targets: TargetSet,
    /// The bytes behind each target.
    pub len: i64,
}

/// What an instruction does besides computing its result.
#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    pub reads: Vec<Access>,
    pub changes: Vec<Access>,
    /// Objects whose lives it ends.
    pub ends: Vec<Access>,
    /// Objects that it must find alive or not, as their addresses are compared.
    pub compares: Vec<Access>,
    pub outside: Outside,
}

/// What an instruction has to do with the world outside. Of what shares a state there, all matters if one does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Outside {
    #[default]
    Nothing,
    /// A function without code that keeps no state but `errno`.
    Quiet,
    /// It reads `errno`, which any function of the library may have set.
    Errno,
    /// It allocates: whether that fails depends on how many allocations there were.
    Allocates,
    /// It asks for something, or keeps a state of its own.
    Asks,
}

impl Effects {
    pub fn writes(&self) -> bool {
        !self.changes.is_empty() || !self.ends.is_empty()
    }

    fn is_nothing(&self) -> bool {
        !self.writes()
            && self.reads.is_empty()
            && self.compares.is_empty()
            && self.outside == Outside::Nothing
    }
}

/// The effects of all instructions, and the functions that calls enter.
pub(super) struct Found {
    pub effects: FxHashMap<Site, Effects>,
    pub callees: FxHashMap<Site, Vec<Func>>,
}

/// The effects of a program; none if it does something that slices do not know.
pub(super) fn collect(module: &Module, points_to: &PointsTo<'_>) -> Option<Found> {
    let mut found = Found { effects: FxHashMap::default(), callees: FxHashMap::default() };
    for func in points_to.functions() {
        let body = module.functions[func].code().expect("functions that run have code");
        let values = points_to.values(func).expect("functions that run are known");
        let known = points_to.each_step(func, |site, step, reached| {
            let inst = &body.blocks[site.block].insts[site.inst];
            let reads_pointers = step.numbers && !matches!(inst.kind, InstKind::PtrToInt(_));
            if reads_pointers || !step.handlers.is_empty() {
                return false;
            }
            let mut effects = effects_of(module, func, values, inst);
            if let InstKind::Call(callee, _) = inst.kind {
                let mut entered: Vec<Func> = step.entered.iter().map(|call| call.callee).collect();
                entered.sort_unstable();
                entered.dedup();
                found.callees.insert(site, entered);
                if leaves_the_program(module, callee, &step.callees) {
                    if let Callee::Indirect(_) = callee {
                        effects.outside = Outside::Asks;
                    }
                    effects.reads.push(whole(reached));
                    effects.changes.push(whole(step.written.iter().copied()));
                }
            }
            if !effects.is_nothing() {
                found.effects.insert(site, effects);
            }
            true
        });
        if !known {
            return None;
        }
    }
    Some(found)
}

/// Whether two accesses may be to the same bytes.
pub(super) fn conflict(points_to: &PointsTo<'_>, a: &Access, b: &Access) -> bool {
    if a.targets.may_be_unknown() || b.targets.may_be_unknown() {
        return true;
    }
    let is_input = |object: Object| matches!(object, Object::Input(_) | Object::Outside);
    a.targets.places().any(|(one, at)| {
        b.targets.places().any(|(other, there)| {
            if one == other && one != Object::Outside {
                return at.distances(there, 1 - b.len, a.len);
            }
            let shared = points_to.is_shared(one) && points_to.is_shared(other);
            shared && (is_input(one) || is_input(other))
        })
    })
}

fn effects_of(module: &Module, func: Func, values: &IdVec<Value, TargetSet>, inst: &Inst) -> Effects {
    let mut effects = Effects::default();
    let body = module.functions[func].code().expect("functions that run have code");
    let access = |value: Value, len: i64| Access { targets: values[value].clone(), len };
    let bytes = |ty: Ty| module.data_model.size_of(ty) as i64;
    let size = |size: u64| i64::try_from(size).unwrap_or(ALL_BYTES);
    let field = |bit: u32, value: Option<Value>| {
        let bits = value.and_then(|value| body.ty(value).width()).map_or(64, quipu_num::Width::bits);
        i64::from((bit + bits).div_ceil(8))
    };
    match &inst.kind {
        InstKind::Load { ptr, .. } => {
            let len = inst.result.map_or(ALL_BYTES, |result| bytes(body.ty(result)));
            effects.reads.push(access(*ptr, len));
        }
        InstKind::LoadBits { ptr, bit, .. } => effects.reads.push(access(*ptr, field(*bit, inst.result))),
        InstKind::Store { ptr, value, .. } => effects.changes.push(access(*ptr, bytes(body.ty(*value)))),
        InstKind::StoreBits { ptr, bit, value } => {
            effects.changes.push(access(*ptr, field(*bit, Some(*value))));
        }
        InstKind::Copy { dst, src, size: n } => {
            effects.reads.push(access(*src, size(*n)));
            effects.changes.push(access(*dst, size(*n)));
        }
        InstKind::Zero { dst, size: n } | InstKind::Unspecify { dst, size: n } => {
            effects.changes.push(access(*dst, size(*n)))
        }
        InstKind::SlotEnd(slot) => effects.ends.push(whole([Object::Slot(func, *slot)])),
        InstKind::IntCmp(_, a, b) | InstKind::PtrDiff(a, b) | InstKind::Check(Check::SameObject, a, b)
            if body.ty(*a) == Ty::Ptr =>
        {
            effects.compares.extend([access(*a, ALL_BYTES), access(*b, ALL_BYTES)].map(anywhere));
        }
        InstKind::PtrToInt(a) => effects.compares.push(anywhere(access(*a, ALL_BYTES))),
        InstKind::Call(Callee::Direct(func), args) if module.functions[*func].code().is_none() => {
            let name = module.functions[*func].source_name.as_str();
            effects.outside = outside(name);
            if ["free", "cfree", "realloc", "reallocarray"].contains(&plain_name(name)) {
                effects.ends.extend(args.first().map(|&block| anywhere(access(block, ALL_BYTES))));
            }
        }
        _ => {}
    }
    if body.asks_outside(inst) {
        effects.outside = Outside::Asks;
    }
    effects
}

fn whole(objects: impl IntoIterator<Item = Object>) -> Access {
    let mut targets = TargetSet::nothing();
    for object in objects {
        targets.add(object, Offset::ANY);
    }
    Access { targets, len: ALL_BYTES }
}

/// An access to the whole objects behind a pointer.
fn anywhere(access: Access) -> Access {
    Access { targets: access.targets.moved(Offset::ANY), ..access }
}

/// Whether a call may go to a function without code.
fn leaves_the_program(module: &Module, callee: Callee, callees: &Callees) -> bool {
    let has_code = |func: Func| matches!(module.functions[func].body, Body::Defined(_));
    match callee {
        Callee::Direct(func) => !has_code(func),
        Callee::Indirect(_) => callees.unknown || !callees.functions.iter().all(|&func| has_code(func)),
    }
}

const PREFIXES: [&str; 2] = ["__builtin_", "__"];

/// The name of a function of the library without what compilers put in front of it.
fn plain_name(source_name: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| source_name.strip_prefix(prefix)).unwrap_or(source_name)
}

/// What a function without code has to do with the world, by its name in the source.
fn outside(source_name: &str) -> Outside {
    let name = plain_name(source_name);
    if ["errno_location", "error"].contains(&name) {
        return Outside::Errno;
    }
    if ["VERIFIER_assume", "VERIFIER_assert", "assume", "quipu_claim"].contains(&name) || is_numeric(name) {
        return Outside::Quiet;
    }
    let keeps_state = [
        "getchar",
        "getc",
        "fgetc",
        "ungetc",
        "feof",
        "clearerr",
        "fgets",
        "gets",
        "fread",
        "read",
        "srand",
        "srandom",
        "fopen",
        "fopen64",
        "fclose",
        "ferror",
        "fflush",
        "getenv",
        "secure_getenv",
    ];
    if keeps_state.contains(&name) {
        return Outside::Asks;
    }
    match effect_of(source_name) {
        Some(
            Effect::Allocates { .. } | Effect::Duplicates | Effect::Reallocates | Effect::StoresAllocation,
        ) => Outside::Allocates,
        Some(Effect::Anything | Effect::AtExit) | None => Outside::Asks,
        Some(_) => Outside::Quiet,
    }
}

/// Whether a function computes a number from numbers.
fn is_numeric(name: &str) -> bool {
    const INTEGERS: [&str; 22] = [
        "abs", "labs", "llabs", "imaxabs", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph",
        "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", "isascii",
        "toascii", "ffs", "ffsl",
    ];
    const FLOATS: [&str; 45] = [
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "sqrt",
        "cbrt",
        "hypot",
        "fabs",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "lround",
        "llround",
        "lrint",
        "llrint",
        "fmod",
        "remainder",
        "fmin",
        "fmax",
        "fdim",
        "fma",
        "copysign",
        "nextafter",
        "ldexp",
        "erf",
    ];
    let plain = name.strip_suffix('f').unwrap_or(name);
    INTEGERS.contains(&name) || FLOATS.contains(&name) || FLOATS.contains(&plain)
}
