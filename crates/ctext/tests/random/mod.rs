//! Random types and values, the same ones in every run.

use quipu_ir::{RecordKind, SourceType, SourceTypes, TypeId};

/// What [`named_types`] is in C.
pub const NAMED_TYPES: &str = "\
struct node { int x; };
union either { int i; };
enum shade { DARK, LIGHT = 7, GLARING = -3 };
enum large { HUGE = 0x7fffffffffffffff, SMALL = -5 };
typedef struct { int y; } point;
typedef enum { RED, GREEN = 5 } color;
";

/// The types with names that the C text of a test starts with.
pub fn named_types() -> SourceTypes {
    let mut types = SourceTypes::new();
    let record = |kind, tag: Option<&str>| SourceType::Record {
        kind,
        tag: tag.map(str::to_string),
        size: Some(4),
        align: 4,
        fields: Vec::new(),
    };
    let enumeration = |tag: Option<&str>, bits, signed, values: &[(&str, i64)]| SourceType::Enum {
        tag: tag.map(str::to_string),
        bits,
        signed,
        enumerators: values.iter().map(|&(name, value)| (name.to_string(), value)).collect(),
    };
    types.push(record(RecordKind::Struct, Some("node")));
    types.push(record(RecordKind::Union, Some("either")));
    types.push(enumeration(Some("shade"), 32, true, &[("DARK", 0), ("LIGHT", 7), ("GLARING", -3)]));
    types.push(enumeration(Some("large"), 64, true, &[("HUGE", i64::MAX), ("SMALL", -5)]));
    let point = types.push(record(RecordKind::Struct, None));
    types.push(SourceType::Typedef { name: "point".to_string(), of: point });
    let color = types.push(enumeration(None, 32, false, &[("RED", 0), ("GREEN", 5)]));
    types.push(SourceType::Typedef { name: "color".to_string(), of: color });
    types
}

const INTEGERS: [(&str, u32, bool); 11] = [
    ("char", 8, true),
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("int", 32, true),
    ("unsigned int", 32, false),
    ("long", 64, true),
    ("unsigned long", 64, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
];

/// A generator of random numbers (xorshift64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 20) % n
    }

    /// A scalar type that is no pointer.
    pub fn scalar_type(&mut self, types: &mut SourceTypes) -> TypeId {
        let ty = match self.below(16) {
            0 => SourceType::Bool,
            1 | 2 => SourceType::Float { bits: 32 },
            3 | 4 => SourceType::Float { bits: 64 },
            5 => return by_name(types, "shade"),
            6 => return by_name(types, "large"),
            7 => return by_name(types, "color"),
            _ => {
                let (name, bits, signed) = INTEGERS[self.below(INTEGERS.len() as u64) as usize];
                SourceType::Int { name: name.to_string(), bits, signed }
            }
        };
        types.push(ty)
    }

    /// A type that a variable may have, of at most this many parts one inside the other.
    pub fn object_type(&mut self, types: &mut SourceTypes, depth: u32) -> TypeId {
        let ty = match self.below(if depth == 0 { 3 } else { 9 }) {
            0 | 1 => return self.scalar_type(types),
            2 => return by_name(types, ["node", "either", "point"][self.below(3) as usize]),
            3 | 4 => {
                let element = self.object_type(types, depth - 1);
                SourceType::Array { element, len: Some(self.below(5) + 1) }
            }
            5 | 6 => SourceType::Pointer { to: self.function_type(types, depth - 1) },
            7 => SourceType::Pointer { to: types.push(SourceType::Void) },
            _ => SourceType::Pointer { to: self.object_type(types, depth - 1) },
        };
        types.push(ty)
    }

    fn function_type(&mut self, types: &mut SourceTypes, depth: u32) -> TypeId {
        let ret = self.passed_type(types, depth);
        let params: Vec<TypeId> = (0..self.below(4)).map(|_| self.passed_type(types, depth)).collect();
        let variadic = !params.is_empty() && self.below(3) == 0;
        let constant = vec![false; params.len()];
        types.push(SourceType::Function { ret, params, constant, variadic })
    }

    /// A type that is no array, which parameters and results cannot have.
    fn passed_type(&mut self, types: &mut SourceTypes, depth: u32) -> TypeId {
        loop {
            let ty = self.object_type(types, depth);
            if !matches!(types[ty], SourceType::Array { .. }) {
                return ty;
            }
        }
    }

    /// The bits of a value of a scalar type, often a special one.
    pub fn bits_of(&mut self, types: &SourceTypes, ty: TypeId) -> u64 {
        match &types[ty] {
            SourceType::Bool => self.below(2),
            SourceType::Int { bits, .. } | SourceType::Enum { bits, .. } => self.integer(*bits),
            SourceType::Float { bits: 32 } => self.float(23, 0xff),
            SourceType::Float { .. } => self.float(52, 0x7ff),
            SourceType::Typedef { of, .. } => self.bits_of(types, *of),
            other => panic!("no scalar: {other:?}"),
        }
    }

    fn integer(&mut self, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let near = [0, 1 << (bits - 1), mask, 128, 5][self.below(5) as usize];
        let value = match self.below(3) {
            0 => near,
            1 => near.wrapping_add(self.below(9)).wrapping_sub(4),
            _ => self.next() >> self.below(bits.into()),
        };
        value & mask
    }

    /// Sign, exponent and significand, of which the extremes are as likely as all the rest.
    fn float(&mut self, significand_bits: u32, largest_exponent: u64) -> u64 {
        let exponent = match self.below(4) {
            0 => 0,
            1 => largest_exponent,
            2 => largest_exponent / 2 + self.below(30),
            _ => self.below(largest_exponent),
        };
        let mask = (1 << significand_bits) - 1;
        let significand =
            [0, 1, mask, 1 << (significand_bits - 1), self.next() & mask][self.below(5) as usize];
        let sign = self.below(2) << (largest_exponent.count_ones() + significand_bits);
        sign | exponent << significand_bits | significand
    }
}

/// The type with a name or tag.
fn by_name(types: &SourceTypes, wanted: &str) -> TypeId {
    let has_name = |ty: &SourceType| match ty {
        SourceType::Typedef { name, .. } => name == wanted,
        SourceType::Record { tag, .. } | SourceType::Enum { tag, .. } => tag.as_deref() == Some(wanted),
        _ => false,
    };
    types.entries().find(|(_, ty)| has_name(ty)).expect("a type should have the name").0
}
