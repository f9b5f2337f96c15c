//! Random record declarations: everything that moves a member to another place.

use crate::rng::Rng;

/// A declared struct or union.
#[derive(Clone, Debug)]
pub struct Declared {
    /// `struct` or `union`.
    pub keyword: &'static str,
    /// The tag.
    pub tag: String,
    /// The named members, those of anonymous records included.
    pub members: Vec<Member>,
    /// Whether it ends in an array without a length, so that no other record can contain it.
    pub flexible: bool,
}

/// A named member.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name.
    pub name: String,
    /// For a bit-field, a value of its type that has all bits set.
    pub all_ones: Option<&'static str>,
}

/// Declarations and the C text that makes them.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The C text.
    pub text: String,
    /// The records.
    pub records: Vec<Declared>,
    /// The tags of the enumerations.
    pub enums: Vec<String>,
}

const INTS: [&str; 11] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// Enough records for a file, by number.
pub fn declarations(seed: u64, n_records: u64) -> Declarations {
    let mut writer = Writer { rng: Rng::new(seed), out: Declarations::default(), names: 0 };
    writer.out.text.push_str("#define PACKED __attribute__((__packed__))\n");
    writer.out.text.push_str("#define ALIGNED(n) __attribute__((__aligned__(n)))\n");
    for _ in 0..2 {
        writer.enumeration();
    }
    for _ in 0..n_records {
        writer.record();
    }
    writer.out
}

struct Writer {
    rng: Rng,
    out: Declarations,
    names: u32,
}

impl Writer {
    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn enumeration(&mut self) {
        let tag = self.name("E");
        let (a, b) = (self.name("K"), self.name("K"));
        let value =
            *self.rng.pick(&["0", "-1", "300", "2147483647", "4294967295", "-5000000000", "9000000000"]);
        let packed = if self.rng.chance(25) { " __attribute__((packed))" } else { "" };
        self.out.text.push_str(&format!("enum {tag} {{ {a}, {b} = {value} }}{packed};\n"));
        self.out.enums.push(tag);
    }

    fn record(&mut self) {
        let tag = self.name("L");
        let keyword = if self.rng.chance(75) { "struct" } else { "union" };
        let (before, attributes, after) = self.packing();
        let (mut body, mut members) = (String::new(), Vec::new());
        for _ in 0..self.rng.between(1, 7) {
            self.member(&mut body, &mut members, 0);
        }
        if members.is_empty() {
            self.plain_member(&mut body, &mut members);
        }
        let flexible = keyword == "struct" && self.rng.chance(6);
        if flexible {
            let name = self.name("m");
            body.push_str(&format!("    {} {name}[];\n", self.rng.pick(&INTS)));
            members.push(Member { name, all_ones: None });
        }
        let text = format!("{before}{keyword} {tag} {{\n{body}}}{attributes};\n{after}");
        self.out.text.push_str(&text);
        self.out.records.push(Declared { keyword, tag, members, flexible });
    }

    /// What stands before, directly behind and after a record to change its packing and alignment.
    fn packing(&mut self) -> (String, String, &'static str) {
        let attribute = match self.rng.below(9) {
            0 => " __attribute__((packed))".to_string(),
            1 => format!(" __attribute__((aligned({})))", self.rng.pick(&[1, 2, 8, 16, 32])),
            2 => format!(" __attribute__((packed, aligned({})))", self.rng.pick(&[1, 2, 4])),
            _ => String::new(),
        };
        if !self.rng.chance(20) {
            return (String::new(), attribute, "");
        }
        (
            format!("#pragma pack(push, {})\n", self.rng.pick(&[1, 2, 4, 8, 16])),
            attribute,
            "#pragma pack(pop)\n",
        )
    }

    fn member(&mut self, body: &mut String, members: &mut Vec<Member>, depth: u32) {
        match self.rng.below(12) {
            0..=4 => self.bit_field(body, members),
            5 if depth == 0 => self.anonymous(body, members),
            _ => self.plain_member(body, members),
        }
    }

    fn plain_member(&mut self, body: &mut String, members: &mut Vec<Member>) {
        let name = self.name("m");
        let line = match self.rng.below(16) {
            // `_Alignas` must not ask for less than the type does (C17 6.7.5p4).
            0 => {
                let align = *self.rng.pick(&[8, 16]);
                format!("_Alignas({align}) {} {name}", self.scalar())
            }
            1 => format!("_Alignas(double) {} {name}", self.scalar()),
            2 => {
                let declared = self.declarator(&name);
                format!("{declared} __attribute__((aligned({})))", self.rng.pick(&[2, 4, 8, 16]))
            }
            3 => format!("{} __attribute__((packed))", self.declarator(&name)),
            _ => self.declarator(&name),
        };
        body.push_str(&format!("    {line};\n"));
        members.push(Member { name, all_ones: None });
    }

    fn declarator(&mut self, name: &str) -> String {
        let scalar = self.scalar();
        match self.rng.below(14) {
            0 => format!("{scalar} *{name}"),
            1 => format!("{scalar} {name}[{}]", self.rng.below(6) + 1),
            2 => format!("{scalar} {name}[2][{}]", self.rng.below(3) + 1),
            3 => format!("{scalar} (*{name})(int)"),
            4 | 5 => self.nested().map_or(format!("{scalar} {name}"), |record| format!("{record} {name}")),
            6 => self.nested().map_or(format!("{scalar} {name}"), |record| format!("{record} {name}[2]")),
            7 => {
                let tag = self.rng.pick(&self.out.enums);
                format!("enum {tag} {name}")
            }
            _ => format!("{scalar} {name}"),
        }
    }

    fn scalar(&mut self) -> &'static str {
        match self.rng.below(14) {
            0 => "float",
            1 => "double",
            2 => "_Bool",
            _ => self.rng.pick::<&'static str>(&INTS),
        }
    }

    fn nested(&mut self) -> Option<String> {
        let complete: Vec<&Declared> = self.out.records.iter().filter(|record| !record.flexible).collect();
        if complete.is_empty() {
            return None;
        }
        let record = self.rng.pick(&complete);
        Some(format!("{} {}", record.keyword, record.tag))
    }

    fn bit_field(&mut self, body: &mut String, members: &mut Vec<Member>) {
        let (ty, most) = match self.rng.below(12) {
            0 => ("_Bool", 1),
            n => {
                let ty = INTS[usize::try_from(n - 1).expect("an index fits")];
                (ty, bits_of(ty))
            }
        };
        let (before, behind) = self.field_attributes();
        // The front end refuses one of 64 bits with an alignment.
        let most = if before.is_empty() && behind.is_empty() { most } else { most.min(63) };
        let mut fields = String::new();
        match self.rng.below(8) {
            0 => fields.push_str(": 0"),
            1 => fields.push_str(&format!(": {}", self.rng.between(1, most))),
            n => {
                let n_fields = if n == 2 { 2 } else { 1 };
                for _ in 0..n_fields {
                    let separator = if fields.is_empty() { "" } else { ", " };
                    let (name, width) = (self.name("b"), self.rng.between(1, most));
                    fields.push_str(&format!("{separator}{name} : {width}"));
                    let all_ones = if ty == "_Bool" { "1" } else { "-1" };
                    members.push(Member { name, all_ones: Some(all_ones) });
                }
            }
        }
        body.push_str(&format!("    {before}{ty} {fields}{behind};\n"));
    }

    /// What stands in front of a bit-field's declaration and behind it to change its packing and alignment.
    fn field_attributes(&mut self) -> (String, String) {
        let alignment = *self.rng.pick(&[1, 2, 4, 8, 16]);
        let attribute = match self.rng.below(24) {
            0 => "__attribute__((packed))".to_string(),
            1 => "PACKED".to_string(),
            2 => format!("__attribute__((aligned({alignment})))"),
            3 => format!("ALIGNED({alignment})"),
            4 => format!("__attribute__((packed, aligned({alignment})))"),
            5 => format!("[[gnu::aligned({alignment})]]"),
            6 => "__attribute__((aligned))".to_string(),
            _ => return (String::new(), String::new()),
        };
        // An attribute of the standard's kind is no declaration's end.
        if self.rng.chance(30) || attribute.starts_with('[') {
            (format!("{attribute} "), String::new())
        } else {
            (String::new(), format!(" {attribute}"))
        }
    }

    fn anonymous(&mut self, body: &mut String, members: &mut Vec<Member>) {
        let keyword = *self.rng.pick(&["struct", "union"]);
        body.push_str(&format!("    {keyword} {{\n"));
        let before = members.len();
        for _ in 0..self.rng.between(1, 3) {
            self.member(body, members, 1);
        }
        if members.len() == before {
            self.plain_member(body, members);
        }
        let attribute = if self.rng.chance(10) { " __attribute__((packed))" } else { "" };
        body.push_str(&format!("    }}{attribute};\n"));
    }
}

/// The largest width of a bit-field of a type, on every data model.
fn bits_of(ty: &str) -> i64 {
    match ty {
        "char" | "signed char" | "unsigned char" => 8,
        "short" | "unsigned short" => 16,
        "long long" | "unsigned long long" => 64,
        _ => 32,
    }
}
