//! What is remembered of write-only values that computed attributes follow: never the value itself, but enough to
//! tell whether it is another one.
//!
//! A fingerprint is a slow, salted hash (PBKDF2 with SHA-256) in the private data beside the state. Whoever reads a
//! state file must not get at a short password by trying, so it is cut off after three bytes: of a billion likely
//! passwords some sixty have the same one, and no more than one change in sixteen million goes unseen. It is made when
//! an object has been created or updated, and compared when a change is planned.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use ferroform_value::{NfcString, Object, Path, Step, Value, json};
use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::Result;
use crate::element_matching::{ElementMatches, Match};
use crate::request::private_state::Private;
use crate::schema::{Attribute, Block, Nesting};

/// About a millisecond of work.
const ROUNDS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1_999);
const SALT: usize = 16;
const HASH: usize = 3;

/// The prior object with the fingerprints of its secrets in their places.
///
/// # Errors
///
/// Where the private data is not what it was written as.
pub(crate) fn mark<'a>(block: &Block, prior: &'a Value, private: &Private) -> Result<Cow<'a, Value>> {
    if !block.facts().has_followed_write_only {
        return Ok(Cow::Borrowed(prior));
    }
    let known = private.fingerprints()?;
    let marked = each(block, prior, &mut |_, place, _| {
        known.get(&place.to_string()).map_or(Value::Null, Value::string)
    });
    Ok(Cow::Owned(marked))
}

/// Remembers the secrets of a configuration that has been applied. One that is as it was keeps its fingerprint.
pub(crate) fn remember(block: &Block, config: &Value, private: &mut Private) {
    if !block.facts().has_followed_write_only {
        return;
    }
    // What cannot be read is made anew.
    let known = private.fingerprints().unwrap_or_default();
    let mut made = BTreeMap::new();
    each(block, config, &mut |it, place, secret| {
        let place = place.to_string();
        let kept = known.get(&place).filter(|known| matches(it, known, secret));
        if let Some(fingerprint) = kept.cloned().or_else(|| fingerprint(it, secret)) {
            made.insert(place, fingerprint);
        }
        secret.clone()
    });
    private.set_fingerprints(made);
}

/// Takes the fingerprints along with the elements that they belong to: what was read may have them in another order.
pub(crate) fn follow(block: &Block, known: &Value, found: &Value, private: &mut Private) {
    if !block.facts().has_followed_write_only {
        return;
    }
    let was = private.fingerprints().unwrap_or_default();
    let mut moved = Moved { from: Path::ROOT, to: Path::ROOT, was, is: BTreeMap::new() };
    moved.object(block, known, found);
    private.set_fingerprints(moved.is);
}

struct Moved {
    from: Path,
    to: Path,
    was: BTreeMap<String, String>,
    is: BTreeMap<String, String>,
}

impl Moved {
    fn object(&mut self, block: &Block, known: &Value, found: &Value) {
        let inside = block.attributes.iter().filter_map(|it| {
            let nested = it.nested.as_ref().filter(|it| it.block.facts().has_followed_write_only)?;
            Some((&it.name, nested.nesting, &nested.block))
        });
        let blocks = block.blocks.iter().filter(|it| it.block.facts().has_followed_write_only);
        for (name, nesting, block) in inside.chain(blocks.map(|it| (&it.name, it.nesting, &it.block))) {
            let step = Step::Attribute(name.clone());
            if let (Some(known), Some(found)) = (known.attribute(name), found.attribute(name)) {
                self.at(step.clone(), step, |it| it.nested(nesting, block, known, found));
            }
        }
        for it in block.attributes.iter().filter(|it| block.is_followed_write_only(it)) {
            let step = Step::Attribute(it.name.clone());
            self.at(step.clone(), step, |it| {
                let fingerprint = it.was.get(&it.from.to_string()).cloned();
                it.is.extend(fingerprint.map(|fingerprint| (it.to.to_string(), fingerprint)));
            });
        }
    }

    /// Elements of a list are matched as in a plan.
    fn nested(&mut self, nesting: Nesting, block: &Block, known: &Value, found: &Value) {
        match (nesting, known, found) {
            (Nesting::Single, ..) => self.object(block, known, found),
            (Nesting::List, Value::List(old), Value::List(new)) => {
                let matches = ElementMatches::of(nesting, block, found, known);
                for (to, new) in new.iter().enumerate() {
                    if let Match::Prior(from) = matches.counterpart(to) {
                        self.at(Step::Index(from), Step::Index(to), |it| it.object(block, &old[from], new));
                    }
                }
            }
            (Nesting::Map, Value::Map(known), Value::Map(found)) => {
                for (key, found) in found {
                    let step = Step::Key(key.clone());
                    if let Some(known) = known.get(key) {
                        self.at(step.clone(), step, |it| it.object(block, known, found));
                    }
                }
            }
            _ => {}
        }
    }

    fn at(&mut self, from: Step, to: Step, then: impl FnOnce(&mut Moved)) {
        self.from.push(from);
        self.to.push(to);
        then(self);
        self.from.pop();
        self.to.pop();
    }
}

/// True where the secret is another than the one that was applied, or may be: it is not known yet, or nothing is
/// known of what was applied. The prior value is what [`mark`] has put there.
pub(crate) fn has_changed(it: &Attribute, prior: Option<&Value>, secret: &Value) -> bool {
    let prior = prior.and_then(Value::as_str);
    match (prior, secret.is_null()) {
        (prior, true) => prior.is_some(),
        (Some(prior), false) => !matches(it, prior, secret),
        (None, false) => true,
    }
}

/// The object with something else in the place of each secret that is followed.
fn each(block: &Block, value: &Value, put: &mut dyn FnMut(&Attribute, &Path, &Value) -> Value) -> Value {
    Each { place: Path::ROOT, put }.value(block, value)
}

struct Each<'a> {
    place: Path,
    put: &'a mut dyn FnMut(&Attribute, &Path, &Value) -> Value,
}

impl Each<'_> {
    fn value(&mut self, block: &Block, value: &Value) -> Value {
        let Value::Object(given) = value else { return value.clone() };
        let mut made: Object = given.clone();
        for it in &block.attributes {
            self.place.push(Step::Attribute(it.name.clone()));
            let value = given.get(&it.name).unwrap_or(&Value::Null);
            if block.is_followed_write_only(it) {
                made.insert(it.name.clone(), (self.put)(it, &self.place, value));
            } else if let Some(nested) =
                it.nested.as_ref().filter(|it| it.block.facts().has_followed_write_only)
            {
                made.insert(it.name.clone(), self.nested(nested.nesting, &nested.block, value));
            }
            self.place.pop();
        }
        for it in block.blocks.iter().filter(|it| it.block.facts().has_followed_write_only) {
            self.place.push(Step::Attribute(it.name.clone()));
            let value = given.get(&it.name).unwrap_or(&Value::Null);
            made.insert(it.name.clone(), self.nested(it.nesting, &it.block, value));
            self.place.pop();
        }
        Value::Object(made)
    }

    /// What is write-only cannot stand in a set.
    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) -> Value {
        match (nesting, value) {
            (Nesting::Single, _) => self.value(block, value),
            (Nesting::List, Value::List(elements)) => {
                let elements = elements.iter().enumerate();
                Value::List(elements.map(|(i, it)| self.element(Step::Index(i), block, it)).collect())
            }
            (Nesting::Map, Value::Map(entries)) => {
                let step = |key: &NfcString| Step::Key(key.clone());
                let entries = entries.iter();
                Value::Map(
                    entries.map(|(key, it)| (key.clone(), self.element(step(key), block, it))).collect(),
                )
            }
            _ => value.clone(),
        }
    }

    fn element(&mut self, step: Step, block: &Block, value: &Value) -> Value {
        self.place.push(step);
        let made = self.value(block, value);
        self.place.pop();
        made
    }
}

/// None where the secret is null or not known, or the system gives no random numbers: it counts as changed then.
fn fingerprint(it: &Attribute, secret: &Value) -> Option<String> {
    let text = text(it, secret)?;
    let mut bytes = [0; SALT + HASH];
    let (salt, hash) = bytes.split_at_mut(SALT);
    SystemRandom::new().fill(salt).ok()?;
    pbkdf2::derive(PBKDF2_HMAC_SHA256, ROUNDS, salt, &text, hash);
    Some(BASE64.encode(bytes))
}

fn matches(it: &Attribute, fingerprint: &str, secret: &Value) -> bool {
    let (Some(text), Ok(bytes)) = (text(it, secret), BASE64.decode(fingerprint)) else { return false };
    let Some((salt, hash)) = bytes.split_at_checked(SALT) else { return false };
    pbkdf2::verify(PBKDF2_HMAC_SHA256, ROUNDS, salt, &text, hash).is_ok()
}

/// The secret in one form, sets sorted; none where there is nothing to be remembered.
fn text(it: &Attribute, secret: &Value) -> Option<Vec<u8>> {
    let known = !secret.is_null() && secret.is_wholly_known();
    known.then(|| json::encode(secret, &it.ty).ok()).flatten()
}
