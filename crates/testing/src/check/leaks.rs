//! The search for the secrets of a configuration in attributes that are not sensitive.

use ferroform::schema::Block;
use ferroform::value::{Path, Value};
use ferroform_engine::redaction::{self, MaskedValues};

use super::candidates::is_secret;

/// A secret in an attribute that is not sensitive.
pub(super) struct Leak {
    /// The attribute that contains the secret.
    pub(super) path: Path,
    /// The sensitive attribute of the configuration.
    pub(super) source: Path,
}

/// Finds a secret of the configuration in an attribute of the object that is not sensitive, in any encoding that the engine masks. Only
/// generated secrets are searched for: another value, such as `a`, can occur in other attributes by chance.
pub(super) fn find_leak(block: &Block, config: &Value, object: &Value) -> Option<Leak> {
    let mut secrets: Vec<(Path, MaskedValues)> = Vec::new();
    redaction::visit_sensitive(block, config, &mut |path, it| {
        if let Some(secret) = it.as_str().filter(|it| is_secret(it)) {
            secrets.push((path.clone(), MaskedValues::new([secret])));
        }
    });
    let mut leak = None;
    if secrets.is_empty() {
        return leak;
    }
    block.walk(object, &mut |path, member, value| {
        if member.is_masked() || leak.is_some() {
            return false;
        }
        if member.nested().is_some() {
            return true;
        }
        value.walk(&mut |inside, it| {
            let contains = |text: &str| secrets.iter().find(|(_, secret)| secret.mask([], text) != text);
            if let Some((source, _)) = it.as_str().and_then(contains) {
                leak = Some(Leak { path: inside.clone().below(path), source: source.clone() });
            }
            leak.is_none()
        });
        false
    });
    leak
}

#[cfg(test)]
mod tests {
    use ferroform::schema::{Attribute, Nested};
    use ferroform::value::Type;

    use super::*;

    #[test]
    fn encoded_secret_in_visible_attribute_is_found() {
        let user = Block::new()
            .attribute(Attribute::raw("password", Type::String).optional().sensitive())
            .attribute(Attribute::raw("url", Type::String).computed());
        let block = Block::new().block(Attribute::raw_nested("user", Nested::list(user)));
        let object = |password: &str, url: &str| {
            let user = Value::object([("password", password.into()), ("url", url.into())]);
            Value::object([("user", Value::List(vec![user]))])
        };
        let leak = |password: &str, url: &str| {
            let leak = find_leak(&block, &object(password, "x"), &object(password, url));
            leak.map(|it| (it.path.to_string(), it.source.to_string()))
        };
        let found = Some(("user[0].url".to_owned(), "user[0].password".to_owned()));
        assert_eq!(leak("s3cr3t-a-1", "db://u:s3cr3t-a-1@x"), found);
        assert_eq!(leak("s3cr3t-a-1", "czNjcjN0LWEtMQ=="), found);
        assert_eq!(leak("s3cr3t-a-1", "db://x"), None);
        assert_eq!(leak("a", "a"), None, "the value is not a generated secret");
    }
}
