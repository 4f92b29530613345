//! Patterns that both languages of regular expressions read alike.

/// The most often that the program lets something repeat.
const MAX_REPEATS: u32 = 1000;

/// The pattern in the other language. `None` for what only one of the two has, or what they may not agree on:
/// classes of Unicode, case folding, rare escapes.
pub(super) fn translated(pattern: &str) -> Option<String> {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(it) = rest.chars().next() {
        let mut length = it.len_utf8();
        match it {
            '\\' => {
                let escaped = rest[1..].chars().next()?;
                length += escaped.len_utf8();
                match (escaped, in_class) {
                    ('d' | 'w' | 'D' | 'W', _)
                    | ('b' | 'B' | 'A' | 'z', false)
                    | ('n' | 'r' | 't' | 'f', _) => out.push_str(&rest[..length]),
                    // A vertical tab is a space in one of the two only.
                    ('s', true) => out.push_str("\\t\\n\\f\\r "),
                    ('s', false) => out.push_str("[\\t\\n\\f\\r ]"),
                    ('S', false) => out.push_str("[^\\t\\n\\f\\r ]"),
                    (it, _) if it.is_ascii_punctuation() && !matches!(it, '<' | '>') => {
                        out.push_str(&rest[..length]);
                    }
                    ('<' | '>', _) => out.push(escaped),
                    _ => return None,
                }
                // `\b{start}` is a word of one of the two.
                if matches!(escaped, 'b' | 'B') && rest[length..].starts_with('{') {
                    return None;
                }
            }
            '[' if in_class => {
                // A class within a class, and a name such as `[:alpha:]`, are rare enough.
                return None;
            }
            '[' => {
                in_class = true;
                let negated = rest[1..].starts_with('^');
                length += usize::from(negated);
                // A closing bracket that comes first is a plain one.
                if rest[length..].starts_with(']') {
                    return None;
                }
                out.push_str(&rest[..length]);
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '&' | '~' if in_class && rest[1..].starts_with(it) => return None,
            '-' if in_class && rest[1..].starts_with('-') => return None,
            '(' if !in_class && rest.starts_with("(?") => {
                let known = ["(?:", "(?P<"].into_iter().find(|it| rest.starts_with(it))?;
                out.push_str(known);
                length = known.len();
            }
            '{' if !in_class => {
                let end = rest.find('}')?;
                let counts = &rest[1..end];
                let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
                let fine = |it: &str| {
                    it.bytes().all(|it| it.is_ascii_digit())
                        && it.parse::<u32>().is_ok_and(|it| it <= MAX_REPEATS)
                };
                if !fine(least) || !(most.is_empty() || fine(most)) {
                    return None;
                }
                out.push_str(&rest[..=end]);
                length = end + 1;
            }
            // Repeating what repeats already is refused by one of the two.
            '*' | '+' | '?' if !in_class && rest[1..].starts_with(['*', '+', '{']) => return None,
            _ => out.push(it),
        }
        rest = &rest[length..];
    }
    (!in_class).then_some(out)
}
