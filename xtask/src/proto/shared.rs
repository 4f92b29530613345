//! The messages of protocol 5 that use the Rust type of protocol 6.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorSet};

/// Messages that have another name in protocol 5, by their RPC.
const RENAMED: [(&str, &str); 5] = [
    ("Configure", "ConfigureProvider"),
    ("PrepareProviderConfig", "ValidateProviderConfig"),
    ("Stop", "StopProvider"),
    ("ValidateDataSourceConfig", "ValidateDataResourceConfig"),
    ("ValidateResourceTypeConfig", "ValidateResourceConfig"),
];

/// The messages and enums of a package, by their names in it, such as `Schema.Block`.
#[derive(Default)]
struct Package<'a> {
    messages: BTreeMap<String, &'a DescriptorProto>,
    enums: BTreeMap<String, &'a EnumDescriptorProto>,
}

impl<'a> Package<'a> {
    fn new(descriptors: &'a FileDescriptorSet, name: &str) -> Result<Self, Box<dyn Error>> {
        let file = descriptors.file.iter().find(|file| file.package() == name);
        let file = file.ok_or_else(|| format!("there is no package {name}"))?;
        let mut package = Package::default();
        file.enum_type.iter().for_each(|item| package.add_enum("", item));
        file.message_type.iter().for_each(|item| package.add("", item));
        Ok(package)
    }

    fn add(&mut self, prefix: &str, message: &'a DescriptorProto) {
        let name = format!("{prefix}{}", message.name());
        let inner = format!("{name}.");
        message.enum_type.iter().for_each(|item| self.add_enum(&inner, item));
        message.nested_type.iter().for_each(|item| self.add(&inner, item));
        self.messages.insert(name, message);
    }

    fn add_enum(&mut self, prefix: &str, item: &'a EnumDescriptorProto) {
        self.enums.insert(format!("{prefix}{}", item.name()), item);
    }
}

/// The messages and enums of protocol 5 whose wire format is, field by field, part of that of their counterpart in
/// protocol 6: the full name, and the path of the counterpart's Rust type.
pub(crate) fn paths(descriptors: &FileDescriptorSet) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let five = Package::new(descriptors, "tfplugin5")?;
    let six = Package::new(descriptors, "tfplugin6")?;

    let mut shared: BTreeSet<&str> = five.messages.keys().map(String::as_str).collect();
    shared.extend(five.enums.iter().filter_map(|(name, item)| {
        let is_same = six.enums.get(&counterpart(name)).is_some_and(|other| item.value == other.value);
        is_same.then_some(name.as_str())
    }));
    // Messages refer to each other, also recursively. The loop starts with all messages, and removes incompatible ones
    // until no more are found.
    loop {
        let before = shared.len();
        let kept = shared.clone();
        shared.retain(|name| {
            five.messages.get(*name).is_none_or(|message| {
                let other = six.messages.get(&counterpart(name));
                other.is_some_and(|other| is_compatible(message, other, &kept))
                    && are_nested_types_shared(name, message, &kept)
            })
        });
        if shared.len() == before {
            break;
        }
    }

    let entries = |name: &&&str| !five.messages.get(**name).is_some_and(|message| is_map_entry(message));
    Ok(shared.iter().filter(entries).map(|name| (format!(".tfplugin5.{name}"), rust_path(name))).collect())
}

/// Returns true if all nested types of a message are shared. A message contains its nested types, so all of them must
/// be compatible.
fn are_nested_types_shared(name: &str, message: &DescriptorProto, shared: &BTreeSet<&str>) -> bool {
    let is_shared = |inner: &str| shared.contains(format!("{name}.{inner}").as_str());
    message.nested_type.iter().all(|inner| is_shared(inner.name()))
        && message.enum_type.iter().all(|inner| is_shared(inner.name()))
}

fn is_compatible(five: &DescriptorProto, six: &DescriptorProto, shared: &BTreeSet<&str>) -> bool {
    five.field.iter().all(|field| {
        let other = six.field.iter().find(|other| other.number() == field.number());
        other.is_some_and(|other| {
            let oneof = |message: &DescriptorProto, index: Option<i32>| {
                let index = usize::try_from(index?).ok()?;
                message.oneof_decl.get(index).map(|oneof| oneof.name().to_owned())
            };
            let same_type = match (local(field.type_name()), local(other.type_name())) {
                (Some(inner), Some(target)) => shared.contains(inner) && counterpart(inner) == target,
                _ => field.type_name() == other.type_name(),
            };
            same_type
                && field.name() == other.name()
                && field.r#type() == other.r#type()
                && field.label() == other.label()
                && field.proto3_optional() == other.proto3_optional()
                && oneof(five, field.oneof_index) == oneof(six, other.oneof_index)
        })
    })
}

/// Returns the name within its package; `None` for other packages.
fn local(type_name: &str) -> Option<&str> {
    type_name.strip_prefix(".tfplugin5.").or_else(|| type_name.strip_prefix(".tfplugin6."))
}

fn is_map_entry(message: &DescriptorProto) -> bool {
    message.options.as_ref().is_some_and(|options| options.map_entry())
}

/// Returns the name in protocol 6 of a message of protocol 5.
fn counterpart(name: &str) -> String {
    let (outer, inner) = name.split_once('.').map_or((name, None), |(outer, inner)| (outer, Some(inner)));
    let outer = RENAMED.iter().find(|(five, _)| *five == outer).map_or(outer, |(_, six)| *six);
    inner.map_or_else(|| outer.to_owned(), |inner| format!("{outer}.{inner}"))
}

fn rust_path(name: &str) -> String {
    let name = counterpart(name);
    let (modules, item) = name.rsplit_once('.').unwrap_or(("", &name));
    let modules: String = modules.split_terminator('.').map(|module| snake(module) + "::").collect();
    format!("crate::tfplugin6::{modules}{item}")
}

fn snake(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rpc() {
        assert_eq!(rust_path("Stop.Response"), "crate::tfplugin6::stop_provider::Response");
        assert_eq!(rust_path("RawState"), "crate::tfplugin6::RawState");
    }

    #[test]
    fn only_messages_that_differ_are_generated_twice() {
        let proto = super::super::home().join("proto");
        let descriptors = protox::compile(super::super::FILES, [proto]).unwrap();
        let shared: BTreeSet<String> =
            paths(&descriptors).unwrap().into_iter().map(|(name, _)| name).collect();
        let five = Package::new(&descriptors, "tfplugin5").unwrap();
        let unshared: Vec<&str> = five
            .messages
            .iter()
            .filter(|(name, message)| {
                !is_map_entry(message) && !shared.contains(&format!(".tfplugin5.{name}"))
            })
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(
            unshared,
            [
                "ActionSchema",
                "GetProviderSchema",
                "GetProviderSchema.Response",
                "Schema",
                "Schema.Attribute",
                "Schema.Block",
                "Schema.NestedBlock",
            ]
        );
    }
}
