//! What a program observes: every interesting value is mixed into one 64-bit checksum.

use super::context::{Gen, Var};
use super::types::{FloatKind, Type};

impl Gen<'_> {
    /// Mixes an integer expression.
    pub(super) fn mix(&mut self, text: &str) {
        let hash = self.hash_name();
        self.line(&format!("{hash} = qk_mix({hash}, (unsigned long long)({text}));"));
    }

    /// The name of the program's checksum.
    pub(super) fn hash_name(&self) -> String {
        format!("{}hash", self.prefix)
    }

    /// Mixes everything in a variable.
    pub(super) fn mix_variable(&mut self, var: &Var) {
        self.mix_value(&var.name, &var.ty.clone(), var.target.nullable);
    }

    fn mix_value(&mut self, text: &str, ty: &Type, nullable: bool) {
        match ty {
            Type::Int(_) | Type::Enum(..) => self.mix(text),
            Type::Float(kind) => {
                let helper = if *kind == FloatKind::Float { "qk_bits_f" } else { "qk_bits" };
                self.mix(&format!("{helper}({text})"));
            }
            Type::Array(element, len) => self.mix_elements(text, element, *len),
            Type::Record(id) => self.mix_record(text, *id),
            Type::Pointer(to) if to.is_arithmetic() => self.mix_pointee(text, to, nullable),
            Type::Pointer(_) | Type::Function(_) => self.mix(&format!("{text} != 0")),
        }
    }

    fn mix_elements(&mut self, text: &str, element: &Type, len: u64) {
        let index = self.local_name("i");
        self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++) {{"));
        self.frame.indent += 1;
        self.frame.weight *= len;
        self.mix_value(&format!("{text}[{index}]"), element, false);
        self.frame.cost += self.frame.weight;
        self.frame.weight /= len;
        self.frame.indent -= 1;
        self.line("}");
    }

    /// A union is observed through its bytes, which its first member holds.
    fn mix_record(&mut self, text: &str, id: usize) {
        let record = self.records[id].clone();
        let observed = if record.union { &record.fields[..1] } else { &record.fields[..] };
        for field in observed {
            self.mix_value(&format!("{text}.{}", field.name), &field.ty, field.nullable);
        }
    }

    fn mix_pointee(&mut self, text: &str, to: &Type, nullable: bool) {
        if nullable {
            self.line(&format!("if ({text}) {{"));
            self.frame.indent += 1;
            self.mix_value(&format!("(*{text})"), to, false);
            self.frame.indent -= 1;
            self.line("}");
        } else {
            self.mix_value(&format!("(*{text})"), to, false);
        }
    }

    /// Mixes the variables of the innermost block, always or with a chance.
    pub(super) fn mix_scope(&mut self, percent: u32) {
        let vars = self.frame.scopes.last().cloned().unwrap_or_default();
        for var in vars {
            if self.rng.chance(percent) {
                self.mix_variable(&var);
            }
        }
    }
}
