//! Translates Terraform's regular expressions (RE2) to the syntax of the `regex` crate. A pattern whose meaning could
//! differ is not supported.
//!
//! ```
//! use ferroform_lang::body::{Expression, Variables};
//!
//! let evaluate = |source| Expression::parse(source).map(|it| it.evaluate(&Variables::default()).is_ok());
//! assert!(evaluate(r#"regexall("(?i)[a-c]{2}", "ab")"#)?);
//! // The regular expression libraries support different versions of Unicode, so this script is not supported.
//! assert!(!evaluate(r#"regexall("\\p{Garay}", "ab")"#)?);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

/// Terraform's limit for the product of nested repetitions.
const MAX_REPEATS: usize = 1000;

/// Returns the translated pattern and its number of repetitions; `None` if its meaning could differ.
pub(crate) fn translated(pattern: &str) -> Option<(String, usize)> {
    let mut it = Reader { rest: pattern, out: String::with_capacity(pattern.len()) };
    // The maximum repetition count so far in each enclosing group.
    let mut open: Vec<usize> = Vec::new();
    // The maximum repetition counts in the current group and in the last term.
    let (mut most, mut last) = (1, 1);
    // True after a repetition. Only one of the two libraries accepts a repetition of a repetition.
    let mut repeats = false;
    while let Some(next) = it.rest.chars().next() {
        let was_repetition = std::mem::replace(&mut repeats, false);
        let times = match next {
            '*' | '+' | '?' => Some((1, 1)),
            '{' => it.counts()?,
            _ => None,
        };
        if let Some((length, count)) = times {
            if was_repetition {
                return None;
            }
            repeats = true;
            last *= count.max(1);
            if last > MAX_REPEATS {
                return None;
            }
            most = most.max(last);
            it.keep(length);
            if it.rest.starts_with('?') {
                it.keep(1);
            }
            continue;
        }
        last = 1;
        match next {
            '\\' => it.escape()?,
            '[' => it.class()?,
            '(' => {
                open.push(most);
                most = 1;
                it.group()?;
            }
            ')' => {
                last = most;
                most = open.pop()?.max(most);
                it.keep(1);
            }
            '.' | '^' | '$' | '|' => it.keep(1),
            _ => {
                it.literal(next);
                it.skip(next.len_utf8());
            }
        }
    }
    open.is_empty().then_some((it.out, most))
}

struct Reader<'a> {
    rest: &'a str,
    out: String,
}

impl Reader<'_> {
    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
    }

    fn keep(&mut self, length: usize) {
        self.out.push_str(&self.rest[..length]);
        self.skip(length);
    }

    /// Writes a literal character.
    fn literal(&mut self, it: char) {
        if it.is_ascii_alphanumeric() || !it.is_ascii() {
            self.out.push(it);
        } else {
            self.out.push_str(&format!("\\x{:02x}", u32::from(it)));
        }
    }

    /// Returns the length and the maximum of `{2}`, `{2,}` or `{2,5}`; `None` if the brace is a literal.
    fn counts(&self) -> Option<Option<(usize, usize)>> {
        let number = |it: &str| {
            let is_valid = !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
            is_valid && (it == "0" || !it.starts_with('0'))
        };
        let Some(end) = self.rest.find('}') else { return Some(None) };
        let (least, most) = self.rest[1..end].split_once(',').unwrap_or((&self.rest[1..end], "0"));
        if !number(least) || !(most.is_empty() || number(most)) {
            return Some(None);
        }
        let most = if most.is_empty() { "0" } else { most };
        let count = least.parse::<usize>().ok()?.max(most.parse().ok()?);
        Some(Some((end + 1, count)))
    }

    /// Translates the flags or the name after an opening parenthesis.
    fn group(&mut self) -> Option<()> {
        let Some(flags) = self.rest.strip_prefix("(?") else {
            self.keep(1);
            return Some(());
        };
        let name = flags.strip_prefix("P<").or_else(|| flags.strip_prefix('<'));
        let length = match name {
            Some(name) => {
                let end = name.find('>')?;
                let is_valid = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
                let is_valid =
                    name[..end].bytes().all(is_valid) && !name.starts_with(|it: char| it.is_ascii_digit());
                is_valid.then_some(self.rest.len() - name.len() + end + 1)?
            }
            None => {
                let end = flags.find([':', ')'])?;
                flags[..end]
                    .bytes()
                    .all(|it| matches!(it, b'i' | b'm' | b's' | b'U' | b'-'))
                    .then_some(end + 3)?
            }
        };
        // Flags such as `(?i)` do not open a group. Their closing parenthesis is translated like that of a group.
        let length = if self.rest[..length].ends_with(')') { length - 1 } else { length };
        self.keep(length);
        Some(())
    }

    /// Translates an escape sequence outside of a class.
    fn escape(&mut self) -> Option<()> {
        match self.rest.as_bytes().get(1)? {
            b'A' | b'z' => self.keep(2),
            // In RE2, a word consists of ASCII characters.
            it @ (b'b' | b'B') => {
                self.out.push_str(if *it == b'b' { "(?-u:\\b)" } else { "(?-u:\\B)" });
                self.skip(2);
            }
            _ if self.named()? => {}
            _ => {
                let it = self.character()?;
                self.literal(it);
            }
        }
        Some(())
    }

    /// Translates a named class: `\d`, `\pL`, `\p{Greek}`. Returns false if there is none.
    fn named(&mut self) -> Option<bool> {
        let Some(rest) = self.rest.strip_prefix('\\') else { return Some(false) };
        let kind = rest.chars().next()?;
        let class = match kind.to_ascii_lowercase() {
            'd' => "0-9",
            'w' => "0-9A-Za-z_",
            // In RE2, a vertical tab is not white space.
            's' => "\\t\\n\\f\\r ",
            'p' => return self.property().map(|()| true),
            _ => return Some(false),
        };
        let not = if kind.is_ascii_uppercase() { "^" } else { "" };
        self.out.push_str(&format!("[{not}{class}]"));
        self.skip(2);
        Some(true)
    }

    /// Translates a Unicode category or script.
    fn property(&mut self) -> Option<()> {
        const CATEGORIES: [&str; 35] = [
            "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd",
            "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "Cc", "Cf",
            "Co", "Common",
        ];
        const SCRIPTS: [&str; 16] = [
            "Latin",
            "Greek",
            "Cyrillic",
            "Armenian",
            "Hebrew",
            "Arabic",
            "Devanagari",
            "Bengali",
            "Tamil",
            "Thai",
            "Georgian",
            "Hangul",
            "Hiragana",
            "Katakana",
            "Han",
            "Ethiopic",
        ];
        let after = &self.rest[2..];
        let (name, length) = match after.strip_prefix('{') {
            Some(it) => {
                let end = it.find('}')?;
                (&it[..end], end + 4)
            }
            None => (after.get(..1)?, 3),
        };
        let plain = name.strip_prefix('^').unwrap_or(name);
        if !CATEGORIES.contains(&plain) && !SCRIPTS.contains(&plain) {
            return None;
        }
        let not = self.rest[1..].starts_with('P') != (plain.len() < name.len());
        self.out.push_str(&format!("\\{}{{{plain}}}", if not { 'P' } else { 'p' }));
        self.skip(length);
        Some(())
    }

    /// Translates a character or its escape sequence.
    fn character(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let mut it = chars.next()?;
        if it == '\\' {
            it = match chars.next()? {
                'a' => '\u{7}',
                'f' => '\u{c}',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                'v' => '\u{b}',
                'x' => {
                    let digits = match chars.as_str().strip_prefix('{') {
                        Some(rest) => {
                            let (digits, rest) = rest.split_once('}')?;
                            chars = rest.chars();
                            digits
                        }
                        None => {
                            let (digits, rest) = chars.as_str().split_at_checked(2)?;
                            chars = rest.chars();
                            digits
                        }
                    };
                    let is_valid = digits.bytes().all(|it| it.is_ascii_hexdigit());
                    char::from_u32(is_valid.then(|| u32::from_str_radix(digits, 16).ok()).flatten()?)?
                }
                it if it.is_ascii_punctuation() => it,
                _ => return None,
            };
        }
        self.rest = chars.as_str();
        Some(it)
    }

    /// Translates `[…]`. Each part is written in an unambiguous form.
    fn class(&mut self) -> Option<()> {
        self.keep(1);
        if self.rest.starts_with('^') {
            self.keep(1);
        }
        let mut first = true;
        // A closing bracket at the start of a class is a literal.
        while first || !self.rest.starts_with(']') {
            first = false;
            if self.rest.starts_with("[:")
                && let Some(end) = self.rest.find(":]")
            {
                const NAMES: [&str; 14] = [
                    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
                    "space", "upper", "word", "xdigit",
                ];
                let name = self.rest[2..end].strip_prefix('^').unwrap_or(&self.rest[2..end]);
                NAMES.contains(&name).then_some(())?;
                self.keep(end + 2);
            } else if !self.named()? {
                let least = self.character()?;
                let mut most = least;
                if self.rest.starts_with('-') && !self.rest.starts_with("-]") && self.rest.len() > 1 {
                    self.skip(1);
                    most = self.character()?;
                }
                self.out.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(least), u32::from(most)));
            }
        }
        self.keep(1);
        Some(())
    }
}
