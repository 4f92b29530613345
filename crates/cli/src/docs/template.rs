//! Templates of pages: Go templates with the functions of HashiCorp's documentation tool.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gtmpl::error::{ExecError, ParseError};
use gtmpl::{Context, Func, FuncError, Template, Value};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The fields that a template can use.
pub(super) type Fields = HashMap<String, Value>;

thread_local! {
    /// The directory to which paths in the template are relative. A function of a template is a function pointer, so
    /// it cannot contain the directory.
    static ROOT: RefCell<PathBuf> = RefCell::default();
}

const FUNCTIONS: [(&str, Func); 10] = [
    ("codefile", code_file),
    ("lower", |it| string(it, "lower", |it| it.to_lowercase())),
    ("plainmarkdown", |it| string(it, "plainmarkdown", plain_markdown)),
    ("prefixlines", prefix_lines),
    ("printf", printf),
    ("split", split),
    ("tffile", terraform_file),
    ("title", |it| string(it, "title", title)),
    ("trimspace", |it| string(it, "trimspace", |it| it.trim().to_owned())),
    ("upper", |it| string(it, "upper", |it| it.to_uppercase())),
];

/// Renders a template.
///
/// # Errors
///
/// Returns a message with the file and the line of a construct that is not valid or that has no value.
pub(super) fn render(root: &Path, file: &str, text: &str, fields: &Fields) -> Result<String, String> {
    ROOT.with_borrow_mut(|it| root.clone_into(it));
    let mut template = Template::default();
    template.add_funcs(&FUNCTIONS);
    template.parse(text).map_err(|error| match error {
        // The library counts from 2.
        ParseError::WithContext(at, message) => {
            // The library represents the end of the file by a null character.
            let message = message.to_string().replace('\0', "(end of file)");
            format!("{file}:{}: {message}", at.line.max(2) - 1)
        }
        other => format!("{file}: {other}"),
    })?;
    let context = Context::from(Value::Object(fields.clone()));
    template.render(&context).map_err(|error| match error {
        ExecError::NoFiledFor(name, _) => {
            let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
            names.sort_unstable();
            let names = names.iter().map(|it| format!(".{it}")).collect::<Vec<_>>().join(", ");
            format!(
                "{}: this page has no field .{name}; it has: {names}",
                place(file, text, &format!(".{name}"))
            )
        }
        ExecError::FuncError(FuncError::Generic(message)) => {
            // The message begins with the quoted argument.
            let argument = message.split('"').nth(1).unwrap_or_default();
            format!("{}: {message}", place(file, text, argument))
        }
        other => format!("{file}: {other}"),
    })
}

/// Returns the position of the first action that contains a string.
fn place(file: &str, text: &str, string: &str) -> String {
    let action = text.match_indices("{{").find_map(|(start, _)| {
        let action = text[start..].split("}}").next()?;
        action.find(string).map(|at| start + at)
    });
    match action {
        Some(at) if !string.is_empty() => format!("{file}:{}", 1 + text[..at].matches('\n').count()),
        _ => file.to_owned(),
    }
}

/// Calls a function of one string.
fn string(args: &[Value], name: &str, function: impl Fn(&str) -> String) -> Result<Value, FuncError> {
    let [argument] = strings(args, name)?;
    Ok(Value::from(function(argument)))
}

/// Returns the arguments of a function, which must be strings.
fn strings<'a, const N: usize>(args: &'a [Value], name: &str) -> Result<[&'a str; N], FuncError> {
    let args: Vec<&str> = args
        .iter()
        .map(|it| match it {
            Value::String(it) => Ok(it.as_str()),
            other => {
                Err(FuncError::Generic(format!("the function {name} requires strings, but got {other}")))
            }
        })
        .collect::<Result<_, _>>()?;
    args.try_into().map_err(|_| FuncError::ExactlyXArgs(name.to_owned(), N))
}

fn code_file(args: &[Value]) -> Result<Value, FuncError> {
    let [language, file] = strings(args, "codefile")?;
    code_block(language, file)
}

fn terraform_file(args: &[Value]) -> Result<Value, FuncError> {
    let [file] = strings(args, "tffile")?;
    code_block("terraform", file)
}

/// Returns the content of a file as a code block.
fn code_block(language: &str, file: &str) -> Result<Value, FuncError> {
    let path = ROOT.with_borrow(|it| it.join(file));
    let content = std::fs::read_to_string(path)
        .map_err(|error| FuncError::Generic(format!("\"{file}\" cannot be read: {error}")))?;
    // A code block ends with at least as many backticks as it begins with.
    let longest = content.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    Ok(Value::from(format!("{fence}{language}\n{}\n{fence}", content.trim())))
}

/// Adds a prefix to each line that is not empty.
fn prefix_lines(args: &[Value]) -> Result<Value, FuncError> {
    let [prefix, text] = strings(args, "prefixlines")?;
    let lines =
        text.lines().map(|it| if it.trim().is_empty() { String::new() } else { format!("{prefix}{it}") });
    Ok(Value::from(lines.collect::<Vec<_>>().join("\n")))
}

fn split(args: &[Value]) -> Result<Value, FuncError> {
    let [text, separator] = strings(args, "split")?;
    Ok(Value::Array(text.split(separator).map(Value::from).collect()))
}

/// The verbs of templates: `%s`, `%v`, `%d`, `%t`, `%q` and `%%`.
fn printf(args: &[Value]) -> Result<Value, FuncError> {
    let Some((Value::String(format), arguments)) = args.split_first() else {
        return Err(FuncError::AtLeastXArgs("printf".to_owned(), 1));
    };
    let mut arguments = arguments.iter();
    let mut out = String::new();
    let mut parts = format.split('%');
    out.push_str(parts.next().unwrap_or_default());
    while let Some(part) = parts.next() {
        let mut characters = part.chars();
        match characters.next() {
            // "%%" is split into an empty part and the rest.
            None => {
                out.push('%');
                out.push_str(parts.next().unwrap_or_default());
                continue;
            }
            Some(verb @ ('s' | 'v' | 'd' | 't' | 'q')) => {
                let argument = arguments.next().ok_or_else(|| {
                    FuncError::Generic(format!("\"{format}\" has more verbs than arguments"))
                })?;
                match verb {
                    'q' => out.push_str(&format!("{:?}", argument.to_string())),
                    _ => out.push_str(&argument.to_string()),
                }
            }
            Some(verb) => {
                return Err(FuncError::Generic(format!(
                    "\"{format}\" contains %{verb}, which is not supported"
                )));
            }
        }
        out.push_str(characters.as_str());
    }
    Ok(Value::from(out))
}

/// Capitalizes each word.
fn title(text: &str) -> String {
    let mut is_start = true;
    let capitalize = |it: char| {
        let out: String = if is_start { it.to_uppercase().collect() } else { it.to_lowercase().collect() };
        is_start = !it.is_alphanumeric();
        out
    };
    text.chars().map(capitalize).collect()
}

/// Returns Markdown without its formatting.
pub(super) fn plain_markdown(markdown: &str) -> String {
    let mut out = String::new();
    for event in Parser::new(markdown) {
        match event {
            Event::Text(it) | Event::Code(it) => out.push_str(&it),
            Event::SoftBreak | Event::HardBreak => out.push('\n'),
            Event::Start(Tag::Item) => {
                start_line(&mut out);
                out.push_str("- ");
            }
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::List(_)) => {
                start_line(&mut out);
                out.push('\n');
            }
            _ => {}
        }
    }
    out.trim().to_owned()
}

/// Ends the current line, if it is not empty.
fn start_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn rendered(text: &str) -> String {
        let fields = [
            ("Name", Value::from("local_file")),
            (
                "Description",
                Value::from("Writes a *file*, see [the docs](https://x.example).\n\nTwo:\n\n- `a`\n- b\n"),
            ),
            ("HasExample", Value::from(true)),
            ("ExampleFiles", Value::from(vec!["Cargo.toml"])),
        ];
        let fields = fields.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
        render(Path::new(env!("CARGO_MANIFEST_DIR")), "a.md.tmpl", text, &fields).unwrap_or_else(|it| it)
    }

    #[test]
    fn functions_have_the_results_of_the_original_tool() {
        assert_eq!(
            rendered("{{ .Description | plainmarkdown | trimspace | prefixlines \"  \" }}"),
            "  Writes a file, see the docs.\n\n  Two:\n\n  - a\n  - b"
        );
        assert_eq!(
            rendered("{{ .Name | upper }} {{ \"aB cd\" | title }} {{ lower \"X\" }}"),
            "LOCAL_FILE Ab Cd x"
        );
        assert_eq!(rendered("{{ range split .Name \"_\" }}[{{ . }}]{{ end }}"), "[local][file]");
        assert_eq!(rendered(r#"{{ printf "%s: %q, 100%%" .Name "a" }}"#), "local_file: \"a\", 100%");
        assert_eq!(
            rendered("{{ if and .HasExample (eq .Name \"x\") -}}\nyes\n{{- else }}no{{ end }}{{/* note */}}"),
            "no"
        );
        let block = rendered("{{ range .ExampleFiles }}{{ tffile . }}{{ end }}");
        assert!(block.starts_with("```terraform\n[package]\n") && block.ends_with("\n```"), "{block}");
        assert!(rendered("{{ codefile \"toml\" \"Cargo.toml\" }}").starts_with("```toml\n"));
    }

    #[test]
    fn errors_have_the_file_and_the_line() {
        let errors = [
            "{{ .Name",
            "a\n{{ unknown .Name }}",
            "a\nb\n{{ if .HasImport }}x{{ end }}",
            "\n{{ tffile \"no/such.tf\" }}",
            "{{ if .Name }}",
            "{{ printf \"%x\" .Name }}",
            "{{ upper 1 }}",
            "{{ upper }}",
        ];
        let errors = errors.map(rendered).join("\n");
        expect![[r#"
            a.md.tmpl:1: unexpected bad character (end of file) in command
            a.md.tmpl:2: function unknown not defined
            a.md.tmpl:3: this page has no field .HasImport; it has: .Description, .ExampleFiles, .HasExample, .Name
            a.md.tmpl:2: "no/such.tf" cannot be read: No such file or directory (os error 2)
            a.md.tmpl:2: unexpected EOF
            a.md.tmpl:1: "%x" contains %x, which is not supported
            a.md.tmpl: the function upper requires strings, but got 1
            a.md.tmpl: upper requires exactly 1 argument(s)"#]].assert_eq(&errors);
    }
}
