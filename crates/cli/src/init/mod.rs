//! `quipu init`: a first `quipu.toml`, with the shapes that Quipu would choose by itself and the reasons for them.
//!
//! With the file everything stays as it was without. What would change something is proposed in comments, and so is what
//! functions that nobody defines could do less.

mod stubs;

use std::path::Path;

use quipu_cfront::{Options, Program};
use quipu_inputs::{LengthRange, Proposal, Proposals, Reason, SHAPE_FORMS, Shapes, add_provisions};
use quipu_ir::{Func, Function, Span};

use crate::args::{Init, Source};
use crate::exit::Exit;
use crate::load;
use crate::output_file::{OutputFile, Replace};
use crate::render;

/// Writes the file.
pub fn init(args: &Init) -> Exit {
    match try_init(args) {
        Ok(()) => Exit::Fine,
        Err(exit) => exit,
    }
}

fn try_init(args: &Init) -> Result<(), Exit> {
    let to_stdout = args.output.as_os_str() == "-";
    let output = if to_stdout { None } else { Some(place(args)?) };
    let mut program = load::load(&args.source)?;
    add_provisions(&mut program.module);
    let own = load::own_functions(&program, &args.source.files);
    load::report_unsupported(&program, &own);
    let tables = own.iter().filter(|&&func| program.module.functions[func].code().is_some());
    let tables: Vec<String> = tables.filter_map(|&func| table(&program, func)).collect();
    let stubs = stubs::table(&program, &own).unwrap_or_default();
    let text = format!("{}{}{stubs}", heading(&args.source.files[0], tables.is_empty()), tables.concat());
    let Some(output) = output else {
        render::print(&text);
        return Ok(());
    };
    spare(&output, &program, args)?;
    output.write(&text).map_err(|message| load::complain(&message))?;
    let plural = if tables.len() == 1 { "" } else { "s" };
    eprintln!("note: wrote {} with the inputs of {} function{plural}", output.name(), tables.len());
    Ok(())
}

fn place(args: &Init) -> Result<OutputFile, Exit> {
    let replace = if args.force { Replace::Forced } else { Replace::Nothing };
    OutputFile::new(&args.output, &args.source.files, replace).map_err(|message| {
        let hint = match message.ends_with(" exists") {
            true => "\n  = hint: --force replaces it, -o names another file, `-o -` prints it",
            false => "",
        };
        load::complain(&format!("{message}{hint}"))
    })
}

fn spare(output: &OutputFile, program: &Program, args: &Init) -> Result<(), Exit> {
    let Source { files, flags } = &args.source;
    let options = Options::from_flags(flags).map_err(|error| load::complain(&format!("error: {error}")))?;
    output
        .spare_program(program, files, flags, options.compiler())
        .map_err(|message| load::complain(&message))
}

fn heading(source: &Path, nothing: bool) -> String {
    let mut out = format!(
        "# What Quipu takes for granted about pointers in {}. Change what you know better.\n\
         # `quipu cover` and `quipu reach` find this file by themselves; docs/cover.md describes it.\n",
        source.display()
    );
    for line in wrapped(&format!("A shape is {SHAPE_FORMS}.")) {
        out.push_str(&format!("# {line}\n"));
    }
    if nothing {
        out.push_str("\n# No function here has pointers among its inputs.\n");
    }
    out
}

fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 100;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() > WIDTH {
            lines.push(word.to_string());
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

/// What is proposed for a function, if it has pointers.
fn table(program: &Program, func: Func) -> Option<String> {
    let proposals = Proposals::of(&program.module, func, &Shapes::default());
    if proposals.shapes.is_empty() && proposals.lengths.is_empty() {
        return None;
    }
    let Function { name, span, .. } = &program.module.functions[func];
    let function = key(name);
    let place = program.place(*span);
    let mut out = format!("\n# {place}\n");
    if !proposals.shapes.is_empty() {
        out.push_str(&format!("[function.{function}.shapes]\n"));
        out.extend(proposals.shapes.iter().map(|proposal| shape_lines(program, func, proposal)));
    }
    if !proposals.lengths.is_empty() {
        out.push_str(&format!("[function.{function}.range]\n"));
        out.extend(proposals.lengths.iter().map(range_lines));
    }
    Some(out)
}

fn shape_lines(program: &Program, func: Func, proposal: &Proposal) -> String {
    let name = key(&proposal.name);
    let mut out = format!("{name} = \"{}\"  # {}\n", proposal.shape, why(program, func, &proposal.reason));
    if let Some(at) = proposal.followed_untested {
        let place = line_of(program, func, at);
        out.push_str(&format!(
            "# {name} = \"nonnull\"  # it is followed {place}, and never compared with null\n"
        ));
    }
    out
}

fn range_lines(length: &LengthRange) -> String {
    let LengthRange { name, low, high } = length;
    let name = key(name);
    let mut out = format!("{name} = \"{low}..{high}\"  # the array of this length has no more elements\n");
    if *low < 0 {
        out.push_str(&format!("# {name} = \"0..{high}\"  # if a length is never negative\n"));
    }
    out
}

fn why(program: &Program, func: Func, reason: &Reason) -> String {
    match reason {
        Reason::Declared(count) => format!("declared with {count} elements"),
        Reason::Compared { length, at } => {
            let with = if length.contains('*') { "a part of " } else { "" };
            format!("an index is compared with {with}`{length}` {}", line_of(program, func, *at))
        }
        Reason::Started => "what a program is started with".to_string(),
        Reason::ReadToZero { at } => format!("read up to a zero byte {}", line_of(program, func, *at)),
        Reason::Linked => "a struct that points to others of its type".to_string(),
        Reason::Record => "a struct or union".to_string(),
        Reason::Scalar => "one object".to_string(),
        Reason::Unknown => "nothing tells how many elements there are".to_string(),
        Reason::Function => "the functions of its type".to_string(),
        Reason::OnlyNull(why) => (*why).to_string(),
    }
}

/// The line of a place; with the file if that is not the one of the function.
fn line_of(program: &Program, func: Func, at: Span) -> String {
    let own = program.module.functions[func].span.file;
    match at.file == own {
        true => format!("at line {}", at.line),
        false => format!("at {}:{}", render::file_name(program, at.file), at.line),
    }
}

/// A key of TOML, in quotes where it needs them. No name of an input holds a quote.
fn key(name: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_string() } else { format!("\"{name}\"") }
}
