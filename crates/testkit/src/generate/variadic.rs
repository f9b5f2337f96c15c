//! Variadic functions: some count their arguments, others know them.

use super::context::{Frame, Function, Gen, Variadic};
use super::effects::Effects;
use super::types::{FloatKind, IntKind, Param, Signature, Type};

impl Gen<'_> {
    /// A function of one of both kinds; it returns a checksum of its arguments.
    pub(super) fn define_variadic(&mut self) {
        if self.rng.chance(50) {
            self.define_counted();
        } else {
            self.define_fixed();
        }
    }

    fn define_counted(&mut self) {
        let ty = self.variadic_type();
        let name = self.global_name("va");
        self.frame = Frame::new(None, 0);
        self.line("unsigned long long h = 17;");
        self.line("va_list ap;");
        self.line("va_start(ap, n);");
        self.line("for (int i = 0; i < n; i++) {");
        self.frame.indent += 1;
        let taken = self.taken_argument("ap", &ty);
        self.line(&taken);
        self.frame.indent -= 1;
        self.line("}");
        self.line("va_end(ap);");
        self.line("return h;");
        let header = format!("static unsigned long long {name}(int n, ...)");
        self.finish_variadic(name, &header, Vec::new(), Variadic::Counted(ty));
    }

    fn define_fixed(&mut self) {
        let types: Vec<Type> = (0..self.rng.between(1, 9)).map(|_| self.variadic_type()).collect();
        let name = self.global_name("va");
        let copies = self.rng.chance(30);
        self.frame = Frame::new(None, 0);
        self.line("unsigned long long h = (unsigned long long)first;");
        self.line("va_list ap;");
        self.line("va_start(ap, first);");
        if copies {
            self.line("va_list again;");
            self.line("va_copy(again, ap);");
        }
        for ty in &types {
            let taken = self.taken_argument("ap", ty);
            self.line(&taken);
        }
        if copies {
            let taken = self.taken_argument("again", &types[0]);
            self.line(&taken);
            self.line("va_end(again);");
        }
        self.line("va_end(ap);");
        self.line("return h;");
        let header = format!("static unsigned long long {name}(short first, ...)");
        let first = Param { ty: Type::Int(IntKind::Short), range: None, extent: 1 };
        let params = types.into_iter().map(|ty| Param { ty, range: None, extent: 1 }).collect();
        self.finish_variadic(name, &header, vec![first], Variadic::Fixed(params));
    }

    fn finish_variadic(&mut self, name: String, header: &str, params: Vec<Param>, variadic: Variadic) {
        self.write_function(header);
        let ret = Some(Type::Int(IntKind::ULLong));
        let signature = self.add_signature(Signature { ret, params });
        self.functions.push(Function {
            name,
            signature,
            ret_range: None,
            effects: Effects::reading(super::effects::MEMORY),
            cost: 10,
            recursive: false,
            variadic: Some(variadic),
        });
    }

    /// A type that the default argument promotions leave alone.
    fn variadic_type(&mut self) -> Type {
        match self.rng.below(8) {
            0 if self.features.floats => Type::Float(FloatKind::Double),
            1 if self.features.pointers => Type::INT.pointer(),
            2 if !self.records.is_empty() => Type::Record(self.rng.index(self.records.len())),
            _ => {
                let kinds = &IntKind::ALL[6..];
                Type::Int(*self.rng.pick(kinds))
            }
        }
    }

    fn taken_argument(&mut self, list: &str, ty: &Type) -> String {
        let name = self.type_name(ty);
        let taken = format!("va_arg({list}, {name})");
        let value = match ty {
            Type::Float(_) => format!("qk_bits({taken})"),
            Type::Pointer(_) => format!("*{taken}"),
            Type::Record(id) => return self.taken_record(&taken, *id),
            _ => taken,
        };
        format!("h = qk_mix(h, (unsigned long long)({value}));")
    }

    /// One integer member of a record stands for all of it.
    fn taken_record(&mut self, taken: &str, id: usize) -> String {
        let member = self.records[id].fields.iter().find(|field| field.ty.int_kind().is_some());
        match member.map(|field| field.name.clone()) {
            Some(field) => format!("h = qk_mix(h, (unsigned long long)({taken}.{field}));"),
            None => format!("(void){taken};"),
        }
    }
}
