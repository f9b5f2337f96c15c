//! Makes a failing program smaller: lines, blocks, and what stands in parentheses.

/// A smaller text that still fails.
pub fn reduce(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let mut best = text.to_string();
    loop {
        let before = best.len();
        lines(&mut best, fails);
        blocks(&mut best, fails);
        groups(&mut best, fails);
        if best.len() >= before {
            return best;
        }
    }
}

fn take(best: &mut String, candidate: String, fails: &dyn Fn(&str) -> bool) -> bool {
    let smaller = candidate.len() < best.len() && fails(&candidate);
    if smaller {
        *best = candidate;
    }
    smaller
}

fn without(text: &str, leave_out: &dyn Fn(usize) -> bool) -> String {
    let kept = text.lines().enumerate().filter(|(n, _)| !leave_out(*n));
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

fn lines(best: &mut String, fails: &dyn Fn(&str) -> bool) {
    let mut size = best.lines().count() / 2;
    while size > 0 {
        let mut start = 0;
        while start < best.lines().count() {
            let candidate = without(best, &|n| (start..start + size).contains(&n));
            if !take(best, candidate, fails) {
                start += size;
            }
        }
        size /= 2;
    }
}

/// Leaves out whole blocks, or only their first and last lines.
fn blocks(best: &mut String, fails: &dyn Fn(&str) -> bool) {
    let mut n = 0;
    while n < best.lines().count() {
        if let Some(end) = end_of_block(best, n) {
            let whole = without(best, &|line| (n..=end).contains(&line));
            let frame = without(best, &|line| line == n || line == end);
            if take(best, whole, fails) || take(best, frame, fails) {
                continue;
            }
        }
        n += 1;
    }
}

fn end_of_block(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (n, line) in text.lines().enumerate().skip(start) {
        let open = line.matches('{').count() as i32;
        depth += open - line.matches('}').count() as i32;
        if n == start && depth <= 0 {
            return None;
        }
        if depth <= 0 {
            return Some(n);
        }
    }
    None
}

/// Puts a number, or a part, in the place of what stands in parentheses.
fn groups(best: &mut String, fails: &dyn Fn(&str) -> bool) {
    let mut start = 0;
    while let Some(at) = best[start..].find('(') {
        start += at;
        let Some(end) = matching(best, start) else { return };
        let inner = best[start + 1..end].to_string();
        let mut candidates = vec!["0".to_string(), "1".to_string(), inner.clone()];
        let opens =
            inner.match_indices('(').filter_map(|(n, _)| Some(inner[n..=matching(&inner, n)?].to_string()));
        candidates.extend(opens.collect::<Vec<_>>());
        for op in [" && ", " || ", " + ", " - ", " * ", " & ", " ^ ", " | ", " : ", " ? "] {
            candidates.extend(
                inner.split_once(op).into_iter().flat_map(|(a, b)| [format!("({a})"), format!("({b})")]),
            );
        }
        let done = candidates.into_iter().any(|candidate| {
            let whole = format!("{}{candidate}{}", &best[..start], &best[end + 1..]);
            take(best, whole, fails)
        });
        if !done {
            start += 1;
        }
    }
}

fn matching(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0;
    for (n, c) in text[start..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(start + n);
        }
    }
    None
}
