//! Replacement, the constraints of an attribute and the import IDs of a resource as sentences, for documentation pages.
//!
//! The plugin protocol has no fields for replacement, validators, relations and import IDs, so the sentences are part of
//! the descriptions that Terraform gets:
//!
//! ```text
//! The port. Changing it replaces the resource. Constraints: a number from 1 to 65535; conflicts with `socket`.
//! ```

use std::borrow::Cow;

use ferroform_value::Value;

use super::attribute::Attribute;
use super::block::{Block, Member, NestedBlock};
use super::description::{DescriptionKind, append_sentence, sentences};
use super::import_pattern::ImportPattern;
use super::modes::Replace;
use super::relation::{Group, GroupRule, RelatedAttributes, Relation, RelationKind};
use crate::validator::Validator;

/// Which changes in a block replace the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacingChanges {
    /// None: the object is not a resource.
    None,
    /// The changes of attributes and blocks whose options require replacement.
    ByOption,
    /// Every change: the resource cannot be updated.
    All,
}

impl ReplacingChanges {
    /// The changes inside a nested attribute or block. If every change replaces the object, the description of the
    /// outermost attribute states it.
    #[must_use]
    pub fn inside(self) -> ReplacingChanges {
        match self {
            ReplacingChanges::All => ReplacingChanges::ByOption,
            other => other,
        }
    }
}

/// The descriptions of the attributes and nested blocks of a block, with the changes that replace the resource and with
/// their constraints: validators, numbers of elements, relations, and the groups of the block.
///
/// ```
/// use ferroform_engine::schema::{Attribute, Block, RelationKind, ReplacingChanges};
/// use ferroform_engine::value::Type;
///
/// let port = Attribute::raw("port", Type::Number).description("The port.").requires_replace();
/// let block = Block::new().attribute(port.relation(RelationKind::ConflictsWith, ["socket"]));
/// let description = block.descriptions(ReplacingChanges::ByOption).of_attribute(&block.attributes()[0]);
/// let expected = "The port. Changing it replaces the resource. Constraints: conflicts with `socket`.";
/// assert_eq!(description, expected);
/// ```
#[derive(Clone, Debug)]
pub struct Descriptions<'a> {
    replacing: ReplacingChanges,
    groups: &'a [Group],
    /// The attributes and blocks with relations. Most blocks have none.
    related: Vec<(&'a str, &'a [Relation])>,
}

impl<'a> Descriptions<'a> {
    fn new(block: &'a Block, replacing: ReplacingChanges) -> Descriptions<'a> {
        let relations = block.members().map(|it| (&**it.name(), &*it.behavior().relations));
        let related = relations.filter(|(_, it)| !it.is_empty()).collect();
        Descriptions { replacing, groups: block.groups(), related }
    }

    /// The description of an attribute of the block.
    pub fn of_attribute(&self, it: &'a Attribute) -> String {
        let behavior = it.behavior();
        let limits = elements(behavior.min_items, behavior.max_items);
        let constraints = self.constraints(&it.name, &behavior.validators, limits, it.description_kind);
        self.complete(it.full_description(), Member::Attribute(it), &constraints)
    }

    /// The description of a nested block of the block. Its numbers of elements are part of the schema.
    pub fn of_nested_block(&self, it: &'a NestedBlock) -> String {
        let constraints =
            self.constraints(&it.name, &it.behavior().validators, None, it.block.description_kind());
        self.complete(it.block.full_description().to_owned(), Member::Block(it), &constraints)
    }

    fn complete(&self, mut description: String, member: Member<'_>, constraints: &[String]) -> String {
        let replacement = self.replacement(member).filter(|_| !states_replacement(&description));
        if let Some(sentence) = replacement {
            append_sentence(&mut description, sentence);
        }
        if !constraints.is_empty() {
            append_sentence(&mut description, &format!("Constraints: {}.", constraints.join("; ")));
        }
        description
    }

    /// The sentence about the changes of an attribute or block that replace the resource.
    fn replacement(&self, member: Member<'_>) -> Option<&'static str> {
        let can_change = match member {
            Member::Attribute(it) => it.mode.is_configurable() && !it.write_only,
            Member::Block(it) => !it.computed,
        };
        // Timeouts are not part of the remote object.
        let is_timeouts = member.nested().is_some_and(|(_, it)| it.timeouts().is_some());
        match (self.replacing, &member.behavior().replace) {
            (ReplacingChanges::None, _) => None,
            _ if !can_change || is_timeouts => None,
            (ReplacingChanges::All, _) | (_, Replace::Always) => Some("Changing it replaces the resource."),
            (_, Replace::IfConfigured) => {
                Some("Changing it replaces the resource, unless it is removed from the configuration.")
            }
            (_, Replace::If(_)) => Some("Some changes to it replace the resource."),
            (_, Replace::Never) => None,
        }
    }

    /// The constraints of an attribute or block, without duplicates.
    fn constraints(
        &self,
        name: &str,
        validators: &[Validator<Value>],
        limits: Option<String>,
        kind: DescriptionKind,
    ) -> Vec<String> {
        let of_validators = validators.iter().map(|it| it.description().trim_end_matches('.').to_owned());
        let mut all: Vec<String> = of_validators.filter(|it| !it.is_empty()).collect();
        all.extend(limits);
        for (other, relations) in &self.related {
            for it in *relations {
                if *other == name {
                    all.push(relation(name, it, kind));
                } else if it.others.siblings.iter().any(|sibling| **sibling == *name) {
                    all.extend(of_sibling(other, it, kind));
                }
            }
        }
        let groups = self.groups.iter();
        let groups = groups.filter(|it| it.members.siblings.iter().any(|member| **member == *name));
        all.extend(groups.map(|it| group(it, kind)));
        let mut unique = Vec::new();
        for it in all {
            if !unique.contains(&it) {
                unique.push(it);
            }
        }
        unique
    }
}

/// True if a sentence states that a change replaces the resource, such as "Another path replaces the file" or "Changing
/// this forces a new resource to be created".
fn states_replacement(description: &str) -> bool {
    let contains_one = |sentence: &str, words: &[&str]| words.iter().any(|it| sentence.contains(it));
    sentences(&description.to_lowercase()).iter().any(|it| {
        let states_change = it.starts_with("another ") || contains_one(it, &["chang", "forces"]);
        states_change && contains_one(it, &["replac", "recreat", "new resource"])
    })
}

impl Block {
    /// The descriptions of the attributes and nested blocks, including replacement and constraints.
    pub fn descriptions(&self, replacing: ReplacingChanges) -> Descriptions<'_> {
        Descriptions::new(self, replacing)
    }

    /// The description of a resource with the forms of its import IDs.
    ///
    /// ```
    /// use ferroform_engine::schema::{Block, ImportPattern};
    ///
    /// let pattern = ImportPattern::new().attribute("project").literal("/").attribute("name");
    /// let description = Block::new().description("A server.").description_with_import_ids(&[pattern]).into_owned();
    /// assert_eq!(description, "A server. The import ID has the form `{project}/{name}`.");
    /// ```
    pub fn description_with_import_ids(&self, patterns: &[ImportPattern]) -> Cow<'_, str> {
        let forms: Vec<String> = patterns
            .iter()
            .flat_map(ImportPattern::forms)
            .map(|it| self.description_kind().code(&it))
            .collect();
        let sentence = match forms.split_last() {
            None => return Cow::Borrowed(self.full_description()),
            Some((only, [])) => format!("The import ID has the form {only}."),
            Some((last, rest)) => format!("The import ID has the form {} or {last}.", rest.join(", ")),
        };
        let mut description = self.full_description().to_owned();
        append_sentence(&mut description, &sentence);
        Cow::Owned(description)
    }
}

/// The constraint of an attribute by a relation of another one, if the relation applies to both.
fn of_sibling(other: &str, it: &Relation, kind: DescriptionKind) -> Option<String> {
    match it.kind {
        RelationKind::ConflictsWith => Some(format!("conflicts with {}", kind.code(other))),
        RelationKind::ExactlyOneOf | RelationKind::AtLeastOneOf => Some(relation(other, it, kind)),
        _ => None,
    }
}

/// The constraint of the number of elements. Zero is no limit.
fn elements(min: u64, max: u64) -> Option<String> {
    let unit = |number| if number == 1 { "element" } else { "elements" };
    match (min, max) {
        (0, 0) => None,
        (min, 0) => Some(format!("at least {min} {}", unit(min))),
        (0, max) => Some(format!("at most {max} {}", unit(max))),
        (min, max) if min == max => Some(format!("exactly {min} {}", unit(min))),
        (min, max) => Some(format!("{min} to {max} elements")),
    }
}

fn relation(name: &str, relation: &Relation, kind: DescriptionKind) -> String {
    let others = names(None, &relation.others, kind, "and");
    let all = || names(Some(name), &relation.others, kind, "and");
    match relation.kind {
        RelationKind::ConflictsWith => format!("conflicts with {others}"),
        RelationKind::Requires => format!("requires {others}"),
        RelationKind::ExactlyOneOf => format!("exactly one of {} must be set", all()),
        RelationKind::AtLeastOneOf => format!("at least one of {} must be set", all()),
        RelationKind::PreferWriteOnly => {
            format!("the write-only {} is preferred", names(None, &relation.others, kind, "or"))
        }
        RelationKind::AtLeastSumOf => format!("at least the sum of {others}"),
        RelationKind::AtMostSumOf => format!("at most the sum of {others}"),
        RelationKind::EqualToSumOf => format!("the sum of {others}"),
        RelationKind::EqualToProductOf => format!("the product of {others}"),
    }
}

fn group(group: &Group, kind: DescriptionKind) -> String {
    let members = names(None, &group.members, kind, "and");
    match group.rule {
        GroupRule::ExactlyOne => format!("exactly one of {members} must be set"),
        GroupRule::AtLeastOne => format!("at least one of {members} must be set"),
        GroupRule::AtMostOne => format!("at most one of {members} can be set"),
        GroupRule::AllOrNone => format!("{members} must be set together"),
    }
}

/// The names as a list: `a`, `b` and `c`.
fn names(first: Option<&str>, others: &RelatedAttributes, kind: DescriptionKind, word: &str) -> String {
    let siblings = others.siblings.iter().map(|it| kind.code(it));
    let patterns = others.patterns.iter().map(|it| kind.code(&it.to_string()));
    let all: Vec<String> =
        first.map(|it| kind.code(it)).into_iter().chain(siblings).chain(patterns).collect();
    match all.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferroform_value::Type;

    use super::*;
    use crate::pattern;
    use crate::schema::{Nested, ReplacementCondition};

    fn described(attribute: Attribute) -> String {
        let block = Block::new().attribute(attribute.description("The port."));
        block.descriptions(ReplacingChanges::ByOption).of_attribute(&block.attributes()[0])
    }

    fn port() -> Attribute {
        Attribute::raw("port", Type::Number)
    }

    fn validated(mut attribute: Attribute, descriptions: &[&'static str]) -> Attribute {
        for description in descriptions {
            attribute.behavior_mut().validators.push(Validator::<Value>::new(*description, |_| Ok(())));
        }
        attribute
    }

    #[test]
    fn validators_and_limits_are_constraints() {
        assert_eq!(described(port()), "The port.");
        // The validators of an author's own functions have no description.
        assert_eq!(described(validated(port(), &[""])), "The port.");
        let expected = "The port. Constraints: a number from 1 to 9; an odd number is required.";
        let attribute = validated(port(), &["a number from 1 to 9", "an odd number is required."]);
        assert_eq!(described(attribute), expected);
        for (min, max, expected) in [
            (1, 0, "at least 1 element"),
            (0, 3, "at most 3 elements"),
            (2, 2, "exactly 2 elements"),
            (1, 2, "1 to 2 elements"),
        ] {
            let description = described(port().min_items(min).max_items(max));
            assert_eq!(description, format!("The port. Constraints: {expected}."));
        }
    }

    #[test]
    fn replacement_is_stated_unless_the_description_states_it() {
        let condition = ReplacementCondition { ty: || Type::Number, evaluate: Arc::new(|_, _, _| false) };
        let mut conditional = port();
        conditional.behavior_mut().replace = Replace::If(condition);
        assert_eq!(described(conditional), "The port. Some changes to it replace the resource.");
        let expected =
            "The port. Changing it replaces the resource, unless it is removed from the configuration.";
        assert_eq!(described(port().requires_replace_if_configured()), expected);
        for (description, is_stated) in [
            ("The port. Changing this forces a new resource to be created.", true),
            ("Another port replaces the server.", true),
            ("The port.\nA change requires replacement.", true),
            ("The port. Changing it\nreplaces the server.", true),
            ("The port that replaces the default.", false),
            ("The rule that replaces another one.", false),
            ("Changes are logged. A new port is free.", false),
        ] {
            let block = Block::new().attribute(port().requires_replace().description(description));
            let full = block.descriptions(ReplacingChanges::ByOption).of_attribute(&block.attributes()[0]);
            assert_eq!(full == description, is_stated, "{full}");
        }
    }

    #[test]
    fn every_configured_attribute_replaces_a_resource_without_update() {
        let id = Attribute::raw("id", Type::String).computed();
        let disk = Attribute::raw_nested("disk", Nested::list(Block::new().attribute(port())));
        let block = Block::new().attribute(port()).attribute(id).block(disk);
        let all = |replacing| {
            let descriptions = block.descriptions(replacing);
            let attributes = block.attributes().iter().map(|it| descriptions.of_attribute(it));
            attributes.chain([descriptions.of_nested_block(&block.blocks()[0])]).collect::<Vec<_>>()
        };
        let expected = "Changing it replaces the resource.";
        assert_eq!(all(ReplacingChanges::All), [expected, "", expected]);
        assert_eq!(all(ReplacingChanges::All.inside()), [""; 3]);
        assert_eq!(all(ReplacingChanges::None), [""; 3]);
    }

    #[test]
    fn relations_are_constraints() {
        for (kind, expected) in [
            (RelationKind::ConflictsWith, "conflicts with `a` and `b`"),
            (RelationKind::Requires, "requires `a` and `b`"),
            (RelationKind::ExactlyOneOf, "exactly one of `port`, `a` and `b` must be set"),
            (RelationKind::AtLeastOneOf, "at least one of `port`, `a` and `b` must be set"),
            (RelationKind::PreferWriteOnly, "the write-only `a` or `b` is preferred"),
            (RelationKind::AtLeastSumOf, "at least the sum of `a` and `b`"),
            (RelationKind::AtMostSumOf, "at most the sum of `a` and `b`"),
            (RelationKind::EqualToSumOf, "the sum of `a` and `b`"),
            (RelationKind::EqualToProductOf, "the product of `a` and `b`"),
        ] {
            let description = described(port().relation(kind, ["a", "b"]));
            assert_eq!(description, format!("The port. Constraints: {expected}."));
        }
        let others = RelatedAttributes::siblings(["a"]).and([pattern!(defaults.port)]);
        let description = described(port().relation_to(RelationKind::ConflictsWith, others));
        assert_eq!(description, "The port. Constraints: conflicts with `a` and `defaults.port`.");
    }

    #[test]
    fn groups_are_constraints_of_their_members() {
        for (rule, expected) in [
            (GroupRule::ExactlyOne, "exactly one of `port` and `socket` must be set"),
            (GroupRule::AtLeastOne, "at least one of `port` and `socket` must be set"),
            (GroupRule::AtMostOne, "at most one of `port` and `socket` can be set"),
            (GroupRule::AllOrNone, "`port` and `socket` must be set together"),
        ] {
            let names = ["port", "socket", "other"];
            let attributes = names.map(|it| Attribute::raw(it, Type::String).description("D."));
            let block = Block::new().with_attributes(attributes).group(rule, ["port", "socket"]);
            let of = |index: usize| {
                block.descriptions(ReplacingChanges::ByOption).of_attribute(&block.attributes()[index])
            };
            let expected = format!("D. Constraints: {expected}.");
            assert_eq!([of(0), of(1)], [&*expected, &*expected]);
            assert_eq!(of(2), "D.");
        }
    }

    #[test]
    fn relations_are_constraints_of_both_attributes() {
        for (kind, expected) in [
            (RelationKind::ConflictsWith, "D. Constraints: conflicts with `port`."),
            (RelationKind::ExactlyOneOf, "D. Constraints: exactly one of `port` and `socket` must be set."),
            (RelationKind::AtLeastOneOf, "D. Constraints: at least one of `port` and `socket` must be set."),
            (RelationKind::Requires, "D."),
        ] {
            let socket = Attribute::raw("socket", Type::String).description("D.");
            let block = Block::new().attribute(port().relation(kind, ["socket"])).attribute(socket);
            assert_eq!(
                block.descriptions(ReplacingChanges::ByOption).of_attribute(&block.attributes()[1]),
                expected
            );
        }
    }

    #[test]
    fn nested_blocks_have_constraints() {
        let disk = Attribute::raw_nested("disk", Nested::list(Block::new().description("A disk.")));
        let mut block = Block::new().attribute(port().relation(RelationKind::ConflictsWith, ["disk"]));
        block = block.block(disk.relation(RelationKind::Requires, ["zone"]).min_items(1));
        let expected = "A disk. Constraints: conflicts with `port`; requires `zone`.";
        assert_eq!(
            block.descriptions(ReplacingChanges::ByOption).of_nested_block(&block.blocks()[0]),
            expected
        );
    }

    #[test]
    fn equal_constraints_occur_once() {
        let attribute = port().relation(RelationKind::ExactlyOneOf, ["socket"]);
        let block = Block::new().attribute(attribute).group(GroupRule::ExactlyOne, ["port", "socket"]);
        let expected = "Constraints: exactly one of `port` and `socket` must be set.";
        assert_eq!(
            block.descriptions(ReplacingChanges::ByOption).of_attribute(&block.attributes()[0]),
            expected
        );
    }
}
