//! The scalars of an object, as statements that give them other values.

use quipu_ctext::declare;
use quipu_inputs::answer_name;
use quipu_interp::resolve;
use quipu_ir::{Field, Module, RecordKind, SourceType, TypeId};

/// Arrays are given new elements from the start, at most so many.
pub(crate) const MOST_ELEMENTS: u64 = 16;
/// Of one object, so many scalars or arrays are given new values.
pub(crate) const MOST_PARTS: usize = 48;

/// Writes statements about parts of what a function changes.
pub(crate) struct Parts<'m> {
    pub module: &'m Module,
    pub function: &'m str,
    /// The declarations of the answers that are asked for.
    pub declarations: String,
    pub statements: String,
    /// How many parts were written.
    pub count: usize,
    /// Whether all of what is changed may get any value.
    pub is_whole: bool,
    /// How many loops are open.
    depth: usize,
}

impl<'m> Parts<'m> {
    pub fn new(module: &'m Module, function: &'m str) -> Parts<'m> {
        Parts {
            module,
            function,
            declarations: String::new(),
            statements: String::new(),
            count: 0,
            is_whole: true,
            depth: 0,
        }
    }

    /// An expression that asks for a value of a scalar type.
    pub fn ask(&mut self, ty: TypeId, part: &str) -> Option<String> {
        let name = answer_name(self.function, part);
        let declared = declare(&self.module.types, ty, &format!("{name}(void)"))?;
        self.declare(&declared);
        Some(format!("{name}()"))
    }

    /// An expression that asks whether something is done.
    pub fn ask_whether(&mut self, part: &str) -> String {
        let name = answer_name(self.function, part);
        self.declare(&format!("_Bool {name}(void)"));
        format!("{name}()")
    }

    /// Puts a declaration in front of the definition.
    pub fn declare(&mut self, declaration: &str) {
        if !self.declarations.contains(declaration) {
            self.declarations.push_str(&format!("{declaration};\n"));
        }
    }

    /// Gives an object other values. Pointers in it stay as they are.
    pub fn fill(&mut self, ty: TypeId, place: &str, part: &str) {
        if self.count >= MOST_PARTS {
            self.is_whole = false;
            return;
        }
        match &self.module.types[resolve(self.module, ty)] {
            SourceType::Int { .. }
            | SourceType::Enum { .. }
            | SourceType::Bool
            | SourceType::Float { .. } => {
                self.count += 1;
                match self.ask(ty, part) {
                    Some(value) => self.line(&format!("{place} = {value};")),
                    None => self.is_whole = false,
                }
            }
            SourceType::Array { element, len: Some(len) } => {
                self.elements(*element, &len.to_string(), *len, place, part);
            }
            SourceType::Record { kind, fields, .. } => {
                self.is_whole &= *kind == RecordKind::Struct;
                let fields: Vec<Field> = fields.clone();
                let chosen: Vec<&Field> = match kind {
                    RecordKind::Struct => fields.iter().collect(),
                    RecordKind::Union => largest(self.module, &fields).into_iter().collect(),
                };
                for field in chosen {
                    let Some(name) = &field.name else {
                        self.fill(field.ty, place, part);
                        continue;
                    };
                    self.fill(field.ty, &format!("{place}.{name}"), &format!("{part}_{name}"));
                }
            }
            _ => self.is_whole = false,
        }
    }

    /// Gives the first elements of an array other values; `length` is an expression for their number.
    pub fn elements(&mut self, element: TypeId, length: &str, most: u64, place: &str, part: &str) {
        let index = format!("quipu_i{}", self.depth);
        self.is_whole &= most <= MOST_ELEMENTS;
        let most = most.min(MOST_ELEMENTS);
        self.line(&format!(
            "for (unsigned {index} = 0; {index} < {length} && {index} < {most}; {index}++) {{"
        ));
        self.depth += 1;
        self.fill(element, &format!("{place}[{index}]"), part);
        self.depth -= 1;
        self.line("}");
    }

    pub fn line(&mut self, text: &str) {
        self.statements.push_str(text);
        self.statements.push('\n');
    }
}

/// The member of a union that is given a value: the largest that holds no pointer, else the first.
fn largest<'f>(module: &Module, fields: &'f [Field]) -> Option<&'f Field> {
    let size = |field: &&Field| quipu_interp::layout(module, field.ty).map_or(0, |room| room.size);
    let named = || fields.iter().filter(|field| field.name.is_some() && field.bits.is_none());
    named().filter(|field| !has_pointer(module, field.ty)).max_by_key(size).or_else(|| named().next())
}

fn has_pointer(module: &Module, ty: TypeId) -> bool {
    match &module.types[resolve(module, ty)] {
        SourceType::Pointer { .. } => true,
        SourceType::Array { element, .. } => has_pointer(module, *element),
        SourceType::Record { fields, .. } => fields.iter().any(|field| has_pointer(module, field.ty)),
        _ => false,
    }
}
