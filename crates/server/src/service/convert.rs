//! Conversion of values, attribute paths and diagnostics from and to the wire.
//!
//! | value of the engine | message |
//! |---|---|
//! | `Value` of a type | `DynamicValue`: MessagePack, or JSON where Terraform sends it |
//! | attribute path `disks[1].size` | `AttributePath`: the steps `AttributeName("disks")`, `ElementKeyInt(1)`, `AttributeName("size")` |
//! | path into a set | `AttributePath` up to the set, because an element of a set has no index or key |
//! | `Diagnostic` | `Diagnostic`, without the kind, which only code reads |

use ferroform_proto::tfplugin6::{
    AttributePath, Diagnostic as WireDiagnostic, DynamicValue, attribute_path, diagnostic,
};
use ferroform_value::{Error, Path, Step, Type, Value, json, msgpack};

use crate::log::log_diagnostics;
use ferroform_engine::schema::Block;
use ferroform_engine::{Context, Diagnostic, Diagnostics, Result, Severity};

/// Decodes an optional value.
pub(super) fn read(value: Option<&DynamicValue>, ty: &Type) -> Result<Option<Value>> {
    value.map(|it| decode(it, ty).context("Unable to Decode Value")).transpose()
}

/// Decodes a value.
pub(super) fn decode(value: &DynamicValue, ty: &Type) -> Result<Value, Error> {
    match (&value.json, &value.msgpack) {
        (json, _) if !json.is_empty() => json::decode(json, ty),
        (_, bytes) if !bytes.is_empty() => msgpack::decode(bytes, ty),
        _ => Err(Error::new("Terraform sent an empty value")),
    }
}

/// True if there is a value that is not null, without decoding it.
pub(super) fn is_set(value: Option<&DynamicValue>) -> bool {
    value.is_some_and(|it| if it.json.is_empty() { *it.msgpack != [0xc0] } else { *it.json != *b"null" })
}

/// Decodes a value; an omitted value is null.
pub(super) fn read_or_null(value: Option<&DynamicValue>, block: &Block) -> Result<Value> {
    Ok(read(value, block.ty())?.unwrap_or(Value::Null))
}

/// Encodes a value.
pub(super) fn write(value: &Value, ty: &Type) -> Result<DynamicValue> {
    let bytes = msgpack::encode(value, ty).context("Unable to Encode Value")?;
    Ok(DynamicValue { msgpack: bytes.into(), ..DynamicValue::default() })
}

/// Encodes an optional value. A value that cannot be encoded becomes a diagnostic, so that the rest of the response
/// is sent.
pub(super) fn write_some(value: Option<&Value>, ty: &Type, all: &mut Diagnostics) -> Option<DynamicValue> {
    all.ok_or_extend(write(value?, ty))
}

/// Encodes diagnostics, and logs them.
pub(super) fn diagnostics(all: Diagnostics) -> Vec<WireDiagnostic> {
    log_diagnostics(&all);
    all.into_iter().map(wire_diagnostic).collect()
}

fn wire_diagnostic(it: Diagnostic) -> WireDiagnostic {
    let severity = match it.severity {
        Severity::Error => diagnostic::Severity::Error,
        Severity::Warning => diagnostic::Severity::Warning,
    };
    WireDiagnostic {
        severity: severity.into(),
        summary: it.summary,
        detail: it.detail,
        attribute: it.path.as_ref().map(path).filter(|it| !it.steps.is_empty()),
    }
}

/// Encodes an attribute path. The wire format has no step to an element of a set, so the path ends before it.
pub(super) fn path(path: &Path) -> AttributePath {
    use attribute_path::step::Selector;
    let steps = path.steps().iter().map_while(|it| match it {
        Step::Attribute(name) => Some(Selector::AttributeName(name.to_string())),
        Step::Key(key) => Some(Selector::ElementKeyString(key.to_string())),
        Step::Index(index) => i64::try_from(*index).ok().map(Selector::ElementKeyInt),
        Step::Element(_) => None,
    });
    AttributePath { steps: steps.map(|it| attribute_path::Step { selector: Some(it) }).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_elements_are_reported_with_their_number_and_path() {
        let ty = Type::object([("tags", Type::map(Type::Bool))]);
        let header = [b"\x81\xa4tags\xdf", &20_000_000_u32.to_be_bytes()[..]].concat();
        let msgpack = [header, vec![0; 40_000_000]].concat();
        let value = DynamicValue { msgpack: msgpack.into(), ..Default::default() };
        let errors = read(Some(&value), &ty).unwrap_err();
        let errors: Vec<_> = errors.iter().map(|it| (&*it.summary, &*it.detail, it.path.clone())).collect();
        let detail = "Value Conversion Error: Too many elements: this collection has 20000000, and a value can have at \
                      most 4000000 elements and attributes at all depths.";
        assert_eq!(errors, [("Unable to Decode Value", detail, Some(Path::attribute("tags")))]);
    }
}
