//! Functions that depend on files, the time or hashes, which the language crate does not have.

use std::path::Path as Directory;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ferroform::value::{Type, Typed, Value};
use ferroform_lang::body::{Expression, FailedCall, References, Unresolved};
use ferroform_lang::marks::{Mark, Marked, Marks};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};

use super::values::iterations;

/// The functions of Terraform that the simulation does not have.
const UNSUPPORTED: [&str; 16] = [
    "base64gzip",
    "bcrypt",
    "csvdecode",
    "fileset",
    "pathexpand",
    "rsadecrypt",
    "templatestring",
    "textdecodebase64",
    "textencodebase64",
    "type",
    "urlencode",
    "uuid",
    "uuidv5",
    "yamldecode",
    "yamlencode",
    "convert",
];

/// Calls a function by its name; `None` if Terraform has no such function. `directory` is that of the root module.
pub(crate) fn call(
    name: &str,
    arguments: &[Marked],
    directory: &Directory,
) -> Option<Result<Marked, FailedCall>> {
    let string = |index: usize| string_argument(arguments, index);
    let bytes = || file(string(0)?, directory);
    let result = match name {
        "timestamp" => return Some(Ok(Marked::unknown(Type::String))),
        // The time of the test clock at its start.
        "plantimestamp" => Ok("2025-01-01T00:00:00Z".into()),
        _ if UNSUPPORTED.contains(&name) => {
            let detail = format!(
                "The function {name} is not supported in process. Run this configuration with a real `terraform` or `tofu`."
            );
            return Some(Err(FailedCall { summary: Some("Unsupported Construct"), argument: None, detail }));
        }
        "templatefile" => {
            return Some(template_file(arguments, directory).map(|it| with_marks_of(it, arguments)));
        }
        _ if arguments.iter().any(|it| !it.typed.value.is_wholly_known()) && is_known(name) => {
            Ok(Value::UNKNOWN)
        }
        "file" => bytes().and_then(utf8).map(Value::string),
        "filebase64" => bytes().map(|it| BASE64.encode(it).into()),
        "fileexists" => string(0).map(|path| Value::Bool(directory.join(path).is_file())),
        "basename" => string(0).map(|path| base_name(path).into()),
        "dirname" => string(0).map(|path| directory_name(path).into()),
        "abspath" => string(0).map(|path| Value::string(directory.join(path).to_string_lossy())),
        _ => {
            let (source, hash) = match name.strip_prefix("file") {
                Some(hash) => (bytes(), hash),
                None => (string(0).map(|it| it.as_bytes().to_vec()), name),
            };
            hash_function(hash)?;
            source.map(|it| hash_function(hash).map_or(Value::Null, |hash| hash(&it).into()))
        }
    };
    let ty = if name == "fileexists" { Type::Bool } else { Type::String };
    Some(result.map(|value| with_marks_of(Typed::new(ty, value).into(), arguments)))
}

fn is_known(name: &str) -> bool {
    ["file", "filebase64", "fileexists", "basename", "dirname", "abspath"].contains(&name)
        || hash_function(name.strip_prefix("file").unwrap_or(name)).is_some()
}

fn hash_function(name: &str) -> Option<fn(&[u8]) -> String> {
    Some(match name {
        "md5" => |it| hexadecimal(&Md5::digest(it)),
        "sha1" => |it| hexadecimal(&Sha1::digest(it)),
        "sha256" => |it| hexadecimal(&Sha256::digest(it)),
        "sha512" => |it| hexadecimal(&Sha512::digest(it)),
        "base64sha256" => |it| BASE64.encode(Sha256::digest(it)),
        "base64sha512" => |it| BASE64.encode(Sha512::digest(it)),
        _ => return None,
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// Unites the marks of the arguments at the result.
fn with_marks_of(mut result: Marked, arguments: &[Marked]) -> Marked {
    for mark in [Mark::Sensitive, Mark::Ephemeral] {
        if arguments.iter().any(|it| it.marks.contains(mark)) {
            result.marks.extend(Marks::of(mark));
        }
    }
    result
}

fn invalid(index: usize, detail: String) -> FailedCall {
    FailedCall { summary: None, argument: Some(index), detail }
}

fn string_argument(arguments: &[Marked], index: usize) -> Result<&str, FailedCall> {
    let value = arguments.get(index).and_then(|it| it.typed.value.as_str());
    value.ok_or_else(|| invalid(index, "a string is required".to_owned()))
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

fn template_file(arguments: &[Marked], directory: &Directory) -> Result<Marked, FailedCall> {
    let text = utf8(file(string_argument(arguments, 0)?, directory)?)?;
    let template = Expression::template(&text).map_err(|it| invalid(0, it.to_string()))?;
    let Some(variables) = arguments.get(1) else {
        return Err(invalid(1, "the variables of the template are missing".to_owned()));
    };
    if variables.typed.value.is_unknown() {
        return Ok(Marked::unknown(Type::Dynamic));
    }
    let variables = iterations(variables).unwrap_or_default().into_iter();
    let variables = variables.filter_map(|(key, value)| Some((key.typed.value.as_str()?.to_owned(), value)));
    let scope = TemplateVariables { values: variables.collect(), directory };
    template.evaluate_in(&scope).map_err(|it| invalid(0, it.to_string()))
}

/// The variables of a template file.
struct TemplateVariables<'s> {
    values: std::collections::HashMap<String, Marked>,
    directory: &'s Directory,
}

impl References for TemplateVariables<'_> {
    fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), Unresolved> {
        let name = names.first().copied().unwrap_or_default();
        self.values.get(name).map(|it| (it, 1)).ok_or_else(|| Unresolved {
            summary: "Invalid function argument".to_owned(),
            detail: format!("The vars map does not contain key {name:?}."),
        })
    }

    fn call(&self, name: &str, arguments: &[Marked]) -> Option<Result<Marked, FailedCall>> {
        call(name.strip_prefix("core::").unwrap_or(name), arguments, self.directory)
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
        let hash = |name: &str, text: &str| hash_function(name).map(|hash| hash(text.as_bytes()));
        assert_eq!(hash("md5", "a").as_deref(), Some("0cc175b9c0f1b6a831c399e269772661"));
        assert_eq!(hash("sha1", "a").as_deref(), Some("86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"));
        assert_eq!(hash("base64sha256", "").as_deref(), Some("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="));
        assert_eq!(hash("sha3", "a"), None);
    }
}
