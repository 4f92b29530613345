//! The functions that conditions are made of, as the console computes them.

use std::process::{Command, Stdio};

use ferroform_lang::body::{Expression, Names};
use ferroform_lang::{console, expression};

use crate::generate::Chance;
use crate::{Folder, Program, seed};

/// How many expressions the program is asked for at once.
const AT_ONCE: usize = 50;

/// How many calls of each function are made by chance.
const CALLS: usize = 60;

/// What functions are called with by chance: of each type, null, empty, large, not ASCII.
const ARGUMENTS: &[&str] = &[
    "null",
    "tostring(null)",
    "true",
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "-2.5",
    "16",
    "1e20",
    "\"\"",
    "\"a\"",
    "\"héllo wörld\"",
    "\"a,b,,c\"",
    "\"12\"",
    "\"true\"",
    "\"2026-11-20T08:30:05+01:00\"",
    "\"10.1.0.0/16\"",
    "\"fd00::/48\"",
    "\"1h30m\"",
    "\"%s-%v\"",
    "\"[a-z]+\"",
    "\"YWJj\"",
    "\"{\\\"a\\\": [1, null]}\"",
    "\"x\\ny\\n\"",
    "[]",
    "[1, 2, 3]",
    "[\"b\", \"a\", \"b\"]",
    "[\"a\", 1, null]",
    "[true, false]",
    "[[1], [2, 3]]",
    "tolist([\"x\", \"y\"])",
    "tolist([])",
    "tolist([3, 1])",
    "toset([\"b\", \"a\"])",
    "toset([2, 1])",
    "{}",
    "{ a = 1, b = \"x\" }",
    "{ a = [\"x\", \"y\"], b = [\"y\"] }",
    "tomap({ a = 1, b = 2 })",
    "tomap({ a = \"x\" })",
];

/// What becomes of an expression here.
enum Here {
    Shown(String),
    Refused,
    /// It is left to the program.
    Declined,
}

fn here(text: &str) -> Here {
    match Expression::parse(text).unwrap().evaluate(&Names::default()) {
        Some(Ok(it)) => Here::Shown(console::show(&it)),
        Some(Err(_)) => Here::Refused,
        None => Here::Declined,
    }
}

struct Console<'a> {
    program: &'a Program,
    folder: Folder,
}

impl Console<'_> {
    /// What the program shows for the expression; none where it refuses it.
    fn ask(&self, text: &str) -> Option<String> {
        let mut command = Command::new(&self.program.cli);
        command.arg("console").current_dir(&self.folder.0);
        command.env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", &self.program.rc);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let shown = || String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned();
        output.status.success().then(shown)
    }

    /// Asks for all of them as one tuple, and for each of them where that is not as it is here.
    fn compare(&self, texts: &[&str], differ: &mut Vec<String>) {
        let whole = format!("[{}]", texts.join(", "));
        if let Here::Shown(here) = here(&whole)
            && self.ask(&whole) == Some(here)
        {
            return;
        }
        for text in texts {
            let there = self.ask(text);
            let same = match here(text) {
                Here::Shown(here) => there.as_ref() == Some(&here),
                Here::Refused | Here::Declined => there.is_none(),
            };
            if !same {
                let here = if let Here::Shown(it) = here(text) { Some(it) } else { None };
                differ.push(format!("{text}: here {here:?}, in the program {there:?}"));
            }
        }
    }
}

/// Compares all, and answers those that are left to the program.
pub(crate) fn compare<'t>(name: &str, texts: &[&'t str]) -> Vec<&'t str> {
    let Some(program) = Program::for_test(name) else { return Vec::new() };
    let console = Console { program: &program, folder: Folder::new(&format!("{name}-module")) };
    let (mut shown, mut refused, mut declined) = (Vec::new(), Vec::new(), Vec::new());
    for text in texts {
        match here(text) {
            Here::Shown(_) => shown.push(*text),
            Here::Refused => refused.push(*text),
            Here::Declined => declined.push(*text),
        }
    }
    let mut differ = Vec::new();
    for texts in shown.chunks(AT_ONCE) {
        console.compare(texts, &mut differ);
    }
    for texts in refused.chunks(AT_ONCE) {
        let tested: Vec<String> = texts.iter().map(|it| format!("can({it})")).collect();
        console.compare(&tested.iter().map(String::as_str).collect::<Vec<_>>(), &mut differ);
    }
    let line = format!(
        "{name}: {} shown by both, {} refused by both, {} left to the program, {} differ\n",
        shown.len(),
        refused.len(),
        declined.len(),
        differ.len()
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    assert!(differ.is_empty(), "{line}{}", differ.join("\n"));
    declined
}

pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|it| !it.is_empty() && !it.starts_with('#')).collect()
}

#[test]
fn functions_are_as_in_the_program() {
    let files = [
        include_str!("expressions/types.txt"),
        include_str!("expressions/collections.txt"),
        include_str!("expressions/texts.txt"),
        include_str!("expressions/format.txt"),
        include_str!("expressions/patterns.txt"),
        include_str!("expressions/numbers.txt"),
        include_str!("expressions/network.txt"),
        include_str!("expressions/times.txt"),
    ];
    let texts: Vec<&str> = files.into_iter().flat_map(lines).collect();
    let declined = compare("functions", &texts);
    assert!(declined.is_empty(), "not computed:\n{}", declined.join("\n"));
}

/// Where it is not certain what the program says, nothing is said.
#[test]
fn functions_are_left_to_the_program() {
    for text in lines(include_str!("expressions/declined.txt")) {
        assert!(matches!(here(text), Here::Declined), "{text}");
    }
}

#[test]
fn calls_by_chance_are_as_in_the_program() {
    let mut chance = Chance::new(seed());
    let mut texts = Vec::new();
    for name in expression::functions() {
        for _ in 0..CALLS {
            let count = 1 + chance.next(3);
            let given: Vec<&str> = (0..count).map(|_| chance.pick(ARGUMENTS)).collect();
            let call = format!("{name}({})", given.join(", "));
            // Most calls by chance make no sense, and few of those are enough.
            if !matches!(here(&call), Here::Refused) || chance.once_in(6) {
                texts.push(call);
            }
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let declined = compare("calls", &texts);
    assert!(declined.len() * 20 <= texts.len(), "too much is left to the program:\n{}", declined.join("\n"));
}

/// The little languages in texts: verbs, patterns and times.
#[test]
fn texts_by_chance_are_as_in_the_program() {
    const NUMBERS: &[&str] =
        &["0", "1", "-7", "255", "3.75", "-0.0625", "1e9", "1234567.891", "1e-7", "0.1", "1/3"];
    const PIECES: &[&str] = &[
        "a",
        "b",
        "k",
        "é",
        "1",
        "-",
        " ",
        ".",
        "^",
        "$",
        "|",
        "*",
        "+",
        "?",
        "{2}",
        "{0,1}",
        "{1,}",
        "(",
        ")",
        "(?:",
        "(?i)",
        "(?s)",
        "[a-c]",
        "[^b]",
        "[É-í]",
        "[[:alpha:]]",
        "[^[:digit:] ]",
        "\\\\d",
        "\\\\W",
        "\\\\s",
        "\\\\b",
        "\\\\B",
        "\\\\pL",
        "\\\\p{Lu}",
        "[\\\\w-]",
        "ſ",
        "\\\\.",
    ];
    const SUBJECTS: &[&str] = &["abc-1 K", "éÉ a1\\nb", "kK\u{212a} sſ", "", "aabb  cc"];
    const LETTERS: &[&str] = &["Y", "M", "D", "E", "h", "H", "m", "s", "A", "a", "Z", "'", "-", "é"];
    let mut chance = Chance::new(seed() + 1);
    let mut texts = Vec::new();
    for _ in 0..300 {
        let mut verb = String::from("%");
        for flag in ["0", "#", "-", "+", " "] {
            verb.push_str(if chance.once_in(4) { flag } else { "" });
        }
        verb.push_str(chance.pick(&["", "", "1", "9", "14"]));
        verb.push_str(chance.pick(&["", "", ".", ".0", ".1", ".3", ".12"]));
        verb.push_str(chance.pick(&["b", "d", "o", "x", "X", "e", "E", "f", "g", "G", "s", "q", "v", "t"]));
        texts.push(format!("try(format(\"{verb}|\", {}), null)", chance.pick(NUMBERS)));
        let pattern: String = (0..1 + chance.next(6)).map(|_| chance.pick(PIECES)).collect();
        let pattern = pattern.replace("${", "$${");
        texts.push(format!("regexall(\"{pattern}\", \"{}\")", chance.pick(SUBJECTS)));
        texts.push(format!("replace(\"{}\", \"/{pattern}/\", \"<$0$1>\")", chance.pick(SUBJECTS)));
        let letters: String =
            (0..chance.next(4)).map(|_| chance.pick(LETTERS).repeat(1 + chance.next(5))).collect();
        let (hour, month) = (chance.next(24), 1 + chance.next(12));
        let time = format!("{}-{month:02}-28T{hour:02}:04:05-07:30", 1900 + chance.next(200));
        texts.push(format!("try(formatdate(\"{letters}\", \"{time}\"), null)"));
        let span = format!("{}h{}m{}s", chance.next(90_000), chance.next(600), chance.next(600));
        let sign = chance.pick(&["", "-"]);
        texts.push(format!("timeadd(\"{time}\", \"{sign}{span}\")"));
    }
    compare("texts", &texts.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn every_function_is_known_and_compared() {
    let compared = concat!(
        include_str!("expressions/types.txt"),
        include_str!("expressions/collections.txt"),
        include_str!("expressions/texts.txt"),
        include_str!("expressions/format.txt"),
        include_str!("expressions/patterns.txt"),
        include_str!("expressions/numbers.txt"),
        include_str!("expressions/network.txt"),
        include_str!("expressions/times.txt"),
    );
    let page = include_str!("../../../../docs/module-variables.md");
    for name in expression::functions() {
        assert!(compared.contains(&format!("{name}(")), "{name} is not compared with the program");
        assert!(page.contains(&format!("`{name}`")), "{name} is not in docs/module-variables.md");
    }
}
