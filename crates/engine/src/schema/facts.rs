//! Properties of a block and of everything inside it. Each block computes them once, when they are first needed.

use super::{Attribute, Block, Member, NestedBlock, Nesting, Replace};

/// Properties of a block and of everything inside it, at any depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockFacts {
    /// The indexes of the attributes that are keys of the element. Those of nested objects are not included.
    pub(crate) keys: Vec<usize>,
    /// An attribute or block holds nested objects.
    pub(crate) has_nested_objects: bool,
    /// The configuration may set an attribute or block that the provider sets if it is omitted: `optional` and
    /// `computed` without a default.
    pub(crate) has_optional_computed: bool,
    /// The same inside a nested set.
    pub(crate) has_optional_computed_in_sets: bool,
    /// An unchanged object may differ from its configuration: it has computed or write-only attributes, or attributes
    /// that may keep their prior value.
    pub(crate) can_differ_from_configuration: bool,
    /// A prior value may stay in place of the configured one, by semantic equality or by `suppress_diff`.
    pub(crate) can_keep_prior_value: bool,
    /// A function plans a value: `plan_with`.
    pub(crate) has_plan_modifiers: bool,
    /// A change may require replacement.
    pub(crate) can_require_replacement: bool,
    /// A change of an optional and computed attribute may require replacement.
    pub(crate) has_replacing_optional_computed: bool,
    /// A write-only attribute has a fingerprint.
    pub(crate) has_fingerprints: bool,
    /// An attribute has a default.
    pub(crate) has_defaults: bool,
    /// An attribute has a default that counts as configured: `default_with`.
    pub(crate) has_configuration_defaults: bool,
    /// The provider may set a value.
    pub(crate) has_computed: bool,
    /// A value has the type `any`.
    pub(crate) has_dynamic: bool,
    /// An attribute is sensitive or write-only.
    pub(crate) has_sensitive: bool,
    /// Different values can be equal: by semantic equality, or because they are nulls of different dynamic types.
    pub(crate) has_semantic_equality: bool,
    /// The configuration may leave a block to the provider.
    pub(crate) has_computed_blocks: bool,
    /// A single block is required.
    pub(crate) has_required_blocks: bool,
    /// It represents or contains a Rust enum with data.
    pub(crate) has_choice: bool,
}

impl BlockFacts {
    pub(super) fn of(block: &Block) -> BlockFacts {
        let keys = block.attributes().iter().enumerate().filter(|(_, it)| it.key).map(|(at, _)| at);
        let mut facts = BlockFacts {
            keys: keys.collect(),
            has_choice: block.is_choice(),
            has_fingerprints: block.attributes().iter().any(|it| it.fingerprint),
            ..BlockFacts::default()
        };
        for member in block.members() {
            match member {
                Member::Attribute(it) => facts.add_attribute(it),
                Member::Block(it) => facts.add_block(it),
            }
            facts.can_require_replacement |= member.behavior().replace != Replace::Never;
            if let Some((nesting, inside)) = member.nested() {
                facts.add_nested(nesting, inside.facts());
            }
        }
        facts
    }

    fn add_attribute(&mut self, it: &Attribute) {
        let behavior = it.behavior();
        self.has_optional_computed |= it.is_optional_computed();
        self.has_replacing_optional_computed |=
            it.is_optional_computed() && behavior.replace != Replace::Never;
        self.can_differ_from_configuration |=
            it.empty_is_null || it.mode.is_computed() || it.write_only || it.can_keep_prior_value();
        self.has_sensitive |= it.sensitive || it.write_only;
        let is_dynamic = it.nested.is_none() && it.ty().has_dynamic();
        self.has_dynamic |= is_dynamic;
        self.has_semantic_equality |= it.has_semantic_equality() || it.empty_is_null || is_dynamic;
        self.has_computed |= it.mode.is_computed();
        self.can_keep_prior_value |= it.can_keep_prior_value();
        self.has_plan_modifiers |= behavior.plan_with.is_some();
        self.has_defaults |= behavior.default.is_some();
        self.has_configuration_defaults |= behavior.default.as_ref().is_some_and(|it| !it.is_static);
    }

    fn add_block(&mut self, it: &NestedBlock) {
        self.has_computed |= it.computed;
        self.has_computed_blocks |= it.computed;
        self.has_required_blocks |= it.is_required();
        self.has_optional_computed |= it.computed;
        self.can_differ_from_configuration |= it.computed;
    }

    fn add_nested(&mut self, nesting: Nesting, inside: &BlockFacts) {
        self.has_nested_objects = true;
        self.has_optional_computed |= inside.has_optional_computed;
        self.has_optional_computed_in_sets |=
            inside.has_optional_computed_in_sets || nesting == Nesting::Set && inside.has_optional_computed;
        self.can_differ_from_configuration |= inside.can_differ_from_configuration;
        self.can_keep_prior_value |= inside.can_keep_prior_value;
        self.has_plan_modifiers |= inside.has_plan_modifiers;
        self.can_require_replacement |= inside.can_require_replacement;
        self.has_replacing_optional_computed |= inside.has_replacing_optional_computed;
        self.has_fingerprints |= inside.has_fingerprints;
        self.has_defaults |= inside.has_defaults;
        self.has_configuration_defaults |= inside.has_configuration_defaults;
        self.has_computed |= inside.has_computed;
        self.has_dynamic |= inside.has_dynamic;
        self.has_sensitive |= inside.has_sensitive;
        self.has_semantic_equality |= inside.has_semantic_equality;
        self.has_computed_blocks |= inside.has_computed_blocks;
        self.has_required_blocks |= inside.has_required_blocks;
        self.has_choice |= inside.has_choice;
    }
}

impl NestedBlock {
    /// True for a single block that the provider author's Rust type requires.
    pub(crate) fn is_required(&self) -> bool {
        self.nesting == Nesting::Single && !self.nullable
    }
}

impl Attribute {
    /// True if the provider may set what the configuration does not: `optional` and `computed`, no default.
    pub(crate) fn is_optional_computed(&self) -> bool {
        self.mode.is_computed() && self.mode.is_configurable() && self.behavior().default.is_none()
    }

    /// True if a prior value may stay in place of another one, by semantic equality or by `suppress_diff`.
    pub(crate) fn can_keep_prior_value(&self) -> bool {
        self.has_semantic_equality() || self.behavior().suppress_diff.is_some()
    }

    /// True if only the configuration, or a default, sets the value.
    pub(crate) fn is_input(&self) -> bool {
        !self.write_only && (!self.mode.is_computed() || self.behavior().default.is_some())
    }
}
