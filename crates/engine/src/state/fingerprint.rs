//! Fingerprints of write-only values: whether a write-only value has changed since it was applied.
//!
//! A write-only value is never stored. If a provider author asks for it (`write_only, fingerprint`), the private state
//! contains a fingerprint of the value, so that a computed attribute can follow it (`follows(password)`). The
//! fingerprint is computed when the object is created or updated, and compared when a change is planned.
//!
//! ```text
//! applied         password = "a", password_etag = "1", fingerprint of "a" in private state
//! configuration   password = "b"
//! planned state   password_etag = unknown, because the fingerprint of "b" differs
//! ```
//!
//! A fingerprint is a slow, salted hash (PBKDF2 with SHA-256) of three bytes. Three bytes are too few to confirm a
//! guessed password: of a billion likely passwords, about sixty have the same fingerprint. One change in sixteen
//! million is not detected. A `…_wo_version` attribute has neither limitation and is what the documentation recommends.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use ferroform_value::{Object, Path, Step, Value, json};
use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::Result;
use crate::element_matching::{ElementMatches, Match};
use crate::request::private_state::Private;
use crate::schema::{Attribute, Block, Member, Nesting};

/// The number of PBKDF2 iterations, which take about a millisecond.
const ITERATIONS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1_999);
/// The length of the salt in bytes.
const SALT_LENGTH: usize = 16;
/// The length of the hash in bytes.
const HASH_LENGTH: usize = 3;

/// The prior object with the fingerprints in place of its write-only values.
///
/// # Errors
///
/// Returns an error if the fingerprints in the private state cannot be read.
pub(crate) fn with_fingerprints<'a>(
    block: &Block,
    prior: &'a Value,
    private: &Private,
) -> Result<Cow<'a, Value>> {
    if !block.facts().has_fingerprints {
        return Ok(Cow::Borrowed(prior));
    }
    let known = private.fingerprints()?;
    let with_fingerprints = map_write_only(block, prior, &mut |_, path, _| {
        known.get(&path.to_string()).map_or(Value::Null, Value::string)
    });
    Ok(Cow::Owned(with_fingerprints))
}

/// Stores the fingerprints of a configuration that was applied. The fingerprint of an unchanged value stays.
pub(crate) fn store(block: &Block, config: &Value, private: &mut Private) {
    if !block.facts().has_fingerprints {
        return;
    }
    // Fingerprints that cannot be read are recreated.
    let known = private.fingerprints().unwrap_or_default();
    let mut fingerprints = BTreeMap::new();
    map_write_only(block, config, &mut |attribute, path, value| {
        let path = path.to_string();
        let unchanged = known.get(&path).filter(|known| matches(attribute, known, value));
        if let Some(it) = unchanged.cloned().or_else(|| fingerprint(attribute, value)) {
            fingerprints.insert(path, it);
        }
        value.clone()
    });
    private.set_fingerprints(fingerprints);
}

/// Moves the fingerprints along with the elements of lists: the object that was read may have them in another order.
pub(crate) fn move_with_elements(block: &Block, prior: &Value, read: &Value, private: &mut Private) {
    if !block.facts().has_fingerprints {
        return;
    }
    let old = private.fingerprints().unwrap_or_default();
    let mut movement = FingerprintMove { from: Path::ROOT, to: Path::ROOT, old, new: BTreeMap::new() };
    movement.object(block, prior, read);
    private.set_fingerprints(movement.new);
}

/// Moves fingerprints from prior paths to the paths of the elements that were read.
struct FingerprintMove {
    from: Path,
    to: Path,
    old: BTreeMap<String, String>,
    new: BTreeMap<String, String>,
}

impl FingerprintMove {
    fn object(&mut self, block: &Block, prior: &Value, read: &Value) {
        for member in block.members() {
            if let Some((nesting, block)) = member.nested().filter(|(_, it)| it.facts().has_fingerprints)
                && let Some(prior) = prior.attribute(member.name())
                && let Some(read) = read.attribute(member.name())
            {
                let step = Step::Attribute(member.name().clone());
                self.at(step.clone(), step, |movement| movement.nested(nesting, block, prior, read));
            }
        }
        for attribute in block.attributes().iter().filter(|it| it.fingerprint) {
            let step = Step::Attribute(attribute.name.clone());
            self.at(step.clone(), step, |movement| {
                let fingerprint = movement.old.get(&movement.from.to_string()).cloned();
                movement.new.extend(fingerprint.map(|it| (movement.to.to_string(), it)));
            });
        }
    }

    /// Elements of a list are matched as in a plan.
    fn nested(&mut self, nesting: Nesting, block: &Block, prior: &Value, read: &Value) {
        match (nesting, prior, read) {
            (Nesting::Single, ..) => self.object(block, prior, read),
            (Nesting::List, Value::List(old), Value::List(new)) => {
                let matches = ElementMatches::of(nesting, block, read, prior);
                for (to, new) in new.iter().enumerate() {
                    if let Match::Prior(from) = matches.counterpart(to) {
                        self.at(Step::Index(from), Step::Index(to), |movement| {
                            movement.object(block, &old[from], new);
                        });
                    }
                }
            }
            (Nesting::Map, Value::Map(prior), Value::Map(read)) => {
                for (key, read) in read {
                    let step = Step::Key(key.clone());
                    if let Some(prior) = prior.get(key) {
                        self.at(step.clone(), step, |movement| movement.object(block, prior, read));
                    }
                }
            }
            _ => {}
        }
    }

    fn at(&mut self, from: Step, to: Step, visit: impl FnOnce(&mut FingerprintMove)) {
        self.from.push(from);
        self.to.push(to);
        visit(self);
        self.from.pop();
        self.to.pop();
    }
}

/// True if the write-only value has changed since it was applied, or may have: it is unknown, or there is no
/// fingerprint. The prior value is the fingerprint, as in [`with_fingerprints`].
pub(crate) fn has_changed(attribute: &Attribute, prior: Option<&Value>, value: &Value) -> bool {
    let fingerprint = prior.and_then(Value::as_str);
    match (fingerprint, value.is_null()) {
        (fingerprint, true) => fingerprint.is_some(),
        (Some(fingerprint), false) => !matches(attribute, fingerprint, value),
        (None, false) => true,
    }
}

/// The object with replaced values of the write-only attributes that have fingerprints.
fn map_write_only(
    block: &Block,
    value: &Value,
    replace: &mut dyn FnMut(&Attribute, &Path, &Value) -> Value,
) -> Value {
    WriteOnlyMap { path: Path::ROOT, replace }.value(block, value)
}

struct WriteOnlyMap<'a> {
    path: Path,
    replace: &'a mut dyn FnMut(&Attribute, &Path, &Value) -> Value,
}

impl WriteOnlyMap<'_> {
    fn value(&mut self, block: &Block, value: &Value) -> Value {
        let Value::Object(object) = value else { return value.clone() };
        let mut mapped: Object = object.clone();
        for member in block.members() {
            let name = member.name();
            self.path.push(Step::Attribute(name.clone()));
            let value = object.get_or_null(name);
            if let Member::Attribute(attribute) = member
                && attribute.fingerprint
            {
                mapped.insert(name.clone(), (self.replace)(attribute, &self.path, value));
            } else if let Some((nesting, inside)) = member.nested()
                && inside.facts().has_fingerprints
            {
                mapped.insert(name.clone(), self.nested(nesting, inside, value));
            }
            self.path.pop();
        }
        Value::Object(mapped)
    }

    /// Sets contain no write-only attributes.
    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) -> Value {
        match nesting {
            Nesting::Single => self.value(block, value),
            Nesting::List | Nesting::Set | Nesting::Map => value.map_elements(|step, it| {
                self.path.push(step);
                let mapped = self.value(block, it);
                self.path.pop();
                mapped
            }),
        }
    }
}

/// The fingerprint of a value. `None` if the value is null or unknown, or if the system returns no random numbers; the
/// value then counts as changed.
fn fingerprint(attribute: &Attribute, value: &Value) -> Option<String> {
    let encoded = encode(attribute, value)?;
    let mut bytes = [0; SALT_LENGTH + HASH_LENGTH];
    let (salt, hash) = bytes.split_at_mut(SALT_LENGTH);
    SystemRandom::new().fill(salt).ok()?;
    pbkdf2::derive(PBKDF2_HMAC_SHA256, ITERATIONS, salt, &encoded, hash);
    Some(BASE64.encode(bytes))
}

fn matches(attribute: &Attribute, fingerprint: &str, value: &Value) -> bool {
    let (Some(encoded), Ok(bytes)) = (encode(attribute, value), BASE64.decode(fingerprint)) else {
        return false;
    };
    let Some((salt, hash)) = bytes.split_at_checked(SALT_LENGTH) else { return false };
    pbkdf2::verify(PBKDF2_HMAC_SHA256, ITERATIONS, salt, &encoded, hash).is_ok()
}

/// The value as JSON with sorted sets; `None` if it is null or unknown.
fn encode(attribute: &Attribute, value: &Value) -> Option<Vec<u8>> {
    let is_known = !value.is_null() && value.is_wholly_known();
    is_known.then(|| json::encode(value, attribute.ty()).ok()).flatten()
}
