//! Record layouts of the front end against those of the system's compiler, for both data models.
//!
//! One C file asks for sizes, alignments and offsets in initialised arrays, and shows the bits of each
//! bit-field in an object of its own. The compiler's answers are read from its assembler text, ours from
//! the module: from the initial bytes of the same objects, and from the table of source types.

mod assembly;
mod declare;
mod expected;

use std::collections::BTreeMap;
use std::fs;
use std::io;

use quipu_ir::{DataModel, Module};

use crate::native::{self, TempDir};
use crate::rng::Rng;
use declare::{Declarations, Declared};

/// Records in one file.
const BATCH_SIZE: u64 = 20;

/// A fact on which the sides differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutDifference {
    /// The data model.
    pub data_model: DataModel,
    /// What was asked, e.g. `sizeof(struct L3)`.
    pub fact: String,
    /// The front end's answer.
    pub ours: String,
    /// The compiler's answer.
    pub theirs: String,
    /// The file.
    pub source: String,
}

/// Compares `n_records` random records, named by the seed, for both data models.
///
/// # Errors
///
/// When the compiler cannot be started or a file cannot be written.
pub fn run(n_records: u64, seed: u64) -> io::Result<Vec<LayoutDifference>> {
    let mut differences = Vec::new();
    for first in (0..n_records).step_by(usize::try_from(BATCH_SIZE).expect("batches are small")) {
        let declarations = declare::declarations(Rng::derive(seed, first), BATCH_SIZE.min(n_records - first));
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            differences.extend(compare(&declarations, data_model)?);
        }
    }
    Ok(differences)
}

fn compare(declarations: &Declarations, data_model: DataModel) -> io::Result<Vec<LayoutDifference>> {
    let dir = TempDir::new()?;
    let (file, output) = (dir.file("layouts.c"), dir.file("layouts.s"));
    let source = questions(declarations);
    fs::write(&file, &source)?;
    let flag = if data_model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let differ = |fact: &str, ours: String, theirs: String| LayoutDifference {
        data_model,
        fact: fact.to_string(),
        ours,
        theirs,
        source: source.clone(),
    };
    let flags = ["-S", "-fno-asynchronous-unwind-tables", flag];
    if let Err(messages) = native::compile(&file, &output, &flags)? {
        return Ok(vec![differ("the file", "not asked".to_string(), messages)]);
    }
    let theirs = assembly::objects(&fs::read_to_string(&output)?);
    let options = quipu_cfront::Options::from_flags(&[flag]).expect("both flags are known");
    let module = match quipu_cfront::compile(&[file], &options) {
        Ok(program) => program.module,
        Err(failure) => return Ok(vec![differ("the file", failure.to_string(), "accepted".to_string())]),
    };
    let mut facts = object_facts(&expected::objects(&module), &theirs);
    facts.extend(type_facts(declarations, &module, &theirs));
    Ok(facts.into_iter().map(|(fact, ours, theirs)| differ(&fact, ours, theirs)).collect())
}

/// A fact with both answers.
type Fact = (String, String, String);

/// The C file: the declarations, and objects whose bytes answer all questions.
fn questions(declarations: &Declarations) -> String {
    let mut text = declarations.text.clone();
    for tag in &declarations.enums {
        let ty = format!("enum {tag}");
        text.push_str(&format!("unsigned long long q_{tag}[] = {{sizeof({ty}), ({ty})-1 < 0}};\n"));
    }
    for record in &declarations.records {
        let ty = format!("{} {}", record.keyword, record.tag);
        let offsets = plain_members(record).map(|name| format!(", __builtin_offsetof({ty}, {name})"));
        let offsets: String = offsets.collect();
        let tag = &record.tag;
        text.push_str(&format!(
            "unsigned long long q_{tag}[] = {{sizeof({ty}), _Alignof({ty}){offsets}}};\n"
        ));
        for (name, ones) in bit_fields(record) {
            text.push_str(&format!("{ty} o_{tag}_{name} = {{.{name} = {ones}}};\n"));
        }
        text.push_str(&format!("{ty} u_{tag};\n"));
    }
    text
}

fn plain_members(record: &Declared) -> impl Iterator<Item = &str> {
    record.members.iter().filter(|member| member.all_ones.is_none()).map(|member| member.name.as_str())
}

fn bit_fields(record: &Declared) -> impl Iterator<Item = (&str, &str)> {
    record.members.iter().filter_map(|member| Some((member.name.as_str(), member.all_ones?)))
}

/// The objects that the sides fill differently.
fn object_facts(ours: &BTreeMap<String, Vec<u8>>, theirs: &BTreeMap<String, Vec<u8>>) -> Vec<Fact> {
    let asked = theirs.iter().filter(|(name, _)| name.starts_with("q_") || name.starts_with("o_"));
    let differing = asked.filter(|(name, bytes)| ours.get(*name) != Some(*bytes));
    differing
        .map(|(name, bytes)| (name.clone(), format!("{:?}", ours.get(name)), format!("{bytes:?}")))
        .collect()
}

/// The entries of the source types that contradict the compiler's objects.
fn type_facts(declarations: &Declarations, module: &Module, theirs: &BTreeMap<String, Vec<u8>>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for record in &declarations.records {
        let tag = &record.tag;
        let Some(layout) = expected::record(module, tag) else {
            facts.push((format!("type {tag}"), "missing".to_string(), "defined".to_string()));
            continue;
        };
        let answers = numbers(&theirs[&format!("q_{tag}")]);
        let mut ours = vec![Some(layout.size), Some(layout.align)];
        ours.extend(plain_members(record).map(|name| layout.members.get(name).map(|(bit, _)| bit / 8)));
        let labels = ["size", "align"].into_iter().chain(plain_members(record));
        for ((label, our), their) in labels.zip(ours).zip(answers) {
            if our != Some(their) {
                facts.push((format!("type {tag}, {label}"), format!("{our:?}"), their.to_string()));
            }
        }
        for (name, _) in bit_fields(record) {
            let their = set_bits(theirs.get(&format!("o_{tag}_{name}")));
            let our = layout.members.get(name).copied();
            let same = their.is_some() && our.and_then(|(bit, width)| Some((bit, width?))) == their;
            if !same {
                facts.push((format!("type {tag}, bits of {name}"), format!("{our:?}"), format!("{their:?}")));
            }
        }
    }
    facts
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    let chunks = bytes.chunks_exact(8);
    chunks.map(|chunk| u64::from_le_bytes(chunk.try_into().expect("chunks have 8 bytes"))).collect()
}

/// The first bit that is set and the number of bits that are.
fn set_bits(bytes: Option<&Vec<u8>>) -> Option<(u64, u32)> {
    let bytes = bytes?;
    let first = bytes.iter().position(|&byte| byte != 0)?;
    let bit = first as u64 * 8 + u64::from(bytes[first].trailing_zeros());
    Some((bit, bytes.iter().map(|byte| byte.count_ones()).sum()))
}
