//! Functions that depend on files, the time, random numbers or hashes, and further encodings, which the language crate does
//! not have.

use std::path::{Component, Path as Directory, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ferroform::Clock;
use ferroform::value::{Type, Typed, Value};
use ferroform_lang::body::{EvaluationContext, Expression, FailedCall, UnresolvedReference};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::marks::Marked;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};

use super::encodings::{self, Encoding};
use super::fileset::fileset;

/// The functions of Terraform that the simulation does not have.
const UNSUPPORTED: [&str; 6] = ["base64gzip", "bcrypt", "log", "rsadecrypt", "yamldecode", "yamlencode"];

/// The times of an evaluation, and whether it applies a plan.
#[derive(Clone, Debug)]
pub(crate) struct Timing {
    pub(crate) clock: Clock,
    /// The start of the plan.
    pub(crate) planned: SystemTime,
    pub(crate) is_applying: bool,
}

/// The environment of function calls.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'e> {
    /// The directory of the root module, to which the paths of files are relative.
    pub(crate) directory: &'e Directory,
    pub(crate) timing: &'e Timing,
}

type Called<T> = Result<T, FailedCall>;

/// A call whose arguments are known.
struct Call<'c> {
    arguments: &'c [Marked],
    environment: Environment<'c>,
}

/// A function: the number of its parameters, the type of its result, and its implementation.
type Function = (usize, Type, fn(&Call<'_>) -> Called<Value>);

/// True for a function that renders a template.
fn is_template_function(name: &str) -> bool {
    matches!(name, "templatefile" | "templatestring")
}

/// Calls a function by its name; `None` if Terraform has no such function.
pub(crate) fn call(name: &str, arguments: &[Marked], environment: Environment<'_>) -> Option<Called<Marked>> {
    let name = name.strip_prefix("core::").unwrap_or(name);
    if UNSUPPORTED.contains(&name) {
        return Some(Err(unsupported(&format!("The function {name}"))));
    }
    if is_template_function(name) {
        let result = template(name, arguments, environment);
        return Some(result.map(|it| with_marks_of(it, arguments)));
    }
    let (count, ty, function) = function(name).or_else(|| hash_function(name))?;
    if arguments.len() != count {
        return Some(Err(wrong_count(name, count, arguments.len())));
    }
    let is_known = arguments.iter().all(|it| it.typed.value.is_wholly_known());
    // The results of these functions differ in each call.
    let is_known = is_known && (environment.timing.is_applying || !matches!(name, "timestamp" | "uuid"));
    let result = match is_known {
        true => function(&Call { arguments, environment }),
        false => Ok(Value::UNKNOWN),
    };
    Some(result.map(|value| {
        let typed = match value {
            Value::Dynamic(it) => *it,
            value => Typed::new(ty, value),
        };
        with_marks_of(typed.into(), arguments)
    }))
}

fn function(name: &str) -> Option<Function> {
    Some(match name {
        "timestamp" => (0, Type::String, |it| timestamp(it.environment.timing.clock.system_time())),
        "plantimestamp" => (0, Type::String, |it| timestamp(it.environment.timing.planned)),
        "uuid" => (0, Type::String, |_| Ok(ferroform_engine::random::uuid().into())),
        "uuidv5" => (2, Type::String, |it| {
            let (namespace, name) = (it.string(0)?, it.string(1)?);
            let found = encodings::uuid_v5(&namespace, &name);
            found.map(Value::string).ok_or_else(|| failed(format!("{namespace:?} is not a namespace")))
        }),
        "file" => (1, Type::String, |it| it.file().and_then(utf8).map(Value::string)),
        "filebase64" => (1, Type::String, |it| it.file().map(|it| BASE64.encode(it).into())),
        "fileexists" => {
            (1, Type::Bool, |it| Ok(Value::Bool(it.environment.directory.join(it.string(0)?).is_file())))
        }
        "fileset" => (2, Type::set(Type::String), |it| {
            let directory = it.environment.directory.join(it.string(0)?);
            let found = fileset(&directory, &it.string(1)?);
            let found = found.ok_or_else(|| invalid(1, "the pattern is not valid".to_owned()))?;
            Ok(Value::Set(found.into_iter().map(Value::string).collect()))
        }),
        "basename" => (1, Type::String, |it| Ok(base_name(&it.string(0)?).into())),
        "dirname" => (1, Type::String, |it| Ok(directory_name(&it.string(0)?).into())),
        "abspath" => (1, Type::String, |it| {
            Ok(Value::string(cleaned(&it.environment.directory.join(it.string(0)?)).to_string_lossy()))
        }),
        "pathexpand" => (1, Type::String, |it| Ok(path_expand(&it.string(0)?).into())),
        "csvdecode" => (1, Type::Dynamic, |it| {
            let decoded = encodings::csv_decode(&it.string(0)?).map_err(failed)?;
            Ok(Value::Dynamic(Box::new(decoded)))
        }),
        "textencodebase64" => (2, Type::String, |it| {
            let encoded = it.encoding()?.encode(&it.string(0)?);
            let invalid =
                || invalid(0, "the string contains a character that the encoding does not have".to_owned());
            encoded.map(|it| BASE64.encode(it).into()).ok_or_else(invalid)
        }),
        "textdecodebase64" => (2, Type::String, |it| {
            let bytes = BASE64.decode(it.string(0)?.as_bytes());
            let bytes = bytes.map_err(|_| invalid(0, "the string is not valid Base64".to_owned()))?;
            let decoded = it.encoding()?.decode(&bytes);
            decoded
                .map(Value::string)
                .ok_or_else(|| invalid(0, "the bytes are not valid in the encoding".to_owned()))
        }),
        _ => return None,
    })
}

impl Call<'_> {
    /// An argument, converted to a string.
    fn string(&self, index: usize) -> Called<String> {
        string_argument(self.arguments, index)
    }

    fn file(&self) -> Called<Vec<u8>> {
        file(&self.string(0)?, self.environment.directory)
    }

    fn encoding(&self) -> Called<Encoding> {
        let name = self.string(1)?;
        Encoding::named(&name).ok_or_else(|| unsupported(&format!("The encoding {name:?}")))
    }
}

fn unsupported(what: &str) -> FailedCall {
    let detail = format!(
        "{what} is not supported in process. Run this configuration with a real `terraform` or `tofu`"
    );
    FailedCall { summary: Some("Unsupported Construct"), argument: None, detail }
}

fn wrong_count(name: &str, expected: usize, count: usize) -> FailedCall {
    let summary =
        if count < expected { "Not enough function arguments" } else { "Too many function arguments" };
    let detail = format!("Function {name:?} expects {expected} argument(s), but got {count}");
    FailedCall { summary: Some(summary), argument: None, detail }
}

/// The time in UTC, such as `2025-01-01T00:00:00Z`.
fn timestamp(time: SystemTime) -> Called<Value> {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let source = format!("timeadd(\"1970-01-01T00:00:00Z\", \"{seconds}s\")");
    let invalid = |_| failed("the time is invalid".to_owned());
    ferroform_lang::expression::evaluate(&source).map(|it| it.value).map_err(invalid)
}

/// Removes `.` and `..` from an absolute path.
fn cleaned(path: &Directory) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for it in path.components() {
        match it {
            Component::CurDir => {}
            // The root directory has no parent.
            Component::ParentDir => drop(cleaned.pop()),
            it => cleaned.push(it),
        }
    }
    cleaned
}

/// Replaces `~` at the start of a path with the home directory.
fn path_expand(path: &str) -> String {
    let rest = path.strip_prefix('~').filter(|it| it.is_empty() || it.starts_with(['/', '\\']));
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => format!("{}{rest}", home.to_string_lossy()),
        _ => path.to_owned(),
    }
}

/// A hash of a string, such as `sha256`, or of a file, such as `filesha256`.
fn hash_function(name: &str) -> Option<Function> {
    Some(match name {
        "md5" => (1, Type::String, |it| it.hash_of_string(md5)),
        "filemd5" => (1, Type::String, |it| it.hash_of_file(md5)),
        "sha1" => (1, Type::String, |it| it.hash_of_string(sha1)),
        "filesha1" => (1, Type::String, |it| it.hash_of_file(sha1)),
        "sha256" => (1, Type::String, |it| it.hash_of_string(sha256)),
        "filesha256" => (1, Type::String, |it| it.hash_of_file(sha256)),
        "sha512" => (1, Type::String, |it| it.hash_of_string(sha512)),
        "filesha512" => (1, Type::String, |it| it.hash_of_file(sha512)),
        "base64sha256" => (1, Type::String, |it| it.hash_of_string(base64_sha256)),
        "filebase64sha256" => (1, Type::String, |it| it.hash_of_file(base64_sha256)),
        "base64sha512" => (1, Type::String, |it| it.hash_of_string(base64_sha512)),
        "filebase64sha512" => (1, Type::String, |it| it.hash_of_file(base64_sha512)),
        _ => return None,
    })
}

impl Call<'_> {
    fn hash_of_string(&self, hash: fn(&[u8]) -> String) -> Called<Value> {
        Ok(hash(self.string(0)?.as_bytes()).into())
    }

    fn hash_of_file(&self, hash: fn(&[u8]) -> String) -> Called<Value> {
        Ok(hash(&self.file()?).into())
    }
}

fn md5(bytes: &[u8]) -> String {
    hexadecimal(&Md5::digest(bytes))
}

fn sha1(bytes: &[u8]) -> String {
    hexadecimal(&Sha1::digest(bytes))
}

fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn sha512(bytes: &[u8]) -> String {
    hexadecimal(&Sha512::digest(bytes))
}

fn base64_sha256(bytes: &[u8]) -> String {
    BASE64.encode(Sha256::digest(bytes))
}

fn base64_sha512(bytes: &[u8]) -> String {
    BASE64.encode(Sha512::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// Adds the marks of all arguments to the result.
fn with_marks_of(mut result: Marked, arguments: &[Marked]) -> Marked {
    arguments.iter().for_each(|it| result.marks.extend(it.marks.clone().into_root_marks()));
    result
}

fn invalid(index: usize, detail: String) -> FailedCall {
    FailedCall { summary: None, argument: Some(index), detail }
}

fn failed(detail: String) -> FailedCall {
    FailedCall { summary: None, argument: None, detail }
}

fn string_argument(arguments: &[Marked], index: usize) -> Called<String> {
    let argument = arguments.get(index).and_then(|it| it.clone().convert(&Type::String).ok());
    let string = argument.and_then(|it| it.typed.value.as_str().map(str::to_owned));
    string.ok_or_else(|| invalid(index, "a string is required".to_owned()))
}

fn file(path: &str, directory: &Directory) -> Result<Vec<u8>, FailedCall> {
    std::fs::read(directory.join(path))
        .map_err(|error| invalid(0, format!("the file {path} cannot be read: {error}")))
}

fn utf8(bytes: Vec<u8>) -> Result<String, FailedCall> {
    String::from_utf8(bytes)
        .map_err(|_| invalid(0, "the contents of the file are not valid UTF-8".to_owned()))
}

fn base_name(path: &str) -> &str {
    let last = path.trim_end_matches('/').rsplit('/').next().filter(|it| !it.is_empty());
    last.unwrap_or(if path.is_empty() { "." } else { "/" })
}

fn directory_name(path: &str) -> &str {
    match path.rsplit_once('/') {
        None => ".",
        Some(("", _)) => "/",
        Some((directory, _)) => directory.trim_end_matches('/'),
    }
}

/// Renders the template in a file or in a string.
fn template(name: &str, arguments: &[Marked], environment: Environment<'_>) -> Called<Marked> {
    let [source, variables] = arguments else { return Err(wrong_count(name, 2, arguments.len())) };
    if source.typed.value.is_unknown() || variables.typed.value.is_unknown() {
        return Ok(Marked::unknown(Type::Dynamic));
    }
    let source = string_argument(arguments, 0)?;
    let (text, argument) = match name {
        "templatefile" => (utf8(file(&source, environment.directory)?)?, None),
        _ => (source, Some(0)),
    };
    let template =
        Expression::template(&text).map_err(|it| FailedCall { argument, ..failed(it.to_string()) })?;
    let variables = variables.clone().into_key_value_pairs().unwrap_or_default().0.into_iter();
    let variables = variables.filter_map(|(key, value)| Some((key.typed.value.as_str()?.to_owned(), value)));
    let scope = TemplateVariables { values: variables.collect(), environment };
    let references = template.references();
    let roots = references.traversals.into_iter().filter_map(|it| it.names.into_iter().next());
    if let Some(name) = references.others.into_iter().chain(roots).find(|it| !scope.values.contains_key(it)) {
        return Err(invalid(1, format!("vars map does not contain key {name:?}")));
    }
    template.evaluate_in(&scope).map_err(|it| failed(it.to_string()))
}

/// The variables of a template.
struct TemplateVariables<'s> {
    values: std::collections::HashMap<String, Marked>,
    environment: Environment<'s>,
}

impl EvaluationContext for TemplateVariables<'_> {
    fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), UnresolvedReference> {
        let name = names.first().copied().unwrap_or_default();
        self.values.get(name).map(|it| (it, 1)).ok_or_else(|| UnresolvedReference {
            summary: "Invalid function argument".to_owned(),
            detail: format!("The vars map does not contain key {name:?}."),
        })
    }

    /// As in Terraform 1.11.
    fn logical_operators(&self) -> LogicalOperators {
        LogicalOperators::Strict
    }

    fn call(&self, name: &str, arguments: &[Marked]) -> Option<Result<Marked, FailedCall>> {
        if is_template_function(name.trim_start_matches("core::")) {
            let detail = format!("cannot recursively call {name} from inside another template function");
            return Some(Err(failed(detail)));
        }
        call(name, arguments, self.environment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_split_as_in_go() {
        for (path, base, directory) in [
            ("a/b.txt", "b.txt", "a"),
            ("b.txt", "b.txt", "."),
            ("/b", "b", "/"),
            ("", ".", "."),
            ("/", "/", "/"),
        ] {
            assert_eq!((base_name(path), directory_name(path)), (base, directory), "{path:?}");
        }
    }

    #[test]
    fn hashes_are_those_of_their_standards() {
        assert_eq!(md5(b"a"), "0cc175b9c0f1b6a831c399e269772661");
        assert_eq!(sha1(b"a"), "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8");
        assert_eq!(base64_sha256(b""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
