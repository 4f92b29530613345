//! Links: attributes of a resource whose values are attributes of objects of other types, such as `network_id`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform::value::{Type, Value};
use ferroform_engine::Kind;

use super::run::SequenceRun;
use super::step::{SequenceEnd, StepResult};
use super::target::{Link, RELATED, Target};

/// The possible links of a type, the most probable ones first. Each of them is tried alone, after all links with matching names.
pub(super) fn possible_links(target: &Target, others: &[Target]) -> Vec<Vec<Link>> {
    let resources = || others.iter().filter(|it| it.kind == Kind::Resource && it.links.is_empty());
    let fields = target.values.0.iter().filter(|it| {
        target.block().get(&it.name).is_some_and(|it| *it.ty() == Type::String && !it.is_sensitive())
    });
    let link = |attribute: &Arc<str>, other: &Target, source: &str| Link {
        attribute: attribute.clone(),
        type_name: other.name.clone(),
        source: source.into(),
        value: Value::Null,
    };
    let has_id = |it: &&Target| it.block().get("id").is_some_and(|it| *it.ty() == Type::String);
    let mut matching = Vec::new();
    let mut single = Vec::new();
    for field in fields {
        let candidates: Vec<Link> =
            resources().filter(has_id).map(|it| link(&field.name, it, "id")).collect();
        let found = resources().find_map(|it| Some(link(&field.name, it, source_of(&field.name, it)?)));
        let is_matching = found.is_some();
        matching.extend(found);
        if field.absent.is_none() && !is_matching {
            single.extend(candidates.into_iter().map(|it| vec![it]));
        }
    }
    let mut possible = Vec::new();
    if !matching.is_empty() {
        possible.push(matching);
    }
    possible.extend(single);
    possible
}

/// The attribute of the type to which an attribute with this name refers: `network_id` is the `id` of a `cloud_network`.
fn source_of<'a>(name: &'a str, target: &Target) -> Option<&'a str> {
    let (_, stem) = target.name.split_once('_')?;
    let (start, source) = name.rsplit_once('_').unwrap_or((name, "id"));
    let is_of_type = |start: &str| start == stem || start.ends_with(&format!("_{stem}"));
    let source = if is_of_type(name) { "id" } else { source };
    let is_match = is_of_type(name) || is_of_type(start);
    (is_match && target.block().get(source).is_some_and(|it| *it.ty() == Type::String)).then_some(source)
}

impl SequenceRun<'_> {
    /// Creates the objects to which a target refers, and returns the target with their values.
    pub(super) fn with_related<'b>(&mut self, target: &'b Target) -> StepResult<Cow<'b, Target>> {
        if target.links.is_empty() {
            return Ok(Cow::Borrowed(target));
        }
        let links = self.create_related(&target.links)?;
        Ok(Cow::Owned(target.with_links(links)))
    }

    /// Creates the objects of links, and returns the links with their values. The steps precede those of the sequence.
    pub(super) fn create_related(&mut self, links: &[Link]) -> StepResult<Vec<Link>> {
        let steps = std::mem::take(&mut self.steps);
        let linked = self.create_linked(links);
        self.related_steps.append(&mut self.steps);
        self.steps = steps;
        linked
    }

    fn create_linked(&mut self, links: &[Link]) -> StepResult<Vec<Link>> {
        let provider = self.provider;
        let types: BTreeSet<&str> = links.iter().map(|it| &*it.type_name).collect();
        let mut linked: Vec<Link> = Vec::new();
        for type_name in types {
            let related = provider.targets(Kind::Resource).find(|it| it.name == type_name);
            let related = related.ok_or(SequenceEnd::Rejected)?;
            let mut object = self.object(related, RELATED);
            self.apply_only(&mut object, &related.base)?.map_err(|_| SequenceEnd::Rejected)?;
            let state = object.instance.stored.ok_or(SequenceEnd::Rejected)?;
            linked.extend(links.iter().filter(|it| it.type_name == type_name).map(|link| {
                let value = state.value.attribute_or_null(&link.source).clone();
                Link { value, ..link.clone() }
            }));
        }
        Ok(linked)
    }
}
