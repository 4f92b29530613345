//! Access to the JSON output of Terraform.

use ferroform::value::{Type, Value, json as value_json};
pub use serde_json::Value as Json;
use serde_json::{Map, json};

/// Returns a string; an empty one for any other value.
pub(crate) fn string(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the elements of an array; none for any other value.
pub(crate) fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Prints a path such as `["tags", 0, "name"]` as HCL: `tags[0].name`.
pub(crate) fn path(steps: &Json) -> String {
    let mut path = String::new();
    for step in list(steps) {
        match step {
            Json::String(name) if path.is_empty() => path.push_str(name),
            Json::String(name) => path.extend([".", name]),
            index => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// Parses an attribute path such as `disks[0].size` or `tags["a.b"]` to the steps `["disks", 0, "size"]`.
pub(crate) fn steps(path: &str) -> Result<Vec<Json>, String> {
    let invalid = || format!("{path:?} is not an attribute path such as `disks[0].size`");
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(bracket) = rest.strip_prefix('[') {
            // A key can contain brackets, so the JSON parser finds its end.
            let mut keys = serde_json::Deserializer::from_str(bracket).into_iter::<Json>();
            let key = keys.next().and_then(|it| it.ok()).ok_or_else(invalid)?;
            rest =
                bracket.get(keys.byte_offset()..).and_then(|it| it.strip_prefix(']')).ok_or_else(invalid)?;
            steps.push(key);
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            if end == 0 {
                return Err(invalid());
            }
            steps.push(name[..end].into());
            rest = &name[end..];
        }
    }
    Ok(steps)
}

/// Returns true if the tree contains `true` at the path or above it, as for a value inside an unknown or sensitive one.
pub(crate) fn is_marked(tree: &Json, path: &str) -> Result<bool, String> {
    let mut tree = tree;
    for step in steps(path)? {
        if *tree == true {
            return Ok(true);
        }
        tree = match &step {
            Json::String(name) => &tree[name],
            index => index.as_u64().and_then(|it| tree.get(usize::try_from(it).ok()?)).unwrap_or(&Json::Null),
        };
    }
    Ok(*tree == true)
}

/// Decodes an object as Terraform prints it for plans and states.
pub(crate) fn decode(json: &Json, ty: &Type) -> Result<Value, ferroform::value::Error> {
    value_json::decode(with_types(json, ty).to_string().as_bytes(), ty)
}

/// Adds the types of dynamic values, which the output of `terraform show` does not contain.
fn with_types(json: &Json, ty: &Type) -> Json {
    match (ty, json) {
        (Type::Dynamic, value) if !value.is_null() => {
            let text = value.to_string();
            let ty = value_json::implied_type(text.as_bytes()).unwrap_or(Type::Dynamic);
            let ty: Json = serde_json::from_str(&value_json::type_to_string(&ty)).unwrap_or_default();
            json!({ "value": value, "type": ty })
        }
        (Type::List(element) | Type::Set(element), Json::Array(elements)) => {
            elements.iter().map(|it| with_types(it, element)).collect()
        }
        (Type::Tuple(types), Json::Array(elements)) => {
            elements.iter().zip(types.iter()).map(|(it, ty)| with_types(it, ty)).collect()
        }
        (Type::Map(element), Json::Object(entries)) => {
            entries.iter().map(|(key, it)| (key.clone(), with_types(it, element))).collect()
        }
        (Type::Object(object), Json::Object(entries)) => {
            let with_types = |(name, it): (&String, &Json)| match object.get(name) {
                Some(attribute) => (name.clone(), with_types(it, &attribute.ty)),
                None => (name.clone(), it.clone()),
            };
            entries.iter().map(with_types).collect::<Map<_, _>>().into()
        }
        (_, other) => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_printed_as_hcl() {
        assert_eq!(path(&json!(["disks", 1, "size"])), "disks[1].size");
        assert_eq!(path(&json!(["name"])), "name");
        assert_eq!(path(&Json::Null), "");
    }

    #[test]
    fn paths_are_parsed() {
        assert_eq!(steps("disks[1].size").unwrap(), [json!("disks"), json!(1), json!("size")]);
        assert_eq!(steps("tags[\"a].b\"].c").unwrap(), [json!("tags"), json!("a].b"), json!("c")]);
        for invalid in ["a..b", "a[", "a[x]", ".", "a[1"] {
            assert!(steps(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn marks_apply_to_the_values_inside() {
        let tree = json!({ "id": true, "disks": [{}, { "size": true }], "tags": { "a": true } });
        let is_marked = |path: &str| is_marked(&tree, path).unwrap();
        assert!(is_marked("id") && is_marked("disks[1].size") && is_marked("tags[\"a\"]"));
        assert!(is_marked("id.part"), "a part of an unknown value is unknown");
        assert!(!is_marked("disks[0].size") && !is_marked("disks") && !is_marked("other"));
    }

    #[test]
    fn dynamic_values_are_decoded() {
        let ty = Type::object([("any", Type::Dynamic), ("names", Type::list(Type::String))]);
        let value = decode(&json!({ "any": { "a": [1] }, "names": ["x"] }), &ty).unwrap();
        let encoded = value_json::encode_simple(&value).unwrap();
        assert_eq!(String::from_utf8(encoded).unwrap(), r#"{"any":{"a":[1]},"names":["x"]}"#);
    }
}
