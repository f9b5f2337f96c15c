//! The name that somebody meant.

/// The name that was probably meant.
pub fn nearest_name<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Of a short name little may differ; names of one letter are all alike.
    let most = match wrong.chars().count() {
        0 | 1 => 0,
        length => length.div_ceil(3),
    };
    let near = known.into_iter().map(|name| (distance(name, wrong), name));
    near.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The edit distance between two names (Levenshtein), to suggest the likeliest first.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
