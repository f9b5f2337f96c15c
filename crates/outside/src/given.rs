//! What calls hand over to a function that nobody defines, as far as the program shows it.
//!
//! The type of a parameter tells where one object begins, and not how many of them there are. Where every call hands over
//! a part of a named object, that tells it.

use quipu_inputs::functions_by_address;
use quipu_interp::{layout, resolve};
use quipu_ir::{Callee, Func, FuncBody, InstKind, Module, SourceType, TypeId, Value, ValueDef};

/// A place in a named object.
struct Place {
    object: TypeId,
    offset: u64,
}

/// How many elements of a type every call hands over at least; one where a call does not show it.
pub(crate) fn elements_given(module: &Module, func: Func, n: usize, element: TypeId) -> u64 {
    let counts =
        places(module, func, n).map(|place| place.map_or(1, |place| elements_at(module, &place, element)));
    counts.min().unwrap_or(1)
}

/// The type of what every call hands over, if it is one and the same.
pub(crate) fn type_given(module: &Module, func: Func, n: usize) -> Option<TypeId> {
    let mut types = places(module, func, n)
        .map(|place| place.filter(|place| place.offset == 0).map(|place| resolve(module, place.object)));
    let first = types.next()??;
    types.all(|ty| ty == Some(first)).then_some(first)
}

/// The places that calls hand over; none for one that nothing is known of.
fn places(module: &Module, func: Func, n: usize) -> impl Iterator<Item = Option<Place>> {
    let n = n + usize::from(module.functions[func].returns_struct);
    // Whoever has its address may call it with anything.
    let unseen = functions_by_address(module).contains(&func).then_some(None);
    let codes = module.functions.iter().filter_map(|function| function.code());
    let seen = codes.flat_map(move |code| {
        let insts = code.blocks.iter().flat_map(|block| &block.insts);
        insts.filter_map(move |inst| match &inst.kind {
            InstKind::Call(Callee::Direct(callee), args) if *callee == func => {
                Some(args.get(n).and_then(|&arg| place(module, code, arg)))
            }
            _ => None,
        })
    });
    unseen.into_iter().chain(seen)
}

fn place(module: &Module, code: &FuncBody, value: Value) -> Option<Place> {
    match code.values[value].def {
        ValueDef::Global(global, offset) => {
            let offset = u64::try_from(offset).ok()?;
            Some(Place { object: module.globals[global].ty, offset })
        }
        ValueDef::Const(_) | ValueDef::Func(_) => None,
        ValueDef::Computed => match *code.maker(value)? {
            InstKind::SlotAddr(slot) => Some(Place { object: code.slots[slot].ty?, offset: 0 }),
            InstKind::PtrAdd(pointer, by) => {
                let ValueDef::Const(by) = code.values[by].def else { return None };
                let start = place(module, code, pointer)?;
                let offset = start.offset.checked_add_signed(by.cast_signed())?;
                Some(Place { offset, ..start })
            }
            _ => None,
        },
    }
}

/// How many elements of a type there are from a place to the end of the array in which it lies.
fn elements_at(module: &Module, place: &Place, element: TypeId) -> u64 {
    let size = |ty: TypeId| layout(module, ty).map_or(0, |room| room.size);
    match &module.types[resolve(module, place.object)] {
        SourceType::Array { element: own, len: Some(len) } => {
            let each = size(*own);
            if each == 0 || place.offset >= each * len {
                return 1;
            }
            if resolve(module, *own) == resolve(module, element) {
                return len - place.offset / each;
            }
            elements_at(module, &Place { object: *own, offset: place.offset % each }, element)
        }
        SourceType::Record { fields, .. } => {
            let holds = |start: u64, ty: TypeId| (start..start + size(ty)).contains(&place.offset);
            let field = fields.iter().find(|field| field.bits.is_none() && holds(field.offset, field.ty));
            field.map_or(1, |field| {
                elements_at(module, &Place { object: field.ty, offset: place.offset - field.offset }, element)
            })
        }
        _ => 1,
    }
}
