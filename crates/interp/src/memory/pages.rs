//! The bytes of large objects, in pages that exist only once touched.

/// The size of a page.
pub(super) const PAGE: usize = 4096;

/// The page table of a large object.
#[derive(Clone, Debug, Default)]
pub(super) struct PageTable {
    /// For each page its place in the arena plus one, or zero if it was never touched.
    pages: Vec<u32>,
    /// The pages that were touched.
    pub touched: Vec<u32>,
    /// The pages that held data when the run started.
    pub initial: Vec<u32>,
    /// Whether untouched pages hold zeros; otherwise they are unwritten.
    pub zeroed: bool,
}

impl PageTable {
    /// A table of untouched pages.
    pub fn new(size: usize, zeroed: bool) -> PageTable {
        PageTable { pages: vec![0; size.div_ceil(PAGE)], zeroed, ..PageTable::default() }
    }

    /// Where a page is, if it was touched.
    #[inline]
    pub fn get(&self, page: usize) -> Option<usize> {
        (self.pages[page] as usize).checked_sub(1)
    }

    /// Records that a page is at `at`.
    pub fn set(&mut self, page: usize, at: usize) {
        self.pages[page] = at as u32 + 1;
        self.touched.push(page as u32);
    }

    /// Declares the touched pages initial data.
    pub fn seal(&mut self) {
        self.initial.append(&mut self.touched);
    }

    /// Forgets the pages touched since the start of the run.
    pub fn forget_touched(&mut self) {
        for page in self.touched.drain(..) {
            self.pages[page as usize] = 0;
        }
    }

    /// The places of the pages touched since the start of the run.
    pub fn touched_places(&self) -> impl Iterator<Item = usize> {
        self.touched.iter().filter_map(|&page| self.get(page as usize))
    }

    /// The places of the pages with initial data.
    pub fn initial_places(&self) -> impl Iterator<Item = usize> {
        self.initial.iter().filter_map(|&page| self.get(page as usize))
    }
}
