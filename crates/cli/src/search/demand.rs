//! What the user asks of inputs: by options, and in a file.

use quipu_cfront::Snippet;
use quipu_inputs::{Allowed, Shape, Shapes};
use quipu_ir::Function;

use super::stub_spec::StubDemand;
use crate::args::Uninitialized;

/// Something asked of one input.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand<T> {
    /// The function whose input it is; every function that has such an input if none is named.
    pub function: Option<String>,
    /// The input.
    pub name: String,
    pub what: T,
    pub origin: Origin,
}

/// Where something was asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    /// By an option, as it was written.
    Option(String),
    /// In a file, at a place.
    File(Snippet),
}

/// What is asked for at one place: by options, or in a file.
#[derive(Clone, Default, Debug)]
pub struct Given {
    pub shapes: Vec<Demand<Shape>>,
    pub ranges: Vec<Demand<Allowed>>,
    pub assumptions: Vec<Assumption>,
    /// What functions do that nobody defines.
    pub stubs: Vec<StubDemand>,
    /// The functions that a file speaks of.
    pub functions: Vec<(String, Snippet)>,
    pub limits: Limits,
}

/// A condition in C on the inputs of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    /// The function; the one under test if none is named.
    pub function: Option<String>,
    pub text: String,
    pub origin: Origin,
}

/// Limits for all shapes, where they are given.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    pub elements: Option<u64>,
    pub text: Option<u64>,
    pub depth: Option<u32>,
    pub null: Option<bool>,
    pub alias: Option<bool>,
    pub finite_floats: Option<bool>,
    pub failing: Option<u32>,
    pub uninitialized: Option<Uninitialized>,
}

/// So many allocations at the start of a run may fail unless somebody says otherwise.
const FAILING: u32 = 8;

/// All that is asked for. Options count more than the file, and what is about one function more than what is about all.
#[derive(Clone, Default, Debug)]
pub struct Demands {
    pub file: Given,
    pub options: Given,
}

impl Demands {
    /// The shapes that are asked of the inputs of a function; those that count most come last.
    pub fn shapes<'a>(&'a self, function: &'a Function) -> impl Iterator<Item = &'a Demand<Shape>> {
        by_weight(&self.file.shapes, &self.options.shapes, function)
    }

    /// The ranges of the inputs of a function. An input has those of the source that counts most.
    pub fn ranges<'a>(&'a self, function: &'a Function) -> Vec<&'a Demand<Allowed>> {
        let all: Vec<&Demand<Allowed>> =
            by_weight(&self.file.ranges, &self.options.ranges, function).collect();
        let weight = |demand: &Demand<Allowed>| (demand.is_option(), demand.function.is_some());
        let counts = |demand: &&&Demand<Allowed>| {
            all.iter().all(|other| other.name != demand.name || weight(other) <= weight(demand))
        };
        all.iter().filter(counts).copied().collect()
    }

    /// Whether floats from outside are neither infinite nor NaN.
    pub fn finite_floats(&self) -> bool {
        self.options.limits.finite_floats.or(self.file.limits.finite_floats).unwrap_or(false)
    }

    /// What reads give of what was never written.
    pub fn uninitialized(&self) -> quipu_cover::Uninitialized {
        match self.options.limits.uninitialized.or(self.file.limits.uninitialized) {
            Some(Uninitialized::Trap) => quipu_cover::Uninitialized::Trap,
            Some(Uninitialized::Any) => quipu_cover::Uninitialized::Any,
            Some(Uninitialized::Automatic) | None => quipu_cover::Uninitialized::Automatic,
        }
    }

    /// All limits and shapes for a function.
    pub fn shapes_of(&self, function: &Function) -> Shapes {
        let mut shapes = Shapes { failing: FAILING, ..Shapes::default() };
        for limits in [&self.file.limits, &self.options.limits] {
            let Limits { elements, text, depth, null, alias, failing, finite_floats: _, uninitialized: _ } =
                limits.clone();
            shapes.elements = elements.unwrap_or(shapes.elements);
            shapes.text = text.unwrap_or(shapes.text);
            shapes.depth = depth.unwrap_or(shapes.depth);
            shapes.null = null.unwrap_or(shapes.null);
            shapes.alias = alias.unwrap_or(shapes.alias);
            shapes.failing_stated |= failing.is_some();
            shapes.failing = failing.unwrap_or(shapes.failing);
        }
        for demand in self.shapes(function) {
            shapes.named.insert(demand.name.clone(), demand.what.clone());
        }
        shapes
    }
}

fn by_weight<'a, T>(
    file: &'a [Demand<T>],
    options: &'a [Demand<T>],
    function: &'a Function,
) -> impl Iterator<Item = &'a Demand<T>> {
    let general = |demands: &'a [Demand<T>]| demands.iter().filter(|demand| demand.function.is_none());
    let special =
        move |demands: &'a [Demand<T>]| demands.iter().filter(|demand| demand.is_only_for(function));
    general(file).chain(special(file)).chain(general(options)).chain(special(options))
}

impl<T> Demand<T> {
    pub fn is_option(&self) -> bool {
        matches!(self.origin, Origin::Option(_))
    }

    /// Whether it is about the inputs of a function.
    pub fn is_for(&self, function: &Function) -> bool {
        self.function.is_none() || self.is_only_for(function)
    }

    fn is_only_for(&self, function: &Function) -> bool {
        self.function.as_ref() == Some(&function.name)
    }
}

impl Origin {
    /// What was asked for, as it was written or with its place.
    fn told(&self, what: &str) -> String {
        match self {
            Origin::Option(text) => text.clone(),
            Origin::File(at) => format!("{}:{}: {what}", at.file, at.line),
        }
    }
}

impl std::fmt::Display for Demand<Allowed> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.origin.told(&format!("{} = {}", self.name, self.what)))
    }
}

impl std::fmt::Display for Assumption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.origin.told(&format!("assume '{}'", self.text)))
    }
}

#[cfg(test)]
mod tests {
    use quipu_inputs::Number;

    use super::*;

    fn range(function: Option<&str>, low: i128, option: bool) -> Demand<Allowed> {
        let at = Snippet::new("quipu.toml", 1, 1, 1, "n");
        let origin = if option { Origin::Option("--range".to_string()) } else { Origin::File(at) };
        let what = Allowed::Between(Number::Int(low), Number::Int(99));
        Demand { function: function.map(str::to_string), name: "n".to_string(), what, origin }
    }

    /// A function by its name: all that counts here.
    fn function(name: &str) -> Function {
        Function {
            name: name.to_string(),
            source_name: name.to_string(),
            ty: quipu_base::Id::new(0),
            params: Vec::new(),
            ret: None,
            returns_struct: false,
            variadic: false,
            noreturn: false,
            local: false,
            weak: false,
            span: quipu_ir::Span {
                file: quipu_base::Id::new(0),
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 1,
            },
            body: quipu_ir::Body::Declared,
        }
    }

    #[test]
    fn options_count_more_than_a_file_and_one_function_more_than_all() {
        let (f, g) = (function("f"), function("g"));
        let low = |demand: &&Demand<Allowed>| match demand.what {
            Allowed::Between(Number::Int(low), _) => low,
            other => panic!("{other} is no range of integers"),
        };
        let lows = |demands: &Demands, function: &Function| -> Vec<i128> {
            demands.ranges(function).iter().map(low).collect()
        };
        let mut demands = Demands::default();
        demands.file.ranges = vec![range(Some("f"), 2, false), range(None, 1, false)];
        assert_eq!((lows(&demands, &f), lows(&demands, &g)), (vec![2], vec![1]));
        demands.options.ranges = vec![range(None, 3, true), range(None, 4, true)];
        assert_eq!((lows(&demands, &f), lows(&demands, &g)), (vec![3, 4], vec![3, 4]));
        demands.options.ranges.push(range(Some("g"), 5, true));
        assert_eq!((lows(&demands, &f), lows(&demands, &g)), (vec![3, 4], vec![5]));
    }

    #[test]
    fn limits_of_options_count_more() {
        let mut demands = Demands::default();
        demands.file.limits = Limits { elements: Some(3), null: Some(true), ..Limits::default() };
        demands.options.limits.null = Some(false);
        assert!(!demands.finite_floats());
        demands.file.limits.finite_floats = Some(true);
        assert!(demands.finite_floats());
        demands.options.limits.finite_floats = Some(false);
        assert!(!demands.finite_floats());
        let shapes = demands.shapes_of(&function("f"));
        assert_eq!((shapes.elements, shapes.null, shapes.alias), (3, false, true));
    }
}
