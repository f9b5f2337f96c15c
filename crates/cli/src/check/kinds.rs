//! Which undefined behaviours count, by names.

use quipu_base::nearest_name;
use quipu_ir::Event;

use crate::exit::Exit;
use crate::load;

/// Names for several behaviours.
const GROUPS: [(&str, &[Event]); 12] = [
    ("overflow", &[Event::SignedOverflow, Event::DivisionOverflow, Event::ShiftOverflow]),
    ("division", &[Event::DivisionByZero, Event::DivisionOverflow]),
    ("shift", &[Event::ShiftOutOfRange, Event::ShiftOverflow]),
    ("conversion", &[Event::FloatToIntRange]),
    ("bounds", &[Event::OutOfBounds, Event::OverlappingCopy]),
    ("null", &[Event::NullAccess]),
    ("lifetime", &[Event::UseAfterFree]),
    ("free", &[Event::DoubleFree, Event::InvalidFree]),
    ("uninitialised", &[Event::UninitializedRead, Event::MissingReturnValue]),
    ("pointer", &[Event::InvalidPointer, Event::UnrelatedPointers, Event::WriteToConstant]),
    ("alignment", &[Event::Misaligned]),
    ("call", &[Event::InvalidCall]),
];

/// The behaviours that names stand for; none if there are no names.
pub fn events(names: &[String]) -> Result<Option<Vec<Event>>, Exit> {
    let mut events = Vec::new();
    for name in names {
        let group = GROUPS.iter().find(|(group, _)| group == name);
        let single = Event::ALL.iter().find(|(_, single)| single == name);
        match (name.as_str(), group, single) {
            ("all", ..) => events.extend(Event::ALL.map(|(event, _)| event)),
            ("none", ..) => {}
            (_, Some((_, group)), _) => events.extend_from_slice(group),
            (_, None, Some((event, _))) => events.push(*event),
            (_, None, None) => return Err(unknown(name)),
        }
    }
    Ok((!names.is_empty()).then_some(events))
}

fn unknown(name: &str) -> Exit {
    let known = GROUPS.iter().map(|(name, _)| *name).chain(Event::ALL.map(|(_, name)| name));
    let known: Vec<&str> = ["all", "none"].into_iter().chain(known).collect();
    let hint = match nearest_name(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    load::complain(&format!("error: --ub: there is no undefined behaviour `{name}`\n  = hint: {hint}"))
}
