//! The labels that may still be open, so that those fixed by earlier decisions are not looked at again and again.
//!
//! A sparse set: labels found fixed are moved behind the open ones, and come back with their decisions.

/// Numbers of labels, those that may be open first.
#[derive(Default)]
pub(crate) struct OpenLabels {
    labels: Vec<u32>,
    n_open: usize,
    /// For each level how many may be open there.
    levels: Vec<usize>,
}

impl OpenLabels {
    /// Starts with so many labels, of which any may be open.
    pub fn begin(&mut self, n_labels: usize) {
        self.labels = (0..n_labels as u32).collect();
        self.n_open = n_labels;
        self.levels.clear();
    }

    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// Decisions above a level were taken back.
    pub fn go_back_to(&mut self, level: usize) {
        if let Some(&n_open) = self.levels.get(level) {
            self.n_open = n_open;
            self.levels.truncate(level);
        }
    }

    /// Looks, in any order, at all labels that may be open at a level; `look` says whether they are.
    pub fn look_at(&mut self, level: usize, mut look: impl FnMut(u32) -> bool) {
        self.levels.resize(level + 1, self.n_open);
        let mut n = 0;
        while n < self.n_open {
            if look(self.labels[n]) {
                n += 1;
            } else {
                self.n_open -= 1;
                self.labels.swap(n, self.n_open);
            }
        }
    }
}
