//! Contracts of functions: preconditions as gates, and a function around the function that evaluates the rest.

use quipu_ctext::declare;
use quipu_ir::{Body, Func, Module, SourceType};

use crate::build::{Output, clause_place, clause_text};
use crate::lines::Lines;
use crate::names::Names;
use crate::problem::Problem;
use crate::source::{Annotation, Place, Source};
use crate::translate::{Moment, Purpose};
use crate::tree::{Clause, ClauseKind, Expr, Said};
use crate::{ClaimKind, Contract, Gate, NoteKind, ranges, shapes};

/// The clauses that are written about a function.
pub(crate) struct Written<'a> {
    func: Func,
    clauses: Vec<(&'a Names<'a>, &'a Clause)>,
}

/// Takes the clauses of a comment outside of bodies.
pub(crate) fn collect<'a>(
    output: &mut Output<'_>,
    names: &'a Names<'a>,
    annotation: &Annotation,
    said: &'a Said,
    written: &mut Vec<Written<'a>>,
) {
    let source = names.source;
    let (unknown, clauses): (Vec<_>, Vec<_>) =
        said.clauses.iter().partition(|clause| matches!(clause.kind, ClauseKind::Unsupported(_)));
    for clause in unknown {
        if let ClauseKind::Unsupported(what) = &clause.kind {
            output.complain(source, Problem::unsupported(&first_word(source, &clause.place), what.as_str()));
        }
    }
    let Some(&first) = clauses.first() else { return };
    for clause in &clauses {
        if let ClauseKind::Assert(_) | ClauseKind::LoopInvariant(_) = clause.kind {
            let place = first_word(source, &clause.place);
            output
                .complain(source, Problem::wrong(&place, "this clause belongs into the body of a function"));
            return;
        }
    }
    let Some(func) = annotated(output.module, source, annotation.comment.end) else {
        let place = first_word(source, &first.place);
        let problem = Problem::wrong(&place, "this contract is about no function of the program");
        output.complain(source, problem.hint("a contract stands in front of the function that it is about"));
        return;
    };
    let clauses = clauses.into_iter().map(|clause| (names, clause));
    match written.iter_mut().find(|one| one.func == func) {
        Some(one) => one.clauses.extend(clauses),
        None => written.push(Written { func, clauses: clauses.collect() }),
    }
}

/// The keyword of a clause.
fn first_word(source: &Source, place: &Place) -> Place {
    let bytes = &source.bytes[place.clone()];
    let length = bytes.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(bytes.len());
    place.start..place.start + length.max(1)
}

/// The function whose declaration starts behind a place: the name in front of the first parenthesis.
pub(crate) fn annotated(module: &Module, source: &Source, from: usize) -> Option<Func> {
    let mut at = source.next(from);
    let mut last = "";
    loop {
        let word = source.word(at);
        match source.at(at) {
            b'(' if matches!(last, "__attribute__" | "__declspec" | "_Alignas") => {
                at = source.closing(at)?;
                last = "";
            }
            b'(' => break,
            b';' | b'{' | b'}' | b'=' | 0 => return None,
            _ if !word.is_empty() => last = word,
            _ => {}
        }
        at = source.next(at + word.len().max(1));
    }
    let mut same = module.functions.entries().filter(|(_, function)| {
        let is_here = module.files[function.span.file] == source.name;
        function.source_name == last && (!function.local || is_here)
    });
    same.next().map(|(func, _)| func)
}

/// Translates the contract of a function.
pub(crate) fn translate(
    output: &mut Output<'_>,
    written: &Written<'_>,
    sources: &[Source],
    bodies: &[Vec<(Func, Place)>],
) {
    let module = output.module;
    let function = &module.functions[written.func];
    let source = written.clauses[0].0.source;
    let whole = first_word(source, &written.clauses[0].1.place);
    if function.body == Body::Declared {
        let message = format!("`{}` has no body: its contract is not checked", function.source_name);
        output.note(source, NoteKind::NotChecked, &whole, &message);
        return;
    }
    let Some(parameters) = parameters(module, written.func).filter(|_| function.code().is_some()) else {
        let message =
            format!("`{}` cannot be called from a contract: it is not checked", function.source_name);
        output.note(source, NoteKind::NotChecked, &whole, &message);
        return;
    };
    let file = module.files[function.span.file].as_str();
    let home = match sources.iter().position(|source| source.name == file) {
        Some(home) => home,
        None if sources.len() == 1 => 0,
        None => {
            let message = "this is not checked: the function is defined in a header, of one of several files";
            output.note(source, NoteKind::NotChecked, &whole, message);
            return;
        }
    };
    let mut maker = Maker { output, written, parameters, home, behaviors: Vec::new() };
    maker.behaviors();
    let body = bodies.iter().take(sources.len()).enumerate().find_map(|(n, bodies)| {
        let (_, body) = bodies.iter().find(|(func, _)| *func == written.func)?;
        Some((n, body.start + 1))
    });
    let gates = maker.gates(body);
    let wrapper = maker.wrapper();
    maker.notes();
    let is_parameter = |name: &str| {
        function.params.iter().any(|param| param.name.as_deref() == Some(name) && param.source.is_some())
    };
    let general = written.clauses.iter().filter(|(_, clause)| clause.behavior.is_none());
    let preconditions = general.filter_map(|(_, clause)| match &clause.kind {
        ClauseKind::Requires(predicate) => Some(predicate),
        _ => None,
    });
    let ranges = ranges::ranges(preconditions.clone(), function, &written.clauses[0].0.macros);
    let shapes = preconditions.flat_map(|predicate| shapes::shapes(predicate, &is_parameter, &ranges));
    let shapes = shapes.collect();
    let contract = Contract {
        function: function.name.clone(),
        place: clause_place(source, &written.clauses[0].1.place),
        wrapper,
        gates,
        shapes,
        ranges,
    };
    output.annotations.contracts.push(contract);
}

/// The parameters of a function as C declares them, and their names.
struct Parameters {
    list: String,
    names: Vec<String>,
}

fn parameters(module: &Module, func: Func) -> Option<Parameters> {
    let function = &module.functions[func];
    if function.variadic {
        return None;
    }
    let visible = function.params.iter().filter(|param| param.source.is_some());
    let names = visible.map(|param| param.name.clone()).collect::<Option<Vec<String>>>()?;
    Some(Parameters { list: quipu_ctext::parameters(module, func)?, names })
}

/// A behavior, and the C variable that holds whether it applies.
struct Behavior<'a> {
    name: String,
    variable: String,
    assumes: Vec<(&'a Names<'a>, &'a Clause, &'a Expr)>,
    /// Whether all of its assumptions can be evaluated.
    is_known: bool,
}

/// A postcondition in C.
struct Ensured {
    /// What is kept before the call.
    snapshots: Vec<String>,
    /// What is claimed behind it.
    claim: String,
}

struct Maker<'o, 'p, 'a> {
    output: &'o mut Output<'p>,
    written: &'o Written<'a>,
    parameters: Parameters,
    /// The file in which the function is defined.
    home: usize,
    behaviors: Vec<Behavior<'a>>,
}

impl<'a> Maker<'_, '_, 'a> {
    fn behaviors(&mut self) {
        for (names, clause) in &self.written.clauses {
            let Some(name) = &clause.behavior else { continue };
            if !self.behaviors.iter().any(|behavior| behavior.name == *name) {
                let variable = format!("quipu_assumes_{}", self.output.number());
                let name = name.clone();
                self.behaviors.push(Behavior { name, variable, assumes: Vec::new(), is_known: true });
            }
            if let ClauseKind::Assumes(predicate) = &clause.kind {
                let own = self.behaviors.iter_mut().find(|behavior| behavior.name == *name);
                own.expect("just made").assumes.push((names, clause, predicate));
            }
        }
        let outside = self.written.clauses.iter().filter(|(_, clause)| clause.behavior.is_none());
        for (names, clause) in outside {
            if let ClauseKind::Assumes(_) = clause.kind {
                let place = first_word(names.source, &clause.place);
                self.output
                    .complain(names.source, Problem::wrong(&place, "`assumes` belongs into a behavior"));
            }
        }
    }

    /// The assumptions of a behavior in one expression; none if one of them cannot be evaluated.
    fn assumption(&mut self, behavior: usize, purpose: Purpose) -> Option<(String, bool)> {
        let (mut texts, mut checks) = (Vec::new(), false);
        for (names, _, predicate) in self.behaviors[behavior].assumes.clone() {
            // An assumption is evaluated for its value, so that it must have one.
            let kind = crate::tree::ExprKind::Not(Box::new(predicate.clone()));
            let negation = Expr { kind, place: predicate.place.clone() };
            let found =
                self.output.predicate(names, self.written.func, (purpose, Moment::Before), &negation, None);
            match found {
                Some(found) => {
                    texts.push(format!("!{}", found.text));
                    checks |= found.checks;
                }
                None => {
                    self.behaviors[behavior].is_known = false;
                    return None;
                }
            }
        }
        let text = if texts.is_empty() { "1".to_string() } else { texts.join(" && ") };
        Some((format!("({text})"), checks))
    }

    fn behavior_of(&self, clause: &Clause) -> Option<usize> {
        let name = clause.behavior.as_ref()?;
        self.behaviors.iter().position(|behavior| behavior.name == *name)
    }

    /// Each precondition becomes a gate; and a claim at the entry of the function if the program calls it, or if its
    /// evaluation may fail.
    fn gates(&mut self, body: Option<(usize, usize)>) -> Vec<Gate> {
        let mut gates = Vec::new();
        for (names, clause) in &self.written.clauses {
            let ClauseKind::Requires(predicate) = &clause.kind else { continue };
            let Some((text, checks)) = self.required(names, clause, predicate, Purpose::Gate) else {
                continue;
            };
            gates.push(self.gate(names, clause, &text));
            if checks || self.output.is_called(self.written.func) {
                self.entry(names, clause, predicate, body);
            }
        }
        gates
    }

    fn required(
        &mut self,
        names: &Names<'_>,
        clause: &Clause,
        predicate: &Expr,
        purpose: Purpose,
    ) -> Option<(String, bool)> {
        let own =
            self.output.predicate(names, self.written.func, (purpose, Moment::Before), predicate, None)?;
        match self.behavior_of(clause) {
            None => Some((own.text, own.checks)),
            Some(behavior) => {
                let (assumed, checks) = self.assumption(behavior, purpose)?;
                Some((format!("(!{assumed} || {})", own.text), checks || own.checks))
            }
        }
    }

    fn gate(&mut self, names: &Names<'_>, clause: &Clause, text: &str) -> Gate {
        let n = self.output.number();
        let function = format!("quipu_requires_{n}");
        let place = clause_place(names.source, &clause.place);
        let mut lines = Lines::default();
        // The result has a type of its own: no function pointer of the program may point to it.
        let head = format!("enum quipu_required_{n} {{ quipu_unmet_{n}, quipu_met_{n} }} {function}");
        let said = clause_text(names.source, &clause.place);
        let list = &self.parameters.list;
        lines.write(&format!("{head}{list} {{ return !!({text}); }}"), &place, &said, false);
        self.output.add(self.home, &function, lines);
        Gate { function, place, text: said }
    }

    fn entry(&mut self, names: &Names<'_>, clause: &Clause, predicate: &Expr, body: Option<(usize, usize)>) {
        let Some((file, at)) = body else {
            let message =
                "the calls of this function are not checked: its body is not in a file of the program";
            let place = first_word(names.source, &clause.place);
            self.output.note(names.source, NoteKind::NotChecked, &place, message);
            return;
        };
        let k = self.output.next_claim();
        let purpose = Purpose::Claim { arithmetic: k + 1 };
        let Some((text, checks)) = self.required(names, clause, predicate, purpose) else { return };
        let claim = self.output.claim(
            names.source,
            self.written.func,
            ClaimKind::Requires,
            &clause.place,
            clause.behavior.as_ref(),
        );
        self.output.enter(claim, checks);
        let text = format!(" {}", claim_statement(k, &text));
        self.output.insert(file, at..at, text, Some((names.source, &clause.place)));
    }

    /// The function around the function.
    fn wrapper(&mut self) -> Option<String> {
        let module = self.output.module;
        let function = &module.functions[self.written.func];
        let SourceType::Function { ret, .. } = module.types[function.ty] else { return None };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.assumptions(&mut before);
        let written = self.written;
        for &(names, clause) in &written.clauses {
            match &clause.kind {
                ClauseKind::Ensures(predicate) => {
                    let Some(ensured) = self.ensured(names, clause, predicate) else { continue };
                    before.extend(ensured.snapshots.into_iter().map(|text| (names, clause, text, true)));
                    after.push((names, clause, ensured.claim));
                }
                ClauseKind::Complete(chosen) | ClauseKind::Disjoint(chosen) => {
                    // The function may not come back, so that this is claimed before it is called.
                    let claim = self.choice(names, clause, chosen);
                    before.extend(claim.map(|text| (names, clause, text, false)));
                }
                _ => {}
            }
        }
        if after.is_empty() && before.is_empty() {
            return None;
        }
        let n = self.output.number();
        let name = format!("quipu_contract_{n}");
        let call = format!("{}({});", function.source_name, self.parameters.names.join(", "));
        let call = match &module.types[ret] {
            SourceType::Void => call,
            _ => match declare(&module.types, ret, "quipu_result") {
                Some(declared) => format!("{declared} = {call} (void)quipu_result;"),
                None => {
                    let source = written.clauses[0].0.source;
                    let place = first_word(source, &written.clauses[0].1.place);
                    let message = "the contract is not checked: the type of the result has no name";
                    self.output.note(source, NoteKind::NotChecked, &place, message);
                    return None;
                }
            },
        };
        let mut lines = Lines::default();
        let mut write = |names: &Names<'_>, clause: &Clause, text: &str, keeps: bool| {
            let place = clause_place(names.source, &clause.place);
            lines.write(text, &place, &clause_text(names.source, &clause.place), keeps);
        };
        let (first, clause) = written.clauses[0];
        // As for gates, no function pointer of the program may point to it.
        let head = format!("enum quipu_checked_{n} {{ quipu_done_{n} }} {name}{}", self.parameters.list);
        write(first, clause, &format!("{head} {{ extern void quipu_claim(int, int);"), true);
        before.iter().for_each(|(names, clause, text, keeps)| write(names, clause, text, *keeps));
        write(first, clause, &call, true);
        after.iter().for_each(|(names, clause, text)| write(names, clause, text, false));
        write(first, clause, &format!("return quipu_done_{n}; }}"), true);
        self.output.add(self.home, &name, lines);
        Some(name)
    }

    /// Evaluates which behaviors apply before the call.
    fn assumptions(&mut self, before: &mut Vec<(&'a Names<'a>, &'a Clause, String, bool)>) {
        let ensures = self.written.clauses.iter().any(|(_, clause)| {
            let is_about_behaviors = matches!(clause.kind, ClauseKind::Complete(_) | ClauseKind::Disjoint(_));
            is_about_behaviors || matches!(clause.kind, ClauseKind::Ensures(_)) && clause.behavior.is_some()
        });
        if !ensures {
            return;
        }
        for n in 0..self.behaviors.len() {
            let k = self.output.next_claim();
            let Some((text, checks)) = self.assumption(n, Purpose::Claim { arithmetic: k }) else { continue };
            let behavior = &self.behaviors[n];
            let first = behavior.assumes.first().map(|&(names, clause, _)| (names, clause));
            let (names, clause) = first.unwrap_or(self.written.clauses[0]);
            before.push((names, clause, format!("int {} = {text};", behavior.variable), false));
            if checks {
                let kind = ClaimKind::Evaluation;
                let name = Some(&behavior.name);
                let claim = self.output.claim(names.source, self.written.func, kind, &clause.place, name);
                self.output.enter(claim, false);
            }
        }
    }

    fn ensured(&mut self, names: &Names<'_>, clause: &Clause, predicate: &Expr) -> Option<Ensured> {
        let behavior = self.behavior_of(clause);
        let applies = match behavior.map(|n| &self.behaviors[n]) {
            Some(behavior) if !behavior.is_known => {
                let place = first_word(names.source, &clause.place);
                let message = "this is not checked: whether the behavior applies is not known";
                self.output.note(names.source, NoteKind::NotChecked, &place, message);
                return None;
            }
            Some(behavior) => Some(behavior.variable.clone()),
            None => None,
        };
        let k = self.output.next_claim();
        let what = (Purpose::Claim { arithmetic: k + 1 }, Moment::After);
        let found = self.output.predicate(names, self.written.func, what, predicate, applies.as_deref())?;
        let claim = self.output.claim(
            names.source,
            self.written.func,
            ClaimKind::Ensures,
            &clause.place,
            clause.behavior.as_ref(),
        );
        self.output.enter(claim, found.checks);
        let claim = claim_statement(k, &found.text);
        // A claim of a behavior that never applies is never made.
        let claim = applies.map_or(claim.clone(), |variable| format!("if ({variable}) {claim}"));
        Some(Ensured { snapshots: found.snapshots, claim })
    }

    /// `complete behaviors` and `disjoint behaviors`.
    fn choice(&mut self, names: &Names<'_>, clause: &Clause, chosen: &[String]) -> Option<String> {
        for name in chosen {
            if !self.behaviors.iter().any(|behavior| behavior.name == *name) {
                let place = first_word(names.source, &clause.place);
                let message = format!("no behavior is called `{name}`");
                self.output.complain(names.source, Problem::wrong(&place, message));
                return None;
            }
        }
        let is_meant = |behavior: &&Behavior<'_>| chosen.is_empty() || chosen.contains(&behavior.name);
        let meant: Vec<&Behavior<'_>> = self.behaviors.iter().filter(is_meant).collect();
        if !meant.iter().all(|behavior| behavior.is_known) {
            let place = first_word(names.source, &clause.place);
            let message = "this is not checked: whether its behaviors apply is not known";
            self.output.note(names.source, NoteKind::NotChecked, &place, message);
            return None;
        }
        let variables: Vec<&str> = meant.iter().map(|behavior| behavior.variable.as_str()).collect();
        let (kind, text) = match clause.kind {
            ClauseKind::Complete(_) => (ClaimKind::CompleteBehaviors, variables.join(" || ")),
            _ => (ClaimKind::DisjointBehaviors, format!("{} <= 1", variables.join(" + "))),
        };
        if variables.is_empty() {
            return None;
        }
        let k = self.output.next_claim();
        let claim = self.output.claim(names.source, self.written.func, kind, &clause.place, None);
        self.output.enter(claim, false);
        Some(claim_statement(k, &text))
    }

    fn notes(&mut self) {
        for (names, clause) in &self.written.clauses {
            if let ClauseKind::Documentation(what) = clause.kind {
                let place = first_word(names.source, &clause.place);
                let message = format!("`{what}` is read as documentation");
                self.output.note(names.source, NoteKind::Documentation, &place, &message);
            }
        }
    }
}

/// The statement that a claim holds.
pub(crate) fn claim_statement(k: usize, text: &str) -> String {
    format!("{{ extern void quipu_claim(int, int); quipu_claim({k}, {text}); }}")
}
