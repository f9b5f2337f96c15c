//! Calls: which functions, what they can see of the memory, and what they leave behind.
//!
//! A function sees the objects that its arguments, the globals and exposed addresses lead to. The other objects of
//! its caller stay as they are, so that what one caller knows about them does not depend on other callers.

use quipu_ir::{Body, Callee, Func, Function, Inst, Ty, Value};

use super::library::{Effect, effect_of};
use super::object::{Object, Site};
use super::state::State;
use super::step::{Callees, Entered, Step};
use super::tables::{FunctionTable, Tables};
use super::target_set::TargetSet;

impl Tables<'_> {
    /// What a call may call.
    pub fn callees(&self, func: Func, inst: &Inst, callee: Callee, arguments: &[Value]) -> Callees {
        let Some(table) = &self.functions[func] else { return Callees::default() };
        let pointer = match callee {
            Callee::Direct(func) => return Callees { functions: vec![func], unknown: false },
            Callee::Indirect(pointer) => &table.values[pointer],
        };
        let result = inst.result.map(|result| table.body.ty(result));
        let fits = |function: &Function| {
            let params = function.params.iter().map(|param| param.ty);
            params.eq(arguments.iter().map(|&argument| table.body.ty(argument)))
                && (result.is_none() || result == function.ret)
        };
        self.functions_behind(pointer, fits)
    }

    /// The functions to which a pointer may point, of those that fit. An input may be any function.
    pub fn functions_behind(&self, pointer: &TargetSet, fits: impl Fn(&Function) -> bool) -> Callees {
        let unknown = pointer.may_be_unknown() || pointer.objects().any(|object| self.is_shared(object));
        let fitting = self.module.functions.entries().filter(|(_, function)| fits(function));
        let named = |func: Func| pointer.has(Object::Function(func), 0);
        let functions = fitting.map(|(func, _)| func).filter(|&func| unknown || named(func));
        Callees { functions: functions.collect(), unknown }
    }

    /// Executes a call.
    pub fn call(
        &self,
        site: Site,
        inst: &Inst,
        callee: Callee,
        arguments: &[Value],
        state: &mut State,
        step: &mut Step,
    ) {
        let Some(table) = &self.functions[site.func] else { unreachable!("only entered functions call") };
        let callees = self.callees(site.func, inst, callee, arguments);
        let pointers: Vec<TargetSet> = arguments.iter().map(|&value| table.values[value].clone()).collect();
        let mut after: Option<State> = None;
        let mut add = |state: State| match &mut after {
            Some(after) => drop(after.join(&state, self.size)),
            None => after = Some(state),
        };
        for &func in &callees.functions {
            if let Some(state) = self.call_one(site, table, func, (arguments, &pointers), state, step) {
                add(state);
            }
        }
        if callees.unknown {
            let mut state = state.clone();
            self.call_outside(&pointers, &mut state, step);
            add(state);
        }
        step.callees = callees;
        match after {
            Some(after) => *state = after,
            None => step.ends = true,
        }
    }

    /// Calls one function: the memory behind the call, if a run comes there.
    fn call_one(
        &self,
        site: Site,
        table: &FunctionTable<'_>,
        func: Func,
        (arguments, pointers): (&[Value], &[TargetSet]),
        state: &State,
        step: &mut Step,
    ) -> Option<State> {
        let function = &self.module.functions[func];
        match &function.body {
            Body::Defined(_) => self.call_code(func, pointers, state, step),
            Body::Unsupported(_) => {
                let mut state = state.clone();
                self.call_outside(pointers, &mut state, step);
                let globals = state.objects().filter(|object| matches!(object, Object::Global(_))).collect();
                self.havoc(globals, &mut state, step);
                Some(state)
            }
            Body::Declared => {
                let mut state = state.clone();
                let effect = effect_of(&function.source_name).unwrap_or(Effect::Anything);
                self.library(effect, site, table, (arguments, pointers), &mut state, step);
                (!function.noreturn).then_some(state)
            }
        }
    }

    /// Calls a function with code.
    pub fn call_code(
        &self,
        callee: Func,
        pointers: &[TargetSet],
        state: &State,
        step: &mut Step,
    ) -> Option<State> {
        let unknown = self.exposed_in(state);
        let globals = state.objects().filter(|object| matches!(object, Object::Global(_)));
        let roots =
            pointers.iter().flat_map(TargetSet::objects).chain(globals).chain(unknown.iter().copied());
        let seen = state.reachable(roots, &unknown, &self.constants);
        let (passed, kept) = state.split(|n, _| seen[n]);
        let back = self.functions[callee].as_ref().and_then(|table| {
            step.result.add_all(&table.returned);
            table.exit.as_ref()
        });
        let after = back.map(|exit| {
            // Local objects of other callers, which other calls have shown to the callee, do not exist here.
            let stays = |object: Object| match object {
                Object::Slot(func, _) => self.recursive[func] || passed.get(object).is_some(),
                Object::Argument(_) => passed.get(object).is_some(),
                _ => true,
            };
            let mut after = exit.split(|_, object| stays(object)).0;
            after.join(&kept, self.size);
            after
        });
        step.entered.push(Entered { callee, arguments: pointers.to_vec(), state: passed });
        after
    }

    /// The memory when a function has returned: its local objects are gone. Those of a recursive function cannot be
    /// told from those of the activations that go on.
    pub fn left(&self, func: Func, state: &State) -> State {
        match self.recursive[func] {
            true => state.clone(),
            false => state.without(|object| is_local_to(func, object)),
        }
    }

    /// What a function returns, for its caller.
    pub fn returned(&self, func: Func, targets: &TargetSet) -> TargetSet {
        match self.recursive[func] {
            true => targets.clone(),
            false => targets.with_ended(|object| is_local_to(func, object)),
        }
    }

    /// Calls a function of which nothing is known. It may change what its arguments lead to, and returns anything.
    pub fn call_outside(&self, pointers: &[TargetSet], state: &mut State, step: &mut Step) {
        let seen = self.reached_by(pointers, state);
        step.exposed.extend(seen.iter().filter(|&&object| !self.is_exposed(object)));
        self.havoc(seen, state, step);
        step.result.add_all(&TargetSet::unknown());
    }

    /// The objects to which pointers lead, also through other pointers.
    pub fn reached_by(&self, pointers: &[TargetSet], state: &State) -> Vec<Object> {
        let unknown = self.exposed_in(state);
        let mut roots: Vec<Object> = pointers.iter().flat_map(TargetSet::objects).collect();
        if pointers.iter().any(TargetSet::may_be_unknown) {
            roots.extend(&unknown);
        }
        let seen = state.reachable(roots, &unknown, &self.constants);
        state.objects().zip(seen).filter(|(_, seen)| *seen).map(|(object, _)| object).collect()
    }

    /// The pointers that a call passes to a function: nothing for numbers.
    pub fn is_pointer(table: &FunctionTable<'_>, value: Value) -> bool {
        table.body.ty(value) == Ty::Ptr
    }
}

fn is_local_to(func: Func, object: Object) -> bool {
    match object {
        Object::Slot(own, _) => own == func,
        Object::Alloca(site) => site.func == func,
        _ => false,
    }
}
