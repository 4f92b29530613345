//! What functions of the author's say is planned for one attribute each: `plan_with`.
//!
//! They are asked where the plan is merged, so that what follows from a change follows from what they answer too.

use std::cell::RefCell;

use ferroform_value::{Object, Path, Step, Value};

use crate::contract::{self, ContractCheck};
use crate::panics;
use crate::planning::pair::{Partner, has_meaning, is_left};
use crate::schema::{Attribute, Block};
use crate::{Diagnostics, Result};

/// Asks the functions of one plan, and remembers what is wrong: in which object of the configuration, and with which
/// attribute.
// Places are seldom asked for: they are found when they are.
pub(crate) struct Planners {
    wrong: RefCell<Vec<(*const Object, Path, Diagnostics)>>,
    /// True where not all of the configuration is known, and so not whether anything changes.
    is_early: bool,
}

impl Planners {
    /// For a plan of this configuration.
    pub(crate) fn of(config: &Object) -> Planners {
        Planners { wrong: RefCell::default(), is_early: !config.values().all(Value::is_wholly_known) }
    }

    /// What is planned for an attribute of an object of the configuration, which is `planned` without a function.
    pub(crate) fn ask(
        &self,
        it: &Attribute,
        config: &Object,
        prior: Option<&Value>,
        planned: Value,
    ) -> Value {
        let Some(planner) = &it.behaviour().plan_with else { return planned };
        if config.get(&it.name).is_some_and(|it| !it.is_null()) {
            return planned;
        }
        let name = &it.name;
        let fault = |fault: Diagnostics| {
            self.wrong.borrow_mut().push((std::ptr::from_ref(config), Path::attribute(name.clone()), fault));
            Value::UNKNOWN
        };
        // Where it turns out that nothing changes, the prior value is what would be planned.
        let unchanged = prior.filter(|prior| self.is_early && **prior != planned);
        let asked = panics::catch_now(|| {
            let answer = |planned| planner.plan(prior.unwrap_or(&Value::Null), planned);
            (answer(&planned), unchanged.map(answer))
        });
        match asked {
            Ok((None, _)) => planned,
            Ok((Some(Ok(made)), late)) => match misfit(it, &made) {
                None if late.is_some_and(|late| !matches!(late, Some(Ok(late)) if late == made)) => {
                    Value::UNKNOWN
                }
                None => made,
                Some(why) => fault(contract::failed(ContractCheck::Plan, why).into()),
            },
            Ok((Some(Err(why)), _)) => fault(why),
            Err(panic) => fault(
                panic.diagnostic(&format!("The function that plans the attribute \"{name}\""), "").into(),
            ),
        }
    }

    /// What is wrong, each with its place in the configuration.
    ///
    /// # Errors
    ///
    /// All of it, where there is any.
    pub(crate) fn faults(self, config: &Object) -> Result<()> {
        let mut told = Diagnostics::new();
        for (object, name, fault) in self.wrong.into_inner() {
            let mut place = Path::ROOT;
            find(config, object, &mut place);
            told.extend(fault.at(&name.below(&place)));
        }
        if told.is_empty() { Ok(()) } else { Err(told) }
    }
}

/// Why the attribute cannot hold what its function answers.
fn misfit(it: &Attribute, made: &Value) -> Option<String> {
    let Attribute { name, ty, .. } = it;
    match made {
        Value::Unknown(_) => None,
        Value::Null => (!it.nullable)
            .then(|| format!("Null is planned for the attribute \"{name}\", which is never null")),
        _ => (!it.accepts(made)).then(|| {
            format!("A value is planned for the attribute \"{name}\" that is not one of its type {ty}")
        }),
    }
}

/// Goes to an object inside another one; true where it is there.
fn find(object: &Object, wanted: *const Object, place: &mut Path) -> bool {
    std::ptr::eq(object, wanted)
        || object.iter().any(|(name, it)| find_below(Step::Attribute(name.clone()), it, wanted, place))
}

fn find_below(step: Step, value: &Value, wanted: *const Object, place: &mut Path) -> bool {
    place.push(step);
    let found = match value {
        Value::Object(it) => find(it, wanted, place),
        Value::List(it) => it.iter().enumerate().any(|(i, it)| find_below(Step::Index(i), it, wanted, place)),
        Value::Set(it) => {
            it.iter().any(|it| find_below(Step::Element(Box::new(it.clone())), it, wanted, place))
        }
        Value::Map(it) => it.iter().any(|(key, it)| find_below(Step::Key(key.clone()), it, wanted, place)),
        _ => false,
    };
    if !found {
        place.pop();
    }
    found
}

/// Whether an element that is nothing that was there may turn out to be, once everything is known. What a function says
/// of a new one could then be wrong, and what sets inside of an element of a list keep.
pub(crate) struct Doubt<'a> {
    block: &'a Block,
    is_open: bool,
}

impl<'a> Doubt<'a> {
    /// For the elements of a list or set, and what there was before.
    pub(crate) fn of(block: &'a Block, config: &Value, prior: &[&Value]) -> Doubt<'a> {
        let is_list = matches!(config, Value::List(_));
        let matters = is_inside(block) || is_list && has_meaning(block);
        Doubt { block, is_open: !prior.is_empty() && matters && !config.is_wholly_known() }
    }

    /// For one of them. One whose key is known and new is new.
    pub(crate) fn has(&self, element: &Value, partner: &Partner) -> bool {
        let Value::Object(element) = element else { return false };
        if !self.is_open || partner.is.is_some() {
            return false;
        }
        let mut keys = self.block.attributes.iter().filter(|it| it.key).peekable();
        let is_said = |key: &Attribute| {
            !is_left(key, element) && element.get(&key.name).is_none_or(Value::is_wholly_known)
        };
        keys.peek().is_none() || !keys.all(is_said)
    }
}

/// True where a function says what is planned for something inside.
pub(crate) fn is_inside(block: &Block) -> bool {
    let asks = |it: &Attribute| {
        it.behaviour().plan_with.is_some() || it.nested.as_ref().is_some_and(|it| is_inside(&it.block))
    };
    block.attributes.iter().any(asks) || block.blocks.iter().any(|it| is_inside(&it.block))
}
