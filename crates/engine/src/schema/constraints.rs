//! The constraints of an attribute and the import IDs of a resource as sentences, for documentation pages.
//!
//! The plugin protocol has no fields for validators, relations and import IDs, so the sentences are part of the
//! descriptions that Terraform gets:
//!
//! ```text
//! The port. Constraints: a number from 1 to 65535; conflicts with `socket`.
//! ```

use std::borrow::Cow;

use super::attribute::Attribute;
use super::block::Block;
use super::description::{DescriptionKind, append_sentence};
use super::import_pattern::ImportPattern;
use super::relation::{Group, GroupRule, RelatedAttributes, Relation, RelationKind};

impl Attribute {
    /// The description with the constraints of the attribute in a block: its validators, its numbers of elements, its
    /// relations, and the groups of the block that contain it.
    ///
    /// ```
    /// use ferroform_engine::schema::{Attribute, Block, RelationKind};
    /// use ferroform_engine::value::Type;
    ///
    /// let port = Attribute::raw("port", Type::Number).description("The port.");
    /// let block = Block::new().attribute(port.relation(RelationKind::ConflictsWith, ["socket"]));
    /// let description = block.attributes[0].description_in(&block);
    /// assert_eq!(description, "The port. Constraints: conflicts with `socket`.");
    /// ```
    pub fn description_in(&self, block: &Block) -> Cow<'_, str> {
        let constraints = constraints(self, block);
        if constraints.is_empty() {
            return Cow::Borrowed(&self.description);
        }
        let mut description = self.description.clone();
        append_sentence(&mut description, &format!("Constraints: {}.", constraints.join("; ")));
        Cow::Owned(description)
    }
}

impl Block {
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
        let forms: Vec<String> =
            patterns.iter().map(|it| self.description_kind.code(&it.to_string())).collect();
        let sentence = match forms.split_last() {
            None => return Cow::Borrowed(&self.description),
            Some((only, [])) => format!("The import ID has the form {only}."),
            Some((last, rest)) => format!("The import ID has the form {} or {last}.", rest.join(", ")),
        };
        let mut description = self.description.clone();
        append_sentence(&mut description, &sentence);
        Cow::Owned(description)
    }
}

/// The constraints of an attribute, without duplicates.
fn constraints(attribute: &Attribute, block: &Block) -> Vec<String> {
    let behavior = attribute.behavior();
    let kind = attribute.description_kind;
    let of_validators =
        behavior.validators.iter().map(|it| it.description().trim_end_matches('.').to_owned());
    let mut all: Vec<String> = of_validators.filter(|it| !it.is_empty()).collect();
    all.extend(elements(behavior.min_items, behavior.max_items));
    all.extend(behavior.relations.iter().map(|it| relation(&attribute.name, it, kind)));
    all.extend(block.attributes.iter().flat_map(|other| of_sibling(attribute, other)));
    let groups = block.groups.iter().filter(|it| it.members.siblings.contains(&attribute.name));
    all.extend(groups.map(|it| group(it, kind)));
    let mut unique = Vec::new();
    for it in all {
        if !unique.contains(&it) {
            unique.push(it);
        }
    }
    unique
}

/// The constraints of an attribute by the relations of another one, which apply to both.
fn of_sibling(attribute: &Attribute, other: &Attribute) -> Vec<String> {
    let kind = attribute.description_kind;
    let relations = other.behavior().relations.iter();
    let common = relations.filter(|it| it.others.siblings.contains(&attribute.name));
    common
        .filter_map(|it| match it.kind {
            RelationKind::ConflictsWith => Some(format!("conflicts with {}", kind.code(&other.name))),
            RelationKind::ExactlyOneOf | RelationKind::AtLeastOneOf => Some(relation(&other.name, it, kind)),
            _ => None,
        })
        .collect()
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
    use ferroform_value::{Type, Value};

    use super::*;
    use crate::pattern;
    use crate::validator::Validator;

    fn described(attribute: Attribute) -> String {
        let block = Block::new().attribute(attribute.description("The port."));
        block.attributes[0].description_in(&block).into_owned()
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
            let mut block = Block::new().attributes(attributes);
            block.groups = vec![Group { rule, members: RelatedAttributes::siblings(["port", "socket"]) }];
            let of = |index: usize| block.attributes[index].description_in(&block);
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
            assert_eq!(block.attributes[1].description_in(&block), expected);
        }
    }

    #[test]
    fn equal_constraints_occur_once() {
        let attribute = port().relation(RelationKind::ExactlyOneOf, ["socket"]);
        let mut block = Block::new().attribute(attribute);
        let members = RelatedAttributes::siblings(["port", "socket"]);
        block.groups = vec![Group { rule: GroupRule::ExactlyOne, members }];
        let expected = "Constraints: exactly one of `port` and `socket` must be set.";
        assert_eq!(block.attributes[0].description_in(&block), expected);
    }
}
