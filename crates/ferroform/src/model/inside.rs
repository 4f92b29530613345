//! What the derive must know of a field's type at compile time, to refuse what no schema can say.

/// What is inside a type, as far as schemas care.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// A model, or a list, set or map of such.
    pub model: bool,
    /// A list, set or map.
    pub collection: bool,
    /// A set.
    pub set: bool,
    /// A map.
    pub map: bool,
    /// Something that the provider writes, whatever is inside.
    pub computed: bool,
    /// Something that is never stored.
    pub write_only: bool,
    /// Something of any type.
    pub dynamic: bool,
    /// A nested block.
    pub block: bool,
    /// An attribute of the model itself that is stored.
    pub stored: bool,
    /// An attribute of the model itself that the provider never writes.
    pub input: bool,
    /// More than types: what `#[attr(…)]` says in the model itself.
    pub said: bool,
    /// A key of the model itself.
    pub key: bool,
    /// An optional and computed attribute whose change may require replacement, whatever is inside.
    pub replacing_choice: bool,
    /// Why it cannot be the type of an attribute.
    pub fault: Option<&'static str>,
}

impl Inside {
    /// Nothing that a schema cares about: true of every scalar.
    pub const NOTHING: Inside = Inside {
        model: false,
        collection: false,
        set: false,
        map: false,
        computed: false,
        write_only: false,
        dynamic: false,
        block: false,
        stored: false,
        input: false,
        said: false,
        key: false,
        replacing_choice: false,
        fault: None,
    };

    /// A value of any type.
    pub const DYNAMIC: Inside = Inside { dynamic: true, ..Inside::NOTHING };

    /// A list of these.
    pub const fn list(self) -> Inside {
        let plain = self.plain_below(self.collection);
        let fault = match plain.fault {
            None if self.dynamic => {
                Some("a collection cannot contain dynamic values, because its elements have one type")
            }
            fault => fault,
        };
        Inside {
            collection: true,
            set: false,
            map: false,
            model: self.model && !self.collection,
            fault,
            ..self
        }
    }

    /// A map of these.
    pub const fn map(self) -> Inside {
        Inside { map: true, ..self.list() }
    }

    /// A set of these.
    pub const fn set(self) -> Inside {
        let fault = match self.fault {
            None if self.write_only => Some("what is write-only cannot stand in a set"),
            None if self.model && self.replacing_choice && !self.key => Some(
                "in a set, an attribute that is `optional, computed` and requires replacement needs to know its element: give it a `key`",
            ),
            fault => fault,
        };
        Inside { set: true, ..Inside { fault, ..self }.list() }
    }

    /// What is in either element of a tuple.
    pub const fn beside(self, other: Inside) -> Inside {
        let (one, two) = (self.plain_below(true), other.plain_below(true));
        let fault = match one.fault {
            None => two.fault,
            fault => fault,
        };
        let all = one.and(two);
        Inside { model: false, collection: false, set: false, map: false, fault, ..all }
    }

    /// A model: what its own fields say, what is in their types, and what is in the models that are flattened
    /// into it.
    pub const fn model(own: Inside, fields: &[Inside], flattened: &[Inside]) -> Inside {
        let mut all = own;
        let mut i = 0;
        while i < fields.len() {
            all = all.and(Inside { stored: false, input: false, said: false, key: false, ..fields[i] });
            i += 1;
        }
        i = 0;
        while i < flattened.len() {
            all = all.and(flattened[i]);
            i += 1;
        }
        // What is wrong with a field is said at the field.
        Inside { model: true, collection: false, set: false, map: false, fault: None, ..all }
    }

    const fn and(self, other: Inside) -> Inside {
        Inside {
            computed: self.computed || other.computed,
            write_only: self.write_only || other.write_only,
            dynamic: self.dynamic || other.dynamic,
            block: self.block || other.block,
            stored: self.stored || other.stored,
            input: self.input || other.input,
            said: self.said || other.said,
            key: self.key || other.key,
            replacing_choice: self.replacing_choice || other.replacing_choice,
            ..self
        }
    }

    /// Below a second collection or in a tuple a model is no nested attribute, only the type of one.
    const fn plain_below(self, is_below: bool) -> Inside {
        match self.fault {
            None if is_below && self.model && self.said => Inside {
                fault: Some(
                    "in a collection of collections or a tuple, an object is a plain value: nothing can be said of its attributes",
                ),
                ..self
            },
            _ => self,
        }
    }
}

/// What a field says of itself, as far as its type may forbid it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// A nested block.
    pub block: bool,
    /// The provider writes it, or may.
    pub computed: bool,
    /// It is never stored.
    pub write_only: bool,
    /// `min_items` and `max_items`.
    pub items: Option<(u64, Option<u64>)>,
}

impl Inside {
    /// True where a configuration cannot be without a block of this type: a single one that is no `Option`, or one of
    /// which there is a least number.
    pub const fn must_be_there(self, single: bool, least: u64) -> bool {
        if self.collection { least > 0 } else { single }
    }

    /// Why a field of this type cannot say this.
    pub const fn refuses(self, said: Said) -> Option<&'static str> {
        if let Some(why) = self.fault {
            return Some(why);
        }
        if said.block && !self.model {
            return Some("a block must be a model, or a list, set or map of models");
        }
        if !said.block && self.block {
            return Some(
                "a nested attribute holds no blocks: make it a block itself, or its blocks attributes",
            );
        }
        if said.block && said.computed && self.input {
            return Some("in a block that the provider may write, it must be able to write every attribute");
        }
        if said.computed && self.write_only {
            return Some("what the provider writes cannot hold something write-only");
        }
        if said.write_only && self.set {
            return Some("a set cannot be write-only");
        }
        if said.write_only && self.stored {
            return Some("what is write-only as a whole holds only what is write-only");
        }
        let Some((min, max)) = said.items else { return None };
        if !self.collection {
            return Some("only a list, set or map has a number of elements");
        }
        match max {
            Some(0) => Some("`max_items = 0` would allow none at all"),
            Some(max) if min > max => Some("`min_items` is more than `max_items`"),
            _ if said.block && said.computed && min > 0 => {
                Some("a computed block can be omitted, so it cannot have a minimum number")
            }
            _ => None,
        }
    }
}
