//! What a program is started with: `main(int argc, char **argv)`, perhaps with the environment as a third parameter.
//!
//! C promises (5.1.2.2.1) that `argc` is not negative, that `argv` has so many elements that are strings, and that a null
//! pointer stands behind them. How many there are and how long they are is bounded by a shape, which is an assumption.
//! An environment is a list of strings with a null pointer behind them as well; nothing counts it.

use quipu_interp::resolve;
use quipu_ir::{Func, Module, SourceType, Ty, TypeId};

use crate::Leaf;
use crate::assumption::Assumption;
use crate::build::{Builder, Plan, Pointer};
use crate::interface::{Argument, Extent, Origin};
use crate::path::Path;
use crate::pointee::{Pointee, Targets, WIDER, text};
use crate::shape::{Choice, MOST_STRINGS, MOST_TEXT};

/// A program gets so many arguments, its name among them, unless its code speaks of more.
const ARGUMENTS: u64 = 5;
/// The variables of an environment.
const VARIABLES: u64 = 2;

/// A list of strings that `main` is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// The arguments of the program, with their number.
    Arguments { count: Leaf },
    /// The variables of the environment.
    Environment,
}

/// A list of strings.
#[derive(Clone, Debug)]
pub(crate) struct StringList {
    /// The pointer to it.
    name: String,
    /// How many strings there are at most.
    most: u64,
    /// How long they may be, if the user says so.
    text: Option<u64>,
}

impl Builder<'_> {
    /// The list of strings that a pointer is the start of because it is a parameter of `main`.
    pub fn given(&self, pointer: &Pointer) -> Option<Given> {
        if !is_start(self.module, self.interface.func) {
            return None;
        }
        let parameter = (0..).zip(&self.interface.arguments);
        let mut parameter = parameter.filter(|(_, argument)| **argument == Argument::Leaf(pointer.leaf));
        match (parameter.next()?.0, self.interface.arguments.first()?) {
            (1, Argument::Leaf(count)) => Some(Given::Arguments { count: *count }),
            (2, _) => Some(Given::Environment),
            _ => None,
        }
    }

    /// The strings that `main` is given.
    pub fn give_strings(&mut self, pointee: &Pointee<'_>, given: Given) {
        let mut targets = Targets::default();
        let Given::Arguments { count } = given else {
            self.list_strings(pointee, (VARIABLES, None), &mut targets);
            self.settle(pointee, targets);
            return;
        };
        let known = self.known_largest(count).filter(|&most| most <= MOST_STRINGS);
        targets.stated = known.is_some();
        let most = known.unwrap_or_else(|| self.most_arguments(pointee));
        self.list_arguments(pointee, count, (most, None), &mut targets);
        let id = self.settle(pointee, targets);
        if known.is_none() {
            self.interface.rests_on.limits.insert(count, (id, Some((0, self.promised_arguments(count)))));
        }
    }

    /// The strings that the user demands: so many, each so long.
    pub fn chosen_strings(
        &mut self,
        pointee: &Pointee<'_>,
        limits: (u64, Option<u64>),
        targets: &mut Targets,
    ) -> Result<(), String> {
        if !is_string_list(self.module, self.interface.leaves[pointee.pointer.leaf].source) {
            return Err("it does not point to strings".to_string());
        }
        match self.given(pointee.pointer) {
            Some(Given::Arguments { count }) => self.list_arguments(pointee, count, limits, targets),
            Some(Given::Environment) | None => self.list_strings(pointee, limits, targets),
        }
        Ok(())
    }

    /// The arguments of the program, and a null pointer behind them.
    fn list_arguments(
        &mut self,
        pointee: &Pointee<'_>,
        count: Leaf,
        (most, text): (u64, Option<u64>),
        targets: &mut Targets,
    ) {
        let (argc, argv) = (&self.interface.leaves[count].name, &pointee.name);
        let promise = format!(
            "`{argc}` is not negative, and `{argv}` has `{argc}` strings and a null pointer behind them"
        );
        self.interface.assume(Assumption::Promised(promise));
        targets.words.push(format!("has at most {most} strings"));
        self.list(pointee, (most, text), Extent::Listed { count }, targets);
        self.interface.leaves[count].range = Some((0, most));
    }

    /// Strings, and a null pointer behind them.
    fn list_strings(
        &mut self,
        pointee: &Pointee<'_>,
        (most, text): (u64, Option<u64>),
        targets: &mut Targets,
    ) {
        targets.words.push(format!("has at most {most} strings and a null pointer behind them"));
        self.list(pointee, (most, text), Extent::Terminated, targets);
    }

    fn list(
        &mut self,
        pointee: &Pointee<'_>,
        (most, text): (u64, Option<u64>),
        extent: Extent,
        targets: &mut Targets,
    ) {
        let name = pointee.name.clone();
        targets.wider = Some(wider(&name, most * WIDER, text));
        // Where there may be more of them, the list is longer, and nothing else.
        targets.anything = true;
        let plan = Plan {
            origin: Origin::Provided,
            name: format!("*{name}"),
            element: pointee.to,
            count: most + 1,
            free: most,
            before: 0,
            extent,
            path: name.clone(),
        };
        self.give(plan, pointee, None, targets);
        self.lists.extend(targets.own.last().map(|&object| (object, StringList { name, most, text })));
    }

    /// What a pointer in a list of strings points to; none if it is another one.
    pub fn listed_string(&mut self, pointee: &Pointee<'_>) -> Option<Targets> {
        let home = pointee.pointer.home?;
        let list = self.lists.get(&home)?.clone();
        // The first null pointer is the end, unless their number tells it.
        let null = self.interface.objects[home].extent == Extent::Terminated;
        let mut targets = Targets { null, anything: true, stated: list.text.is_some(), ..Targets::default() };
        let usual = self.shapes.deeper.length(&list.name, self.shapes.text).min(MOST_TEXT);
        let most = list.text.unwrap_or(usual);
        let plan = text(pointee, pointee.to, most, &mut targets);
        targets.words = vec![format!("has strings of at most {most} characters")];
        targets.wider = Some(wider(&list.name, list.most, Some(most * WIDER)));
        targets.about = Some(list.name);
        self.give(plan, pointee, None, &mut targets);
        Some(targets)
    }

    /// No program has more arguments: their number is a number, and the pointers to them are in memory.
    fn promised_arguments(&self, count: Leaf) -> u64 {
        let in_memory = (1 << 30) - 2;
        let most = self.interface.leaves[count].width().max_signed();
        if self.module.data_model.address_ty() == Ty::I64 { most } else { most.min(in_memory) }
    }

    /// As many arguments as usual, or more where goals need them.
    fn most_arguments(&self, pointee: &Pointee<'_>) -> u64 {
        let usual = u32::try_from(self.usual_arguments(pointee)).unwrap_or(u32::MAX);
        u64::from(self.shapes.deeper.nodes(&pointee.name, usual)).min(MOST_STRINGS)
    }

    /// As many arguments as the code speaks of: it uses one by its number, or compares their number.
    fn usual_arguments(&self, pointee: &Pointee<'_>) -> u64 {
        let Some(path) = pointee.pointer.path.as_ref() else { return ARGUMENTS };
        let used = self.usage.span(path).to.unsigned_abs().div_ceil(self.room(pointee));
        let compared = self.usage.largest_compared(&Path::argument(0)).map_or(0, |largest| largest + 1);
        ARGUMENTS.max(used).max(compared).min(MOST_STRINGS)
    }
}

/// A demand for more or longer strings.
fn wider(list: &str, most: u64, text: Option<u64>) -> String {
    let (most, text) = (most.min(MOST_STRINGS), text.map(|text| text.min(MOST_TEXT)));
    format!("{list}={}", Choice::Strings { most, text })
}

/// Whether a function is where a program starts, and is given its arguments.
fn is_start(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    let types: Option<Vec<TypeId>> = function.params.iter().map(|param| param.source).collect();
    let Some(types) = types.filter(|_| function.source_name == "main") else { return false };
    match types[..] {
        [count, arguments] => is_int(module, count) && is_string_list(module, arguments),
        [count, arguments, environment] => {
            is_int(module, count) && is_string_list(module, arguments) && is_string_list(module, environment)
        }
        _ => false,
    }
}

fn is_int(module: &Module, ty: TypeId) -> bool {
    matches!(module.types[resolve(module, ty)], SourceType::Int { bits: 32, signed: true, .. })
}

/// Whether a type is that of a pointer to pointers to characters.
pub(crate) fn is_string_list(module: &Module, ty: TypeId) -> bool {
    let behind = |ty: TypeId| match module.types[resolve(module, ty)] {
        SourceType::Pointer { to } => Some(to),
        _ => None,
    };
    let character = behind(ty).and_then(behind);
    character.is_some_and(|ty| matches!(module.types[resolve(module, ty)], SourceType::Int { bits: 8, .. }))
}
