//! The front end's layout of records: from its source types and from the bytes of initialised objects.

use std::collections::BTreeMap;

use quipu_ir::{Field, Init, Module, SourceType, TypeId};

/// The initial bytes of every global object, by name.
pub fn objects(module: &Module) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for global in module.globals.iter() {
        if let (Some(name), Init::Data { bytes, .. }) = (&global.source_name, &global.init) {
            let mut all = bytes.clone();
            all.resize(usize::try_from(global.size).expect("generated objects are small"), 0);
            found.insert(name.clone(), all);
        }
    }
    found
}

/// What the source types say of a record.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
    /// The first bit and, for a bit-field, the width of each named member.
    pub members: BTreeMap<String, (u64, Option<u32>)>,
}

/// The layout of the record with a tag.
pub fn record(module: &Module, wanted: &str) -> Option<RecordLayout> {
    module.types.iter().find_map(|ty| match ty {
        SourceType::Record { tag: Some(tag), size: Some(size), align, fields, .. } if tag == wanted => {
            let mut members = BTreeMap::new();
            add_members(module, fields, 0, &mut members);
            Some(RecordLayout { size: *size, align: *align, members })
        }
        _ => None,
    })
}

fn add_members(
    module: &Module,
    fields: &[Field],
    base: u64,
    members: &mut BTreeMap<String, (u64, Option<u32>)>,
) {
    for field in fields {
        let bit = (base + field.offset) * 8 + field.bits.map_or(0, |(bit, _)| u64::from(bit));
        match (&field.name, inner_fields(module, field.ty)) {
            (Some(name), _) => {
                members.insert(name.clone(), (bit, field.bits.map(|(_, width)| width)));
            }
            (None, Some(inner)) => add_members(module, inner, base + field.offset, members),
            (None, None) => {}
        }
    }
}

/// The members of an anonymous record.
fn inner_fields(module: &Module, ty: TypeId) -> Option<&[Field]> {
    match &module.types[ty] {
        SourceType::Record { fields, .. } => Some(fields),
        SourceType::Typedef { of, .. } => inner_fields(module, *of),
        _ => None,
    }
}
