//! Enumerations, structs and unions of a generated program.

use super::context::Gen;
use super::types::{EnumDef, Field, FloatKind, IntKind, Record, Type};

/// How a record is declared and referred to.
struct Naming {
    before: String,
    start: String,
    end: String,
    spelling: String,
    /// Whether the name exists before the closing brace, so that a member can point to its own record.
    known_inside: bool,
}

impl Gen<'_> {
    /// Declares the program's enumerations, structs and unions.
    pub(super) fn declare_types(&mut self) {
        for _ in 0..self.rng.below(3) {
            self.declare_enum();
        }
        if !self.features.records {
            return;
        }
        for _ in 0..self.rng.between(1, 4) {
            if self.rng.chance(25) {
                self.declare_union();
            } else {
                self.declare_struct();
            }
        }
        self.declare_size_assertions();
    }

    fn declare_enum(&mut self) {
        let tag = self.global_name("e");
        let mut next = 0;
        let mut constants = Vec::new();
        let mut items = Vec::new();
        for _ in 0..self.rng.between(2, 5) {
            let name = self.global_name("E");
            if self.rng.chance(40) {
                next = self.rng.between(-20, 100);
                items.push(format!("{name} = {next}"));
            } else {
                items.push(name.clone());
            }
            constants.push((name, next));
            next += 1;
        }
        let negative = constants.iter().any(|(_, value)| *value < 0);
        let kind = if negative { IntKind::Int } else { IntKind::UInt };
        self.sections.types.push_str(&format!("enum {tag} {{ {} }};\n", items.join(", ")));
        self.enums.push(EnumDef { tag, constants, kind });
    }

    fn declare_struct(&mut self) {
        let naming = self.draw_naming("struct");
        let id = self.records.len();
        let spelling = naming.spelling.clone();
        self.records.push(Record { spelling, union: false, packed: false, fields: Vec::new() });
        let mut body = String::new();
        let mut fields = Vec::new();
        for _ in 0..self.rng.between(1, 6) {
            if naming.known_inside && self.features.pointers && self.rng.chance(8) {
                self.add_field(&mut body, &mut fields, Type::Record(id).pointer(), true);
            } else if self.features.bit_fields && self.rng.chance(30) {
                self.add_bit_field(&mut body, &mut fields);
            } else if self.rng.chance(6) {
                self.add_anonymous_struct(&mut body, &mut fields);
            } else {
                let ty = self.member_type(id);
                self.add_field(&mut body, &mut fields, ty, false);
            }
        }
        if fields.is_empty() {
            self.add_field(&mut body, &mut fields, Type::INT, false);
        }
        let packed = self.rng.chance(8);
        self.write_record(&naming, packed, &body);
        self.records[id] = Record { packed, fields, ..self.records[id].clone() };
    }

    /// A tag, a typedef name, or both.
    fn draw_naming(&mut self, keyword: &'static str) -> Naming {
        let tag = self.global_name("s");
        let typedef = format!("{tag}_t");
        match self.rng.below(4) {
            0 => Naming {
                before: String::new(),
                start: format!("typedef {keyword}"),
                end: format!(" {typedef}"),
                spelling: typedef,
                known_inside: false,
            },
            1 => Naming {
                before: format!("typedef {keyword} {tag} {typedef};\n"),
                start: format!("{keyword} {tag}"),
                end: String::new(),
                spelling: typedef,
                known_inside: true,
            },
            _ => Naming {
                before: String::new(),
                start: format!("{keyword} {tag}"),
                end: String::new(),
                spelling: format!("{keyword} {tag}"),
                known_inside: true,
            },
        }
    }

    fn write_record(&mut self, naming: &Naming, packed: bool, body: &str) {
        let Naming { before, start, end, .. } = naming;
        let attribute = if packed { " __attribute__((packed))" } else { "" };
        self.sections.types.push_str(&format!("{before}{start} {{\n{body}}}{attribute}{end};\n"));
    }

    fn add_field(&mut self, body: &mut String, fields: &mut Vec<Field>, ty: Type, nullable: bool) {
        let name = self.local_name("f");
        body.push_str(&format!("    {};\n", self.declare(&ty, &name)));
        fields.push(Field { name, ty, bits: None, nullable });
    }

    fn add_bit_field(&mut self, body: &mut String, fields: &mut Vec<Field>) {
        let ty = self.scalar_int_type();
        let kind = ty.int_kind().expect("an integer type was drawn");
        let ty = if kind == IntKind::Char { Type::Int(IntKind::SChar) } else { ty };
        let spelled = self.type_name(&ty);
        if self.rng.chance(10) {
            let width = if self.rng.chance(50) { 0 } else { self.rng.between(1, kind.bits().into()) };
            body.push_str(&format!("    {spelled} : {width};\n"));
        }
        let enum_bits = matches!(ty, Type::Enum(..)).then_some(8);
        let mut bits = u32::try_from(self.rng.between(1, kind.bits().into())).expect("a width fits");
        if bits == 32 && kind.bits() == 64 {
            bits = 33;
        }
        let bits = enum_bits.unwrap_or(bits);
        let name = self.local_name("b");
        body.push_str(&format!("    {spelled} {name} : {bits};\n"));
        fields.push(Field { name, ty, bits: Some(bits), nullable: false });
    }

    /// The members of an anonymous struct belong to the one around it (C17 6.7.2.1p13).
    fn add_anonymous_struct(&mut self, body: &mut String, fields: &mut Vec<Field>) {
        body.push_str("    struct {\n");
        for _ in 0..self.rng.between(1, 3) {
            let ty = self.scalar_int_type();
            body.push_str("    ");
            self.add_field(body, fields, ty, false);
        }
        body.push_str("    };\n");
    }

    /// A member's type; only the first `n_records` records are complete.
    fn member_type(&mut self, n_records: usize) -> Type {
        match self.rng.below(20) {
            0..=8 => self.scalar_int_type(),
            9 | 10 => self.float_type().unwrap_or(Type::INT),
            11..=13 => {
                let len = self.rng.below(5) + 1;
                self.scalar_int_type().array(len)
            }
            14 => Type::Int(IntKind::Short).array(2).array(self.rng.below(3) + 1),
            15 => Type::Int(IntKind::Char).array(self.rng.below(9) + 4),
            16 | 17 if self.features.pointers => self.scalar_int_type().pointer(),
            18 if n_records > 0 => Type::Record(self.rng.index(n_records)).array(2),
            _ if n_records > 0 => Type::Record(self.rng.index(n_records)),
            _ => self.scalar_int_type(),
        }
    }

    /// A float type, if the program uses floats.
    pub(super) fn float_type(&mut self) -> Option<Type> {
        let kind = *self.rng.pick(&[FloatKind::Float, FloatKind::Double]);
        self.features.floats.then_some(Type::Float(kind))
    }

    /// All members have the same size, so that every byte of the last one written is defined.
    fn declare_union(&mut self) {
        let size = *self.rng.pick(&[2, 4, 8]);
        let mut candidates = vec![Type::Int(IntKind::UChar).array(size)];
        let kinds = IntKind::ALL.into_iter().filter(|kind| *kind != IntKind::Bool);
        candidates.extend(kinds.map(|kind| match size / kind.size() {
            1 => Type::Int(kind),
            0 => Type::Int(IntKind::SChar).array(size),
            n => Type::Int(kind).array(n),
        }));
        if self.features.floats && size >= 4 {
            candidates.push(Type::Float(if size == 4 { FloatKind::Float } else { FloatKind::Double }));
            candidates.push(Type::Float(FloatKind::Float).array(size / 4));
        }
        let (mut body, mut fields) = (String::new(), Vec::new());
        self.add_field(&mut body, &mut fields, candidates[0].clone(), false);
        for _ in 0..self.rng.between(1, 4) {
            let ty = self.rng.pick(&candidates).clone();
            self.add_field(&mut body, &mut fields, ty, false);
        }
        let naming = self.draw_naming("union");
        self.write_record(&naming, false, &body);
        self.records.push(Record { spelling: naming.spelling, union: true, packed: false, fields });
    }

    fn declare_size_assertions(&mut self) {
        for id in 0..self.records.len() {
            let spelling = self.records[id].spelling.clone();
            let text =
                format!("_Static_assert(sizeof({spelling}) >= 1 && _Alignof({spelling}) <= 8, \"size\");\n");
            if self.rng.chance(30) {
                self.sections.types.push_str(&text);
            }
        }
    }
}
