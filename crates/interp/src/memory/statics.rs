//! The objects that every run starts with: functions, globals and the standard streams.
//!
//! They are built once. A run leaves a list of those it wrote to; resetting restores just these.

use quipu_base::Id;
use quipu_ir::{Func, Global, GlobalData, Init, Module, Reloc, Symbol};

use super::{Memory, ObjectInfo, ObjectKind, PAGE, Placement};
use crate::outcome::{Fallible, Limits};

/// What is needed to return to the start of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Statics {
    /// The number of static objects, the null object included.
    pub count: usize,
    /// The arena's bytes as they were at the start.
    image: Vec<u8>,
    /// The number of page tables at the start.
    tables: usize,
    /// The sum of sizes at the start.
    live_bytes: u64,
    /// The static objects that were written to.
    dirty: Vec<u32>,
}

/// The addresses of the static objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct StaticAddresses {
    functions: Vec<u64>,
    globals: Vec<u64>,
}

const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Objects of the C library.
const LIBRARY_OBJECTS: [&str; 17] = [
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "timezone",
    "daylight",
    "tzname",
    "signgam",
    "__timezone",
    "program_invocation_name",
    "program_invocation_short_name",
    "_timezone",
];

/// Whether an object that the program only declares comes with the C library.
pub fn is_library_object(data: &GlobalData) -> bool {
    data.init == Init::External && LIBRARY_OBJECTS.contains(&data.name.as_str())
}

/// Whether an object is a standard stream of the library: a pointer that is open when a run starts.
pub fn is_stream(module: &Module, data: &GlobalData) -> bool {
    data.source_name.as_deref().is_some_and(|name| STREAMS.contains(&name))
        && data.init == Init::External
        && data.size == module.data_model.pointer_size()
}

impl StaticAddresses {
    pub fn function(&self, func: Func) -> u64 {
        self.functions[func.index()]
    }

    pub fn global(&self, global: Global) -> u64 {
        self.globals[global.index()]
    }

    fn symbol(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(global) => self.global(global),
            Symbol::Func(func) => self.function(func),
        }
    }
}

impl Memory {
    /// The memory of a module at the start of a run. Fails when the globals exceed the limits.
    pub(crate) fn of_module(
        module: &Module,
        limits: &Limits,
        placement: Placement,
    ) -> Fallible<(Memory, StaticAddresses)> {
        let mut memory = Memory::empty(module.data_model, limits, placement);
        let addresses = memory.place_statics(module)?;
        for (global, data) in module.globals.entries() {
            if let Init::Data { bytes, relocs } = &data.init {
                memory.initialise(addresses.global(global), bytes, relocs, &addresses)?;
            }
        }
        memory.open_streams(module, &addresses)?;
        memory.seal();
        memory.protect(module, &addresses);
        Ok((memory, addresses))
    }

    /// The function at an address.
    #[inline]
    pub(crate) fn function_at(&self, addr: u64) -> Option<Func> {
        let (index, offset) = self.space.split(addr);
        let object = self.objects.get(index)?;
        (object.kind == ObjectKind::Function && offset == 0).then(|| Func::new(index - 1))
    }

    /// Returns to the start of a run.
    pub(crate) fn reset(&mut self) {
        for index in std::mem::take(&mut self.statics.dirty) {
            self.restore(index as usize);
        }
        self.objects.truncate(self.statics.count);
        self.tables.truncate(self.statics.tables);
        self.free_tables.clear();
        self.arena.reset(self.statics.image.len());
        self.space.reset(self.statics.count);
        self.live_bytes = self.statics.live_bytes;
        self.cursor = 0;
        self.work.set(0);
    }

    /// From now on constant objects can be given the content that they have before a run, or not any more.
    pub fn open_constants(&mut self, open: bool) {
        self.constants_are_open = open;
    }

    /// The first write to a static object in a run.
    pub(super) fn mark_dirty(&mut self, index: usize) {
        let object = &mut self.objects[index];
        if !object.dirty {
            object.dirty = true;
            // What is constant is given its content once, before a run.
            if object.kind != ObjectKind::Constant {
                object.write_limit = object.read_limit;
            }
            self.statics.dirty.push(index as u32);
        }
    }

    /// Functions come first, so that their object numbers follow from theirs.
    fn place_statics(&mut self, module: &Module) -> Fallible<StaticAddresses> {
        let mut addresses = StaticAddresses::default();
        module.devices().for_each(|(_, address, size)| self.space.reserve(address, size));
        for _ in module.functions.iter() {
            addresses.functions.push(self.allocate(ObjectKind::Function, 0, 16)?);
        }
        for data in module.globals.iter() {
            let address = match data.init {
                Init::Device { address } => self.place_device(address, data.size)?,
                _ => self.allocate_zeroed(ObjectKind::Global, data.size, data.align)?,
            };
            addresses.globals.push(address);
        }
        Ok(addresses)
    }

    /// Whether an address is that of an open stream.
    pub(crate) fn is_stream_object(&self, addr: u64) -> bool {
        let is_stream = |info: ObjectInfo| info.kind == ObjectKind::Stream && info.offset == 0;
        self.object_at(addr).is_some_and(is_stream)
    }

    /// Lets the standard streams point to an object each; the content of other external objects is zero
    /// unless the caller of a run writes to them.
    fn open_streams(&mut self, module: &Module, addresses: &StaticAddresses) -> Fallible<()> {
        for (global, data) in module.globals.entries() {
            if is_stream(module, data) {
                let stream = self.allocate(ObjectKind::Stream, 0, 16)?;
                let (index, _) = self.space.split(addresses.global(global));
                self.write_address(index, 0, stream)?;
            }
        }
        Ok(())
    }

    fn initialise(
        &mut self,
        addr: u64,
        bytes: &[u8],
        relocs: &[Reloc],
        addresses: &StaticAddresses,
    ) -> Fallible<()> {
        let (index, _) = self.space.split(addr);
        self.raw_write(index, 0, bytes, &vec![0xff; bytes.len()])?;
        for reloc in relocs {
            let target = addresses.symbol(reloc.symbol).wrapping_add_signed(reloc.addend);
            self.write_address(index, reloc.offset as usize, target)?;
        }
        Ok(())
    }

    fn write_address(&mut self, index: usize, offset: usize, target: u64) -> Fallible<()> {
        let size = self.model.pointer_size() as usize;
        self.raw_write(index, offset, &target.to_le_bytes()[..size], &[0xff; 8][..size])
    }

    /// Remembers the present state as the start of a run.
    fn seal(&mut self) {
        self.space.seal();
        for table in &mut self.tables {
            table.seal();
        }
        self.statics = Statics {
            count: self.objects.len(),
            image: self.arena.bytes[..self.arena.top()].to_vec(),
            tables: self.tables.len(),
            live_bytes: self.live_bytes,
            dirty: Vec::new(),
        };
    }

    /// Makes every first write to a static object visible, and every write to a constant one an event.
    fn protect(&mut self, module: &Module, addresses: &StaticAddresses) {
        for object in &mut self.objects {
            object.write_limit = 0;
        }
        for (global, data) in module.globals.entries() {
            if data.constant {
                let (index, _) = self.space.split(addresses.global(global));
                self.objects[index].kind = ObjectKind::Constant;
            }
        }
    }

    fn restore(&mut self, index: usize) {
        let object = &mut self.objects[index];
        object.dirty = false;
        object.write_limit = 0;
        let (at, size) = (object.storage as usize, object.size as usize);
        if object.paged {
            self.tables[at].forget_touched();
            let places: Vec<usize> = self.tables[at].initial_places().collect();
            for at in places {
                self.restore_stretch(at, PAGE);
            }
        } else {
            self.restore_stretch(at, size);
        }
    }

    fn restore_stretch(&mut self, at: usize, size: usize) {
        self.arena.bytes[at..at + size].copy_from_slice(&self.statics.image[at..at + size]);
        self.arena.init[at..at + size].fill(0xff);
    }
}
