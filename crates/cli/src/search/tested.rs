//! Functions under test with the inputs that are asked for, or what is wrong with what is asked for.

use quipu_base::nearest_name;
use quipu_cfront::{Diagnostic, Program, Severity, Snippet};
use quipu_cover::{Options, Range, RangeError, Subject};
use quipu_inputs::{Allowed, Assumption, Choice, Interface, LeafInfo, Number, Object, Place, Shape, Shapes};
use quipu_ir::{Func, Ty};

use super::Loaded;
use super::assume::Precondition;
use super::demand::{Demand, Origin};
use crate::declared;
use crate::exit::Exit;
use crate::load;
use crate::render;

/// So many names are listed in a hint.
const MOST_NAMES: usize = 12;

/// A function under test.
pub struct Tested<'l> {
    pub subject: Subject,
    /// What the search should do for it.
    pub options: Options,
    /// The ranges of its inputs, in the order of those in the options.
    pub ranges: Vec<&'l Demand<Allowed>>,
    pub preconditions: Vec<&'l Precondition>,
}

/// The functions with their inputs, for a search with these options. What is asked of an input must be possible, and
/// there must be such an input in one of the functions. `relies` tells of which functions preconditions are inferred.
pub fn tested<'l>(
    loaded: &'l Loaded,
    funcs: &[Func],
    options: &Options,
    relies: impl Fn(Func) -> bool,
) -> Result<Vec<Tested<'l>>, Exit> {
    let program = &loaded.program;
    let candidates: Vec<Candidate<'l>> =
        funcs.iter().map(|&func| Candidate::new(loaded, func, options, relies(func))).collect();
    let mut errors = misnamed(loaded, &candidates);
    errors.extend(candidates.iter().flat_map(|candidate| candidate.refused(program)));
    let mut all = Vec::new();
    for candidate in candidates {
        match candidate.restricted(loaded) {
            Ok(tested) => all.push(tested),
            Err(error) => errors.push(*error),
        }
    }
    if errors.is_empty() {
        return Ok(all);
    }
    // Several functions may have the same thing to say about one demand.
    errors.dedup();
    let errors: Vec<String> = errors.into_iter().map(|error| error.to_string()).collect();
    Err(load::complain(&errors.join("\n")))
}

/// Says which parameters and globals are null in all tests because nothing can be made to point to.
pub fn warn_about_null(loaded: &Loaded, subject: &Subject) {
    let program = &loaded.program;
    let interface = &subject.interface;
    for &(leaf, why) in &interface.only_null {
        let info = &interface.leaves[leaf];
        let provided = |object: Object| interface.objects[object].origin == quipu_inputs::Origin::Provided;
        if matches!(info.place, Place::Memory { object, .. } if provided(object)) {
            continue;
        }
        let warning = Diagnostic {
            severity: Severity::Warning,
            message: format!("`{}` is null in all tests: {why}", info.name),
            place: declared::snippet(program, interface.func, &info.name),
            hint: Some("verdicts hold for this pointer being null only".to_string()),
        };
        eprintln!("{warning}");
    }
}

/// A function whose inputs are shaped, but not restricted yet.
struct Candidate<'l> {
    interface: Interface,
    options: Options,
    shapes: Vec<&'l Demand<Shape>>,
    ranges: Vec<&'l Demand<Allowed>>,
}

/// What is wrong with a demand: about a place in the source, and the place of the demand if it stands in a file.
#[derive(PartialEq)]
struct Complaint {
    error: Diagnostic,
    note: Option<(Snippet, String)>,
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.error)?;
        match &self.note {
            Some((at, text)) => write!(f, "\n{}:{}:{}: note: {text}\n{at}", at.file, at.line, at.column),
            None => Ok(()),
        }
    }
}

impl<'l> Candidate<'l> {
    fn new(loaded: &'l Loaded, func: Func, options: &Options, relies: bool) -> Candidate<'l> {
        let module = &loaded.program.module;
        let function = &module.functions[func];
        let mut shapes = Shapes { rely: relies, ..loaded.demands.shapes_of(function) };
        loaded.contract_ranges(function).for_each(|range| limit(&mut shapes, &range.name, range.high));
        for demand in loaded.demands.ranges(function) {
            if let Allowed::Only(Number::Int(most)) | Allowed::Between(_, Number::Int(most)) = demand.what {
                limit(&mut shapes, &demand.name, most);
            }
        }
        let interface = Interface::of(module, func, &shapes);
        let is_here =
            |demand: &&Demand<Allowed>| interface.leaves.iter().any(|leaf| range(demand).is_about(leaf));
        let ranges: Vec<&Demand<Allowed>> =
            loaded.demands.ranges(function).into_iter().filter(is_here).collect();
        let options = Options {
            shapes,
            ranges: ranges.iter().map(|demand| range(demand)).collect(),
            finite_floats: loaded.demands.finite_floats(),
            uninitialized: loaded.demands.uninitialized(),
            float_departures: loaded.options.float_departures().to_vec(),
            ..options.clone()
        };
        Candidate { interface, options, shapes: loaded.demands.shapes(function).collect(), ranges }
    }

    /// Shapes that do not fit their inputs.
    fn refused(&self, program: &Program) -> Vec<Complaint> {
        let refused = self.interface.refused.iter().map(|refused| {
            let demand = self.shapes.iter().rev().find(|demand| demand.name == refused.name);
            let demand = demand.expect("only what is demanded is refused");
            let message = format!("`{}` cannot be {}", refused.name, refused.why);
            let place = declared::snippet(program, self.interface.func, &refused.name);
            let hints: Vec<String> = [self.type_of(program, &refused.name), self.lengths(&demand.what)]
                .into_iter()
                .flatten()
                .collect();
            complaint(&demand.origin, place, message, hints.join("; "))
        });
        refused.collect()
    }

    fn type_of(&self, program: &Program, input: &str) -> Option<String> {
        let leaf = self.interface.leaf(input)?;
        let ty = quipu_ctext::declare(&program.module.types, self.interface.leaves[leaf].source, "")?;
        Some(format!("it is of type `{}`", ty.trim()))
    }

    /// What could be the length of an array, if something else was named.
    fn lengths(&self, shape: &Shape) -> Option<String> {
        let named = shape.choices.iter().filter_map(|choice| match choice {
            Choice::Array(length) => Some(&length.inputs),
            _ => None,
        });
        let is_number = |leaf: &&LeafInfo| matches!(leaf.ty, Ty::Int(_)) && !leaf.name.contains('[');
        let numbers: Vec<&str> =
            self.interface.leaves.iter().filter(is_number).map(|leaf| leaf.name.as_str()).collect();
        let wrong = named.flatten().find(|name| !numbers.contains(&name.as_str()))?;
        let nearest = nearest_name(wrong, numbers.iter().copied());
        Some(match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if numbers.is_empty() => "no integer is known when it gets its shape".to_string(),
            None => format!("the integers are {}", numbers[..numbers.len().min(MOST_NAMES)].join(", ")),
        })
    }

    fn restricted(self, loaded: &'l Loaded) -> Result<Tested<'l>, Box<Complaint>> {
        let program = &loaded.program;
        let func = self.interface.func;
        let name = &program.module.functions[func].name;
        let preconditions: Vec<&Precondition> =
            loaded.preconditions.iter().filter(|one| one.function == *name).collect();
        let gates = preconditions.iter().map(|one| one.gate).collect();
        let mut subject =
            Subject::new(&program.module, func, gates, &self.options).map_err(|error| match error {
                RangeError::Unknown { name, .. } => unreachable!("the range of `{name}` is about an input"),
                RangeError::Empty { name } => {
                    let culprit = self.ranges.iter().rev().find(|demand| {
                        self.interface
                            .leaf(&name)
                            .is_some_and(|leaf| range(demand).is_about(&self.interface.leaves[leaf]))
                    });
                    let origin = culprit.map(|demand| &demand.origin).expect("a range excludes all values");
                    let place = declared::snippet(program, func, &name);
                    Box::new(complaint(
                        origin,
                        place,
                        format!("no value of `{name}` lies in its range"),
                        String::new(),
                    ))
                }
            })?;
        for one in &preconditions {
            subject.interface.assume(Assumption::Stated(format!("`{}`", one.assumption.text)));
        }
        for text in loaded.stated_about(&subject.interface) {
            subject.interface.assume(Assumption::Stated(text));
        }
        Ok(Tested { subject, options: self.options, ranges: self.ranges, preconditions })
    }
}

fn range(demand: &Demand<Allowed>) -> Range {
    Range { name: demand.name.clone(), values: demand.what }
}

/// A number is not larger than this; less may be known already.
fn limit(shapes: &mut Shapes, name: &str, most: i128) {
    let most = u64::try_from(most.max(0)).unwrap_or(u64::MAX);
    let known = shapes.largest.entry(name.to_string()).or_insert(most);
    *known = most.min(*known);
}

/// Demands on inputs that no function has.
fn misnamed(loaded: &Loaded, candidates: &[Candidate<'_>]) -> Vec<Complaint> {
    let demands = &loaded.demands;
    let shaped = |interface: &Interface, name: &str| interface.shaped.contains(name);
    let ranged = |interface: &Interface, demand: &Demand<Allowed>| {
        interface.leaves.iter().any(|leaf| range(demand).is_about(leaf))
    };
    let shapes = demands.file.shapes.iter().chain(&demands.options.shapes);
    let ranges = demands.file.ranges.iter().chain(&demands.options.ranges);
    let mut errors = Vec::new();
    for demand in shapes {
        errors.extend(missing(loaded, candidates, demand, "pointer", |one| shaped(one, &demand.name)));
    }
    for demand in ranges {
        errors.extend(missing(loaded, candidates, demand, "input", |one| ranged(one, demand)));
    }
    errors
}

/// A complaint if a demand concerns some of the functions, and none of these has such an input. What a file says about
/// all functions is no mistake: the function with this input may be in another program.
fn missing<T>(
    loaded: &Loaded,
    candidates: &[Candidate<'_>],
    demand: &Demand<T>,
    kind: &str,
    has: impl Fn(&Interface) -> bool,
) -> Option<Complaint> {
    let program = &loaded.program;
    let function = |candidate: &Candidate<'_>| &program.module.functions[candidate.interface.func];
    let concerned: Vec<&Candidate<'_>> =
        candidates.iter().filter(|candidate| demand.is_for(function(candidate))).collect();
    if let (Some(other), Origin::Option(_), []) = (&demand.function, &demand.origin, &concerned[..]) {
        let hint = format!("-f {other} puts it under test");
        return Some(complaint(&demand.origin, None, format!("`{other}` is not under test"), hint));
    }
    let optional = demand.function.is_none() && !demand.is_option();
    let first = concerned.first().filter(|_| !optional)?;
    if concerned.iter().any(|candidate| has(&candidate.interface)) {
        return None;
    }
    let name = &demand.name;
    let pointless = concerned.iter().find(|candidate| candidate.interface.leaf(name).is_some());
    if let Some(candidate) = pointless {
        let place = declared::snippet(program, candidate.interface.func, name);
        let hint = "only pointers have shapes; --range and --fix restrict numbers".to_string();
        return Some(complaint(&demand.origin, place, format!("`{name}` is no pointer"), hint));
    }
    let message = match &concerned[..] {
        [only] => format!("`{}` has no {kind} `{name}`", function(only).source_name),
        _ => {
            format!("no function under test has a{} {kind} `{name}`", if kind == "input" { "n" } else { "" })
        }
    };
    let place = render::snippet(program, function(first).span);
    Some(complaint(&demand.origin, place, message, known(&concerned, name, kind)))
}

/// The inputs that there are.
fn known(candidates: &[&Candidate<'_>], wrong: &str, kind: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for candidate in candidates {
        for leaf in candidate.interface.leaves.iter() {
            if (kind == "input" || leaf.targets.is_some()) && !names.contains(&leaf.name.as_str()) {
                names.push(&leaf.name);
            }
        }
    }
    let meant = nearest_name(wrong, names.iter().copied());
    let meant = meant.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    let owner = if candidates.len() == 1 { "its" } else { "the" };
    let more = if names.len() > MOST_NAMES { ", ..." } else { "" };
    names.truncate(MOST_NAMES);
    let list = if names.is_empty() { "none".to_string() } else { names.join(", ") };
    format!("{meant}{owner} {kind}s are {list}{more}")
}

fn complaint(origin: &Origin, place: Option<Snippet>, message: String, hint: String) -> Complaint {
    let (hint, note) = match origin {
        Origin::Option(text) if hint.is_empty() => (format!("{text} asks for it"), None),
        Origin::Option(text) => (format!("{hint} ({text})"), None),
        Origin::File(at) => (hint, Some((at.clone(), "asked for here".to_string()))),
    };
    let hint = Some(hint).filter(|hint| !hint.is_empty());
    Complaint { error: Diagnostic { severity: Severity::Error, message, place, hint }, note }
}
