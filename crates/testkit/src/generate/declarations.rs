//! Declarations of global and local variables.

use super::context::{Gen, Mode, Var};
use super::effects::MEMORY;
use super::expr::Target;
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{IntKind, Type};

impl Gen<'_> {
    /// Declares the program's global variables.
    pub(super) fn declare_globals(&mut self) {
        for _ in 0..self.rng.between(2, 7) {
            let name = self.global_name("g");
            let ty = self.variable_type(true);
            self.declare_global(&name, &ty);
        }
        if self.features.strings && self.rng.chance(50) {
            self.declare_names();
        }
        if self.rng.chance(40) {
            self.declare_constant_array();
        }
        if self.rng.chance(50) {
            self.declare_small_global();
        }
    }

    /// A global variable that pointers may point to, with a constant initialiser.
    pub(super) fn declare_global(&mut self, name: &str, ty: &Type) -> Var {
        let mut var = Var::new(name.to_string(), ty.clone(), 0, MEMORY);
        var.addressable = true;
        let linkage = if self.rng.chance(70) { "static " } else { "" };
        self.define_global(linkage, &var);
        self.globals.push(var.clone());
        var
    }

    /// Writes the definition, sometimes after a declaration, and without an initialiser only if all zeros
    /// will do.
    fn define_global(&mut self, qualifiers: &str, var: &Var) {
        let scopes = std::mem::take(&mut self.frame.scopes);
        let declared = self.declare(&var.ty, &var.name);
        let before = match (qualifiers, self.rng.below(8)) {
            ("", 0) => format!("extern {declared};\n"),
            ("static ", 0) => format!("static {declared};\n"),
            _ => String::new(),
        };
        let zero = self.zeroable(&var.ty) && self.rng.chance(20);
        let place = Lvalue::of(var);
        let (text, _) = self.with_mode(Mode::Constant, |g| g.initializer(&place, 2));
        let end = if zero { ";\n".to_string() } else { format!(" = {text};\n") };
        self.sections.globals.push_str(&format!("{before}{qualifiers}{declared}{end}"));
        self.frame.scopes = scopes;
    }

    fn declare_constant_array(&mut self) {
        let len = self.rng.below(8) + 2;
        let name = self.global_name("k");
        let ty = self.scalar_int_type().array(len);
        let var = Var { writable: false, ..Var::new(name, ty, 0, MEMORY) };
        self.define_global("static const ", &var);
        self.globals.push(var);
    }

    /// A global integer that every function keeps within a range.
    fn declare_small_global(&mut self) {
        let name = self.global_name("r");
        let kind = *self.rng.pick(&[IntKind::Int, IntKind::Short, IntKind::Long, IntKind::UInt]);
        let range = self.small_range(kind);
        let var = Var { range: Some(range), ..Var::new(name, Type::Int(kind), 0, MEMORY) };
        self.define_global("static ", &var);
        self.globals.push(var);
    }

    /// A range around zero that invites plain arithmetic or indexing.
    pub(super) fn small_range(&mut self, kind: IntKind) -> Range {
        let hi = i128::from(*self.rng.pick(&[1, 3, 4, 7, 9, 15, 100, 127]));
        let lo = if kind.signed() && self.rng.chance(60) { -hi } else { 0 };
        Range::new(lo, hi)
    }

    /// The type of a new variable.
    pub(super) fn variable_type(&mut self, global: bool) -> Type {
        match self.rng.below(100) {
            0..=44 => self.scalar_int_type(),
            45..=56 => self.float_type().unwrap_or(Type::INT),
            57..=72 => self.array_type(),
            73..=84 if !self.records.is_empty() => Type::Record(self.rng.index(self.records.len())),
            85..=95 if self.features.pointers => self.pointer_type(),
            96.. if !global => self.function_type().unwrap_or(Type::INT),
            _ => self.scalar_int_type(),
        }
    }

    fn array_type(&mut self) -> Type {
        let element = match self.rng.below(10) {
            0..=5 => self.scalar_int_type(),
            6 => self.float_type().unwrap_or(Type::INT),
            7 => Type::Int(IntKind::Char),
            8 if !self.records.is_empty() => Type::Record(self.rng.index(self.records.len())),
            8 if self.features.pointers => self.scalar_int_type().pointer(),
            _ => self.scalar_int_type(),
        };
        let dimensions = self.rng.weighted(&[(6, 1), (3, 2), (1, 3)]);
        (0..dimensions).fold(element, |ty, _| {
            let most = if dimensions == 1 { 9 } else { 3 };
            ty.array(self.rng.below(most) + 2)
        })
    }

    /// A pointer to a scalar, an array, a record or another pointer.
    pub(super) fn pointer_type(&mut self) -> Type {
        let to = match self.rng.below(12) {
            0..=5 => self.scalar_int_type(),
            6 => self.float_type().unwrap_or(Type::INT),
            7 | 8 => self.scalar_int_type().pointer(),
            9 => Type::INT.pointer().pointer(),
            10 if !self.records.is_empty() => Type::Record(self.rng.index(self.records.len())),
            _ => self.scalar_int_type().array(3),
        };
        to.pointer()
    }

    /// A pointer to functions of a signature that the program has functions for.
    pub(super) fn function_type(&mut self) -> Option<Type> {
        let usable = self.functions.iter().filter(|f| f.variadic.is_none());
        let candidates: Vec<usize> =
            usable.map(|f| f.signature).filter(|&s| !self.signatures[s].takes_functions()).collect();
        (self.features.function_pointers && !candidates.is_empty())
            .then(|| Type::Function(*self.rng.pick(&candidates)))
    }

    /// Declares a local variable of any type in the current block.
    pub(super) fn declare_local(&mut self) {
        let ty = self.variable_type(false);
        if self.rng.chance(6) && !matches!(ty, Type::Function(_)) {
            self.declare_static_local(ty);
            return;
        }
        let (var, qualifier) = self.new_local(ty);
        self.frame.hidden = Some(var.name.clone());
        let depth = self.rng.below(u64::from(self.config.expr_depth) + 1);
        let depth = u32::try_from(depth).expect("depths are small");
        let (text, _) = self.initializer(&Lvalue::of(&var), depth);
        let declared = self.declare(&var.ty, &var.name);
        let scalar = !matches!(var.ty, Type::Array(..) | Type::Record(_));
        if scalar && qualifier.is_empty() && self.rng.chance(15) {
            self.line(&format!("{declared};"));
            self.line(&format!("{} = {text};", var.name));
        } else {
            self.line(&format!("{qualifier}{declared} = {text};"));
        }
        self.frame.hidden = None;
        self.add_local(var);
    }

    fn new_local(&mut self, ty: Type) -> (Var, &'static str) {
        let name = self.new_or_shadowing_name();
        let level = self.frame.level();
        let mut var = Var::new(name, ty.clone(), level, MEMORY);
        let mut qualifier = "";
        let is_int = ty.leaf().int_kind().is_some();
        match self.rng.below(100) {
            0..=34 => var.addressable = !matches!(ty, Type::Function(_)),
            35..=64 if is_int && ty.leaf().int_kind() != Some(IntKind::Bool) => {
                var.range = ty.leaf().int_kind().map(|kind| self.small_range(kind));
            }
            65..=68 if ty.int_kind().is_some() && self.features.volatile => {
                (var.volatile, qualifier) = (true, "volatile ");
            }
            69..=72 => (var.writable, qualifier) = (false, "const "),
            73..=75 if ty.int_kind().is_some() => qualifier = "register ",
            _ => {}
        }
        if !var.addressable {
            var.bit = self.frame.own_bit();
            self.widen_target(&mut var);
        }
        // A qualifier in front of a pointer's declaration would qualify what it points to.
        if !var.writable && !ty.is_arithmetic() {
            (var.writable, qualifier) = (true, "");
        }
        (var, qualifier)
    }

    /// Only pointers that no other pointer leads to may promise more, or less, than all others.
    fn widen_target(&mut self, var: &mut Var) {
        if let Type::Pointer(_) = var.ty {
            let extent = self.rng.weighted(&[(5, 1), (2, 2), (2, 3), (1, 4)]);
            var.target = Target { extent, level: var.level, nullable: self.rng.chance(15) };
        }
    }

    /// Mostly a new name; sometimes that of an outer local variable, which is hidden from here on. Global
    /// names stay visible: pointers fall back on them anywhere.
    fn new_or_shadowing_name(&mut self) -> String {
        let depth = self.frame.scopes.len();
        if depth > 2 && self.rng.chance(12) {
            let taken: Vec<String> = self.frame.scopes[depth - 1].iter().map(|v| v.name.clone()).collect();
            let shadowed = self.pick_var(|var| var.level > 0 && var.writable && !taken.contains(&var.name));
            if let Some(var) = shadowed {
                return var.name;
            }
        }
        self.local_name("v")
    }

    fn declare_static_local(&mut self, ty: Type) {
        let name = self.local_name("st");
        let mut var = Var::new(name, ty, 0, MEMORY);
        var.addressable = true;
        let (text, _) = self.with_mode(Mode::Constant, |g| g.initializer(&Lvalue::of(&var), 1));
        let declared = self.declare(&var.ty, &var.name);
        self.line(&format!("static {declared} = {text};"));
        self.add_local(var);
    }
}
