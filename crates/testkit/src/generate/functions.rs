//! The functions of a program, in the order in which they may call each other.

use super::context::{Frame, Function, Gen, Mode, Table, Var};
use super::effects::{Effects, MEMORY};
use super::expr::Target;
use super::range::Range;
use super::types::{IntKind, Param, Signature, Type};

#[derive(Clone, Copy)]
enum Shape {
    Ordinary,
    Pure,
    Recursive,
    Variadic,
    Callback,
}

const SHAPES: [(u32, Shape); 5] = [
    (55, Shape::Ordinary),
    (15, Shape::Pure),
    (10, Shape::Recursive),
    (12, Shape::Variadic),
    (8, Shape::Callback),
];

impl Gen<'_> {
    /// Generates all functions but the entry.
    pub(super) fn define_functions(&mut self) {
        let n = self.rng.below(u64::from(self.config.functions) + 1);
        for _ in 0..n {
            match self.rng.weighted(&SHAPES) {
                Shape::Pure => self.define_pure(),
                Shape::Recursive if self.features.recursion => self.define_recursive(),
                Shape::Variadic if self.features.variadics => self.define_variadic(),
                Shape::Callback if self.function_type().is_some() => self.define_callback(),
                _ => self.define_ordinary(),
            }
            if self.features.function_pointers && self.rng.chance(25) {
                self.define_table();
            }
        }
    }

    /// Generates `unsigned long long test(void)`, which returns the checksum.
    pub(super) fn define_entry(&mut self, name: &str) {
        self.frame = Frame::new(Some(Type::Int(IntKind::ULLong)), self.config.statements * 2);
        self.frame.may_return = false;
        self.statements_of_body();
        self.mix_scope(100);
        for var in self.globals.clone() {
            self.mix_variable(&var);
        }
        let hash = self.hash_name();
        self.line(&format!("return {hash};"));
        let body = std::mem::take(&mut self.frame.out);
        self.sections.functions.push_str(&format!("unsigned long long {name}(void)\n{{\n{body}}}\n"));
    }

    fn define_ordinary(&mut self) {
        let signature = self.draw_signature();
        self.define_with_body(signature, |g, _| g.statements_of_body(), Effects::calling());
    }

    /// A function that only reads, so that calls may stand side by side in an expression.
    fn define_pure(&mut self) {
        let signature = self.draw_signature();
        if self.signatures[signature].ret.is_none() {
            return self.define_ordinary();
        }
        let body = |g: &mut Self, _: &[Var]| {
            for _ in 0..g.rng.below(3) {
                g.begin_full_expression();
                g.declare_local();
            }
        };
        self.with_mode(Mode::Pure, |g| g.define_with_body(signature, body, Effects::reading(MEMORY)));
    }

    /// A function that calls itself with its first parameter one smaller.
    fn define_recursive(&mut self) {
        let depth = self.rng.between(1, 6);
        let counter = Param { ty: Type::INT, range: Some(Range::new(0, depth.into())), extent: 1 };
        let mut params = vec![counter];
        params.extend((0..self.rng.below(3)).map(|_| self.draw_param()));
        let signature = Signature { ret: Some(Type::Int(IntKind::LLong)), params };
        let signature = self.add_signature(signature);
        let weight = u64::try_from(depth).expect("depths are positive") + 1;
        let name = self.global_name("rec");
        let own_name = name.clone();
        let body = move |g: &mut Self, params: &[Var]| {
            g.frame.weight = weight;
            let counter = params[0].name.clone();
            g.hide_writes_to(&counter);
            g.line(&format!("if ({counter} <= 0) return 0;"));
            g.statements_of_body();
            g.begin_full_expression();
            let args = g.recursive_arguments(signature, &counter);
            g.mix(&format!("{own_name}({args})"));
        };
        self.define_named(&name, signature, body, Effects::calling());
        self.functions.last_mut().expect("a function was just defined").recursive = true;
    }

    fn recursive_arguments(&mut self, signature: usize, counter: &str) -> String {
        let params = self.signatures[signature].params.clone();
        self.frame.called = true;
        let rest = params.iter().skip(1).map(|param| {
            self.with_mode(Mode::Pure, |g| {
                let mut place = g.unnamed(&param.ty);
                place.range = param.range;
                place.store_target = Target { extent: param.extent, level: u32::MAX, nullable: false };
                g.value_for(&place, 1).arg()
            })
        });
        std::iter::once(format!("{counter} - 1"))
            .chain(rest.collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn hide_writes_to(&mut self, name: &str) {
        for var in &mut self.frame.scopes[0] {
            if var.name == name {
                var.writable = false;
            }
        }
    }

    /// A function with a parameter that is a pointer to an earlier function.
    fn define_callback(&mut self) {
        let Some(callback) = self.function_type() else { return };
        let mut params = vec![Param { ty: callback, range: None, extent: 1 }];
        params.extend((0..self.rng.below(3)).map(|_| self.draw_param()));
        let ret = self.scalar_int_type();
        let signature = self.add_signature(Signature { ret: Some(ret), params });
        self.define_with_body(signature, |g, _| g.statements_of_body(), Effects::calling());
    }

    fn define_table(&mut self) {
        let Some(Type::Function(signature)) = self.function_type() else { return };
        let names: Vec<String> = self
            .functions
            .iter()
            .filter(|f| f.signature == signature && f.variadic.is_none())
            .map(|f| f.name.clone())
            .collect();
        let len = self.rng.below(4) + 2;
        let entries: Vec<String> = (0..len).map(|_| self.rng.pick(&names).clone()).collect();
        let name = self.global_name("table");
        let declared = self.declare(&Type::Function(signature), &format!("{name}[{len}]"));
        let text = format!("static {declared} = {{{}}};\n", entries.join(", "));
        self.sections.globals.push_str(&text);
        let cost = self.signature_cost(signature);
        self.tables.push(Table { name, signature, len, cost });
    }

    /// Often a signature that another function has, so that one pointer can point to both.
    fn draw_signature(&mut self) -> usize {
        let shared: Vec<usize> = (0..self.signatures.len())
            .filter(|&s| !self.signatures[s].takes_functions())
            .filter(|&s| {
                self.functions.iter().any(|f| f.signature == s && f.variadic.is_none() && !f.recursive)
            })
            .collect();
        if !shared.is_empty() && self.rng.chance(50) {
            return *self.rng.pick(&shared);
        }
        let ret = match self.rng.below(10) {
            0 => None,
            1 if !self.records.is_empty() => Some(Type::Record(self.rng.index(self.records.len()))),
            2 if self.features.floats => self.float_type(),
            3 if self.features.pointers => Some(self.scalar_int_type().pointer()),
            _ => Some(self.scalar_int_type()),
        };
        let params = (0..self.rng.below(5)).map(|_| self.draw_param()).collect();
        self.add_signature(Signature { ret, params })
    }

    pub(super) fn add_signature(&mut self, signature: Signature) -> usize {
        self.signatures.push(signature);
        self.signatures.len() - 1
    }

    fn draw_param(&mut self) -> Param {
        let ty = match self.rng.below(12) {
            0 | 1 => self.float_type().unwrap_or(Type::INT),
            2 if !self.records.is_empty() => Type::Record(self.rng.index(self.records.len())),
            3 | 4 if self.features.pointers => self.pointer_type(),
            _ => self.scalar_int_type(),
        };
        let small = ty.int_kind().filter(|&kind| kind != IntKind::Bool && self.rng.chance(30));
        let range = small.map(|kind| self.small_range(kind));
        Param { ty, range, extent: self.rng.below(3) + 1 }
    }

    fn define_with_body(&mut self, signature: usize, body: impl FnOnce(&mut Self, &[Var]), effects: Effects) {
        let name = self.global_name("fn");
        self.define_named(&name, signature, body, effects);
    }

    fn define_named(
        &mut self,
        name: &str,
        signature: usize,
        body: impl FnOnce(&mut Self, &[Var]),
        effects: Effects,
    ) {
        let Signature { ret, params } = self.signatures[signature].clone();
        self.frame = Frame::new(ret.clone(), self.config.statements);
        let vars: Vec<Var> = params.iter().map(|param| self.parameter(param)).collect();
        self.frame.scopes[0] = vars.clone();
        let small = ret.as_ref().and_then(Type::int_kind).filter(|&kind| kind != IntKind::Bool);
        let small = small.filter(|_| self.rng.chance(25));
        self.frame.ret_range = small.map(|kind| self.small_range(kind));
        body(self, &vars);
        if effects == Effects::calling() {
            self.mix_scope(100);
        }
        self.return_statement();
        self.finish_function(name, ret.as_ref(), &vars, signature, effects);
    }

    fn parameter(&mut self, param: &Param) -> Var {
        let name = self.local_name("a");
        let scalar_pointer = matches!(param.ty, Type::Pointer(_));
        let addressable = param.range.is_none()
            && !scalar_pointer
            && !matches!(param.ty, Type::Function(_))
            && self.rng.chance(30);
        let bit = if addressable { MEMORY } else { self.frame.own_bit() };
        let mut var = Var::new(name, param.ty.clone(), 1, bit);
        var.addressable = addressable;
        var.range = param.range;
        var.target = Target { extent: param.extent, level: 1, nullable: false };
        var
    }

    /// `return e;` with a value of the function's type.
    pub(super) fn return_statement(&mut self) {
        self.begin_full_expression();
        let Some(ty) = self.frame.ret.clone() else {
            self.line("return;");
            return;
        };
        let mut place = self.unnamed(&ty);
        place.range = self.frame.ret_range;
        let value = self.value_for(&place, 2);
        self.line(&format!("return {};", value.text));
    }

    fn finish_function(
        &mut self,
        name: &str,
        ret: Option<&Type>,
        vars: &[Var],
        signature: usize,
        effects: Effects,
    ) {
        let params = vars.iter().map(|var| self.declare(&var.ty, &var.name)).collect::<Vec<_>>().join(", ");
        let params = if params.is_empty() { "void".to_string() } else { params };
        let declared = self.declare_result(ret, &format!("{name}({params})"));
        let attribute = match self.rng.below(6) {
            0 => "inline ",
            1 => "__attribute__((noinline)) ",
            _ => "",
        };
        self.write_function(&format!("static {attribute}{declared}"));
        let (cost, ret_range) = (self.frame.cost, self.frame.ret_range);
        let (recursive, variadic) = (false, None);
        let name = name.to_string();
        self.functions.push(Function { name, signature, ret_range, effects, cost, recursive, variadic });
    }

    /// Writes the current frame's text as the body of a function, with a prototype far above.
    pub(super) fn write_function(&mut self, header: &str) {
        let body = std::mem::take(&mut self.frame.out);
        self.sections.prototypes.push_str(&format!("{header};\n"));
        self.sections.functions.push_str(&format!("{header}\n{{\n{body}}}\n\n"));
    }
}
