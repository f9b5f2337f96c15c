use crate::args::Run;
use crate::exit::Exit;
pub fn run(_: &Run) -> Exit { Exit::GaveUp }
