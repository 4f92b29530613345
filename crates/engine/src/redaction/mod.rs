//! Redaction: keeps sensitive and write-only values out of diagnostics.
//!
//! There are two ways, and neither depends on the wording of a message:
//!
//! - A message about one sensitive value is built without the value. An error about its type is replaced with
//!   [`Error::redacted`](ferroform_value::Error::redacted), and an error of a validator by the validator's description.
//!   For example, `one of "small", "large" is required, but got "hunter2"` is never built for a sensitive attribute.
//! - Any other message may quote a sensitive value, because provider authors write messages too, and clients quote requests. Every
//!   occurrence of such a value is masked, also if it is percent-encoded or encoded as base64.
//!
//! Log lines are masked in the second way ([`log_masks`]). Each RPC masks its own diagnostics. In addition to the sensitive values of the provider's configuration, the values come from
//! these objects:
//!
//! | RPC | objects | in |
//! |---|---|---|
//! | ValidateConfig of every kind | configuration with its defaults | `rpc/validate_config.rs` |
//! | ConfigureProvider | configuration with its defaults | `rpc/configure_provider.rs` |
//! | PlanAction, InvokeAction | configuration with its defaults | `rpc/action.rs` |
//! | ConfigureStateStore, and the later RPCs of the state store | configuration with its defaults | `rpc/state_store.rs` |
//! | ListResource | configuration with its defaults, each listed object | `rpc/list_resource.rs` |
//! | ReadDataSource | configuration with its defaults, new state | `rpc/read_data_source.rs` |
//! | PlanResourceChange | configuration, prior state, planned state | `rpc/plan_resource_change.rs` |
//! | ApplyResourceChange | configuration, prior state, planned state, new state | `rpc/apply_resource_change.rs` |
//! | ReadResource | prior state, new state | `rpc/read_resource.rs` |
//! | ImportResourceState | imported state | `rpc/import_resource_state.rs` |
//! | UpgradeResourceState, MoveResourceState | stored state, by the schema of each version that it may have | `rpc/upgrade_resource_state.rs` |

pub mod display;
mod encoded_forms;
pub mod log_masks;

use std::sync::Arc;

use ferroform_value::{Value, truncated};

use self::encoded_forms::encoded_forms;
use crate::Diagnostics;
use crate::schema::Block;
use crate::validator::Validator;

/// Shorter strings often occur inside other words, so they are masked only within quotation marks.
const MIN_UNQUOTED_LENGTH: usize = 4;
/// Replaces a sensitive value, as in Terraform's own messages.
pub(crate) const MASK: &str = "(sensitive value)";

/// The diagnostics of a validator about a sensitive value. Its messages may contain the value in any form, so they are
/// shown only if they are constant.
pub(crate) fn validator_diagnostics(
    validator: &Validator<Value>,
    diagnostics: Diagnostics,
    value: &Value,
) -> Diagnostics {
    if validator.is_constant() {
        return diagnostics;
    }
    let detail = match validator.description() {
        "" => "The value is not valid. The reason is not shown, because the value is sensitive.".to_owned(),
        description => crate::diagnostic::sentence(&format!(
            "{description} is required; the value is not shown, because it is sensitive"
        )),
    };
    let redacted = diagnostics.into_iter().map(|it| it.detail(detail.clone())).collect();
    mask(redacted, &strings_of(value))
}

/// The sensitive values of a request and of the provider's configuration, which its diagnostics must not contain.
#[derive(Clone, Default)]
pub(crate) struct SensitiveValues {
    request: Vec<String>,
    provider: Arc<[String]>,
}

impl SensitiveValues {
    /// Only the sensitive values of the provider's configuration.
    pub(crate) fn of_provider(provider: Arc<[String]>) -> SensitiveValues {
        SensitiveValues { request: Vec::new(), provider }
    }

    /// The sensitive values of a state store's configuration, in addition to those of the provider's configuration.
    pub(crate) fn of_store(store: &[String], provider: &SensitiveValues) -> SensitiveValues {
        log_masks::add(store);
        SensitiveValues { request: store.to_vec(), provider: provider.provider.clone() }
    }

    /// Adds the sensitive values of an object.
    pub(crate) fn add(&mut self, block: &Block, object: &Value) {
        let first = self.request.len();
        collect_sensitive(block, object, &mut self.request);
        log_masks::add(&self.request[first..]);
    }

    /// The strings of the request.
    pub(crate) fn strings(&self) -> &[String] {
        &self.request
    }

    /// The strings of the request.
    pub(crate) fn into_strings(self) -> Vec<String> {
        self.request
    }

    /// Masks the values in a message.
    pub(crate) fn mask_string(&self, message: String) -> String {
        mask_string(&masked_strings(self.request.iter().chain(&*self.provider)), &message)
    }

    /// Masks the values in diagnostics, whether the framework or the provider author wrote them.
    pub(crate) fn mask(&self, diagnostics: &mut Diagnostics) {
        if !diagnostics.is_empty() {
            let values = self.request.iter().chain(&*self.provider);
            *diagnostics = mask(std::mem::take(diagnostics), values);
        }
    }
}

/// An element of a set for a message, with sensitive values masked and without null attributes.
pub(crate) fn describe_element(block: &Block, object: &Value) -> String {
    let Value::Object(object) = object else { return object.summary() };
    let is_sensitive = |name: &str| match (block.get(name), block.blocks.iter().find(|it| &*it.name == name))
    {
        (Some(it), _) => {
            it.sensitive
                || it.write_only
                || it.nested.as_ref().is_some_and(|it| it.block.facts().has_sensitive)
        }
        (None, nested) => nested.is_some_and(|it| it.block.facts().has_sensitive),
    };
    let attributes =
        object.iter().filter(|(_, it)| !it.is_null()).map(|(name, it)| match is_sensitive(name) {
            true => format!("{name} = {MASK}"),
            false => format!("{name} = {}", it.summary()),
        });
    truncated(format!("{{{}}}", attributes.collect::<Vec<_>>().join(", ")))
}

/// The key attributes of an element, as a message shows them.
pub(crate) fn describe_key(block: &Block, element: &Value) -> String {
    let is_key = |name: &str| block.get(name).is_some_and(|it| it.key);
    match element {
        Value::Object(object) => {
            let keys = object.iter().filter(|(name, _)| is_key(name));
            describe_element(
                block,
                &Value::Object(keys.map(|(name, it)| (name.clone(), it.clone())).collect()),
            )
        }
        other => other.summary(),
    }
}

/// Adds the sensitive values of an object.
fn collect_sensitive(block: &Block, value: &Value, all: &mut Vec<String>) {
    if !block.facts().has_sensitive {
        return;
    }
    match value {
        Value::Object(object) => {
            for it in &block.attributes {
                let Some(value) = object.get(&it.name) else { continue };
                if it.sensitive || it.write_only {
                    all.extend(strings_of(value));
                } else if let Some(nested) = &it.nested {
                    collect_sensitive(&nested.block, value, all);
                }
            }
            for it in &block.blocks {
                object.get(&it.name).into_iter().for_each(|value| collect_sensitive(&it.block, value, all));
            }
        }
        Value::List(it) | Value::Tuple(it) => it.iter().for_each(|it| collect_sensitive(block, it, all)),
        Value::Set(it) => it.iter().for_each(|it| collect_sensitive(block, it, all)),
        Value::Map(it) => it.values().for_each(|it| collect_sensitive(block, it, all)),
        _ => {}
    }
}

/// The strings, numbers and keys of maps inside a value, as a message would contain them.
fn strings_of(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    value.walk(&mut |_, it| {
        match it {
            Value::String(it) if !it.is_empty() => all.push(it.to_string()),
            Value::Number(it) => all.push(it.to_string()),
            Value::Map(it) => all.extend(it.keys().filter(|it| !it.is_empty()).map(ToString::to_string)),
            _ => {}
        }
        true
    });
    all
}

/// A string that diagnostics must not contain, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MaskedString {
    string: String,
    replacement: String,
}

impl MaskedString {
    /// The strings that may occur in a message about this sensitive value.
    fn all_of(value: &str) -> Vec<MaskedString> {
        if value.len() < MIN_UNQUOTED_LENGTH {
            return vec![MaskedString { string: format!("{value:?}"), replacement: format!("{MASK:?}") }];
        }
        let strings = encoded_forms(value).into_iter().chain([value.to_owned()]);
        strings.map(|string| MaskedString { string, replacement: MASK.to_owned() }).collect()
    }
}

/// All strings that may occur in a message about these sensitive values.
fn masked_strings<'a>(sensitive: impl IntoIterator<Item = &'a String>) -> Vec<MaskedString> {
    let mut masked: Vec<MaskedString> =
        sensitive.into_iter().flat_map(|value| MaskedString::all_of(value)).collect();
    // From the longest to the shortest, because one may be part of another.
    masked.sort_by(|a, b| b.string.len().cmp(&a.string.len()).then_with(|| a.cmp(b)));
    masked.dedup();
    masked
}

fn mask<'a>(diagnostics: Diagnostics, sensitive: impl IntoIterator<Item = &'a String>) -> Diagnostics {
    let masked = masked_strings(sensitive);
    diagnostics.into_iter().map(|it| it.map_strings(|string| mask_string(&masked, &string))).collect()
}

/// A part of a message.
enum Part<'a> {
    Unmasked(&'a str),
    Mask(&'a str),
}

/// Replaces each of the strings in a message. The result of a replacement is not searched again: a sensitive value may be
/// part of the mask itself.
fn mask_string(masked: &[MaskedString], message: &str) -> String {
    let mut parts = vec![Part::Unmasked(message)];
    for masked in masked.iter().filter(|it| message.contains(&it.string)) {
        parts = parts.into_iter().flat_map(|part| split(part, masked)).collect();
    }
    let parts = parts.into_iter().map(|(Part::Unmasked(string) | Part::Mask(string))| string);
    parts.collect()
}

/// Splits an unmasked part at each occurrence of the string, and puts a mask between the results.
fn split<'a>(part: Part<'a>, masked: &'a MaskedString) -> Vec<Part<'a>> {
    let Part::Unmasked(string) = part else { return vec![part] };
    let mut parts = Vec::new();
    for between in string.split(masked.string.as_str()) {
        if !parts.is_empty() {
            parts.push(Part::Mask(&masked.replacement));
        }
        parts.push(Part::Unmasked(between));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagnostic;

    #[test]
    fn each_sensitive_value_is_masked_once() {
        let cases = [
            (vec!["hunter2"], "login hunter2, hunter2!", "login (sensitive value), (sensitive value)!"),
            (
                vec!["value", "sensitive", "hunter2"],
                "hunter2 is a value",
                "(sensitive value) is a (sensitive value)",
            ),
            (vec!["token", "token-1"], "token-1 or token", "(sensitive value) or (sensitive value)"),
            (vec!["a b\""], r#"got "a b\"""#, r#"got "(sensitive value)""#),
            (vec!["443"], r#"port "443", id 4430"#, r#"port "(sensitive value)", id 4430"#),
            (vec![r#""abc"#], r#"got "abc"#, "got (sensitive value)"),
            (vec![], "unchanged", "unchanged"),
        ];
        for (sensitive, message, expected) in cases {
            let sensitive: Vec<String> = sensitive.into_iter().map(str::to_owned).collect();
            let masked = mask(Diagnostics::from(Diagnostic::error(message)), &sensitive);
            let summaries: Vec<&str> = masked.iter().map(|it| it.summary.as_str()).collect();
            assert_eq!(summaries, [expected], "{sensitive:?}");
        }
    }
}
