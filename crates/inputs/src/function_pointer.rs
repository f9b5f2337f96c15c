//! What pointers to functions point to: functions of the program, and a stub.

use quipu_interp::is_modelled;
use quipu_ir::{Func, Function, Ty, TypeId};

use crate::build::Builder;
use crate::pointee::{Pointee, Targets};
use crate::shape::Choice;
use crate::stub::is_stub;
use crate::target::{Row, Target};

/// A pointer may point to so many functions of the program.
const MOST_FUNCTIONS: usize = 8;

impl Builder<'_> {
    /// The functions of a type, with a stub behind them: callers may have others than those of the program.
    pub fn usual_functions(&self, pointee: &Pointee<'_>, targets: &mut Targets) {
        let own = self.functions_of(pointee.to);
        let stub = self.stub_of(pointee.to);
        targets.words.extend(match (own.is_empty(), stub) {
            (true, None) => None,
            (true, Some(stub)) => Some(format!("is {}", self.told(stub))),
            (false, None) => Some("is a function of its type".to_string()),
            (false, Some(stub)) => Some(format!("is a function of its type, or {}", self.told(stub))),
        });
        targets.anything = stub.is_some();
        targets.made.extend(own.into_iter().chain(stub).map(Target::Function).map(Row::one));
    }

    /// What the user demands of a pointer to a function.
    pub fn chosen_function(
        &self,
        pointee: &Pointee<'_>,
        choice: &Choice,
        targets: &mut Targets,
    ) -> Result<(), String> {
        match choice {
            Choice::Functions(names) => self.named_functions(pointee, names, targets),
            Choice::Stub => {
                let stub = self.stub_of(pointee.to).ok_or("a test cannot define a function of its type")?;
                targets.words.push(format!("is {}", self.told(stub)));
                targets.made.push(Row::one(Target::Function(stub)));
                Ok(())
            }
            Choice::NonNull | Choice::Valid => {
                self.usual_functions(pointee, targets);
                match targets.made.is_empty() {
                    true => Err("no function of the program has its type".to_string()),
                    false => Ok(()),
                }
            }
            _ => Err("it points to a function".to_string()),
        }
    }

    fn named_functions(
        &self,
        pointee: &Pointee<'_>,
        names: &[String],
        targets: &mut Targets,
    ) -> Result<(), String> {
        for name in names {
            let found = self.module.functions.entries().find(|&(func, function)| {
                function.source_name == *name && self.fits(func, function, pointee.to)
            });
            let (func, _) = found.ok_or_else(|| format!("there is no function `{name}` of its type"))?;
            targets.made.push(Row::one(Target::Function(func)));
        }
        targets.words.push(format!("is {}", names.join(" or ")));
        Ok(())
    }

    /// The functions of the program to which a pointer of this type may point.
    fn functions_of(&self, ty: TypeId) -> Vec<Func> {
        let functions = self.module.functions.entries();
        let others = functions.filter(|(func, one)| *func != self.interface.func && !is_stub(one));
        let fitting = others.filter(|&(func, function)| self.fits(func, function, ty));
        let mut found: Vec<Func> = fitting.map(|(func, _)| func).collect();
        // Those whose addresses the program uses itself come first.
        found.sort_by_key(|func| !self.named.contains(func));
        found.truncate(MOST_FUNCTIONS);
        found
    }

    /// Whether a function has a type and can be called: it has code, or the program uses the address of a library
    /// function.
    fn fits(&self, func: Func, function: &Function, ty: TypeId) -> bool {
        let named = self.named.contains(&func) && is_modelled(&function.source_name);
        (function.code().is_some() || named) && self.same(function.ty, ty)
    }

    fn stub_of(&self, ty: TypeId) -> Option<Func> {
        let mut functions = self.module.functions.entries();
        let stub = functions.find(|(_, function)| is_stub(function) && self.same(function.ty, ty));
        stub.map(|(func, _)| func)
    }

    /// What a stub does, in words.
    fn told(&self, stub: Func) -> &'static str {
        let function = &self.module.functions[stub];
        match function.ret {
            _ if function.code().is_some() => "a stub that may change what it is given",
            None => "a stub that changes no memory",
            Some(Ty::Ptr) => "a stub that returns null and changes no memory",
            Some(_) => "a stub whose results are inputs and that changes no memory",
        }
    }
}
