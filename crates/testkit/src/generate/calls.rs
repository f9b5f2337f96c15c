//! Calls: direct, through tables and pointers, and variadic.

use super::context::{Function, Gen, Mode, Table, Var, Variadic};
use super::effects::Effects;
use super::expr::{Expr, Facts, Prec, Target};
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{Param, Type};

/// Something that can be called.
enum Callee {
    Function(usize),
    Table(Table),
    Pointer(Var, usize),
}

impl Gen<'_> {
    /// A call whose result has a suitable type, if there is a function and the time to run it.
    pub(super) fn call_returning(&mut self, depth: u32, wanted: impl Fn(&Type) -> bool) -> Option<Expr> {
        self.call(depth, |ret| ret.is_some_and(&wanted))
    }

    /// Any call, for a statement.
    pub(super) fn any_call(&mut self, depth: u32) -> Option<Expr> {
        self.call(depth, |_| true)
    }

    fn call(&mut self, depth: u32, wanted: impl Fn(Option<&Type>) -> bool) -> Option<Expr> {
        if self.mode == Mode::Constant || self.frame.unguarded {
            return None;
        }
        let mut candidates = self.callees(wanted);
        if candidates.is_empty() {
            return None;
        }
        let callee = candidates.swap_remove(self.rng.index(candidates.len()));
        self.frame.called = true;
        let depth = depth.saturating_sub(1).min(2);
        Some(match callee {
            Callee::Function(index) => self.direct_call(index, depth),
            Callee::Table(table) => self.table_call(&table, depth),
            Callee::Pointer(var, signature) => self.pointer_call(&var, signature, depth),
        })
    }

    fn callees(&self, wanted: impl Fn(Option<&Type>) -> bool) -> Vec<Callee> {
        let budget = self.config.max_cost / self.frame.weight;
        let fits =
            |cost: u64| self.frame.cost + cost * self.frame.weight <= self.config.max_cost && cost <= budget;
        let returns = |signature: usize| wanted(self.signatures[signature].ret.as_ref());
        let pure_only = self.mode == Mode::Pure;
        let mut found = Vec::new();
        for (index, function) in self.functions.iter().enumerate() {
            let allowed = !pure_only || function.effects.is_pure();
            if allowed && fits(function.cost) && returns(function.signature) {
                found.push(Callee::Function(index));
            }
        }
        if pure_only {
            return found;
        }
        for table in &self.tables {
            if fits(table.cost) && returns(table.signature) {
                found.push(Callee::Table(table.clone()));
            }
        }
        for var in self.visible() {
            if let Type::Function(signature) = var.ty
                && fits(self.signature_cost(signature))
                && returns(signature)
            {
                found.push(Callee::Pointer(var.clone(), signature));
            }
        }
        found
    }

    /// The most that a call through a pointer with this signature may cost.
    pub(super) fn signature_cost(&self, signature: usize) -> u64 {
        let costs = self.functions.iter().filter(|f| f.signature == signature).map(|f| f.cost);
        costs.max().unwrap_or(1)
    }

    fn direct_call(&mut self, index: usize, depth: u32) -> Expr {
        let function = self.functions[index].clone();
        self.frame.cost += function.cost * self.frame.weight;
        let (mut args, mut effects) = self.arguments(function.signature, index, depth);
        if let Some(variadic) = &function.variadic {
            self.variadic_arguments(variadic, &mut args, &mut effects);
        }
        let name = match self.rng.below(20) {
            0 => format!("(*{})", function.name),
            1 => format!("(&{})", function.name),
            _ => function.name.clone(),
        };
        self.call_result(&name, &args, function.signature, function.ret_range, effects.and(function.effects))
    }

    fn table_call(&mut self, table: &Table, depth: u32) -> Expr {
        self.frame.cost += table.cost * self.frame.weight;
        let index = self.with_mode(Mode::Pure, |g| g.index_below(table.len));
        let (args, effects) = self.beside(
            index.effects,
            |r: &(Vec<String>, Effects)| r.1,
            |g| g.arguments(table.signature, 0, depth),
        );
        let name = format!("{}[{}]", table.name, index.text);
        let effects = effects.and(index.effects).and(Effects::calling());
        self.call_result(&name, &args, table.signature, None, effects)
    }

    fn pointer_call(&mut self, var: &Var, signature: usize, depth: u32) -> Expr {
        self.frame.cost += self.signature_cost(signature) * self.frame.weight;
        let read = Lvalue::of(var).read().effects;
        let (args, effects) =
            self.beside(read, |r: &(Vec<String>, Effects)| r.1, |g| g.arguments(signature, 0, depth));
        let name = if self.rng.chance(50) { var.name.clone() } else { format!("(*{})", var.name) };
        self.call_result(&name, &args, signature, None, effects.and(read).and(Effects::calling()))
    }

    /// Arguments for the parameters. Pointers to functions lead to functions before `limit` only, so that
    /// no call comes back to where it started.
    fn arguments(&mut self, signature: usize, limit: usize, depth: u32) -> (Vec<String>, Effects) {
        let params = self.signatures[signature].params.clone();
        let mut effects = Effects::NONE;
        let mut args = Vec::new();
        for param in params {
            let arg = self.beside(effects, |e: &Expr| e.effects, |g| g.argument(&param, limit, depth));
            effects = effects.and(arg.effects);
            args.push(arg.arg());
        }
        (args, effects)
    }

    fn argument(&mut self, param: &Param, limit: usize, depth: u32) -> Expr {
        match &param.ty {
            Type::Function(signature) => self.function_address_before(*signature, limit),
            ty => {
                let mut place = self.unnamed(ty);
                place.range = param.range;
                place.store_target = Target { extent: param.extent, level: u32::MAX, nullable: false };
                self.value_for(&place, depth)
            }
        }
    }

    fn variadic_arguments(&mut self, variadic: &Variadic, args: &mut Vec<String>, effects: &mut Effects) {
        let params = match variadic {
            Variadic::Counted(ty) => {
                let n = self.rng.below(5);
                args.insert(0, n.to_string());
                let param = Param { ty: ty.clone(), range: None, extent: 1 };
                (0..n).map(|_| param.clone()).collect()
            }
            Variadic::Fixed(params) => params.clone(),
        };
        for param in params {
            let arg = self.beside(*effects, |e: &Expr| e.effects, |g| g.argument(&param, 0, 1));
            *effects = effects.and(arg.effects);
            args.push(self.exactly_typed(&param.ty, &arg));
        }
    }

    /// A variadic argument must have the type that `va_arg` names, after the default promotions.
    fn exactly_typed(&mut self, ty: &Type, arg: &Expr) -> String {
        let fits = match (ty, &arg.ty) {
            (Type::Int(want), have) => have.int_kind().is_some_and(|kind| kind.promoted() == *want),
            (Type::Float(_), Type::Float(_)) => true,
            (want, have) => want == have && !matches!(want, Type::Float(_)),
        };
        if fits {
            return arg.arg();
        }
        format!("({}){}", self.type_name(ty), arg.unary_operand())
    }

    fn call_result(
        &mut self,
        callee: &str,
        args: &[String],
        signature: usize,
        range: Option<Range>,
        effects: Effects,
    ) -> Expr {
        let ty = self.signatures[signature].ret.clone();
        let text = format!("{callee}({})", args.join(", "));
        let facts = match &ty {
            Some(Type::Int(kind) | Type::Enum(_, kind)) => Facts::Int(range.unwrap_or(kind.range())),
            Some(Type::Float(_)) => Facts::Float(None),
            Some(Type::Pointer(_)) => Facts::Pointer(Target::GLOBAL),
            _ => Facts::Nothing,
        };
        Expr { text, prec: Prec::Postfix, ty: ty.unwrap_or(Type::INT), facts, effects }
    }

    /// The address of any function with a signature.
    pub(super) fn function_address(&mut self, signature: usize) -> Expr {
        self.function_address_before(signature, self.functions.len())
    }

    fn function_address_before(&mut self, signature: usize, limit: usize) -> Expr {
        let suits = |f: &Function| f.signature == signature && f.variadic.is_none();
        let before: Vec<&Function> = self.functions[..limit].iter().filter(|f| suits(f)).collect();
        let name = self.rng.pick(&before).name.clone();
        let (text, prec) =
            if self.rng.chance(50) { (name, Prec::Primary) } else { (format!("&{name}"), Prec::Unary) };
        let ty = Type::Function(signature);
        Expr { text, prec, ty, facts: Facts::Nothing, effects: Effects::NONE }
    }
}
