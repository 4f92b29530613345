//! Schemas of a server that serves a different protocol from the mux. All other messages are identical in both protocols,
//! except for the additional field of the response to `PrepareProviderConfig`.

#[cfg(feature = "client")]
use ferroform_engine::Definition;
use ferroform_proto::{Bytes, Message as _};
use ferroform_proto::{tfplugin5 as five, tfplugin6 as six};

use crate::protocol::Protocol;
#[cfg(feature = "client")]
use crate::provider_messages::schemas_mut;
use crate::schema_translation::{UnsupportedFeature, schema_to_protocol_5, schema_to_protocol_6};

/// The response to GetProviderSchema of another protocol in this protocol.
///
/// # Errors
///
/// Returns the reason if a schema cannot be translated, with the name of its type.
#[cfg(feature = "client")]
pub(super) fn schemas(response: &Bytes, to: Protocol) -> Result<Bytes, String> {
    let mut response = six::get_provider_schema::Response::decode(response.clone())
        .map_err(|error| format!("its response to GetProviderSchema is invalid: {error}"))?;
    for it in [&mut response.provider, &mut response.provider_meta] {
        *it = schema(it, to)?;
    }
    for kind in Definition::KINDS {
        for (name, it) in schemas_mut(&mut response, *kind) {
            *it = schema(it, to).map_err(|reason| format!("in the schema of \"{name}\", {reason}"))?;
        }
    }
    Ok(response.encode_to_vec().into())
}

/// The schema of another protocol in this protocol.
///
/// # Errors
///
/// Returns the reason if the schema cannot be translated.
pub(super) fn schema(schema: &Bytes, to: Protocol) -> Result<Bytes, String> {
    let invalid = |error| format!("the schema is invalid: {error}");
    let mut unsupported = None;
    let translated = match to {
        Protocol::V6 => {
            schema_to_protocol_6(five::Schema::decode(schema.clone()).map_err(invalid)?).encode_to_vec()
        }
        Protocol::V5 => {
            let schema = six::Schema::decode(schema.clone()).map_err(invalid)?;
            schema_to_protocol_5(schema, &mut |_, it| unsupported = unsupported.take().or(Some(it)))
                .encode_to_vec()
        }
    };
    match unsupported {
        None => Ok(translated.into()),
        Some(UnsupportedFeature::NestedAttribute(name)) => {
            Err(format!("\"{name}\" is a nested attribute, which protocol 5 does not support"))
        }
        Some(UnsupportedFeature::ComputedBlock) => {
            Err("the schema has a computed block, which protocol 5 does not support".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute_6(name: &str) -> six::schema::Attribute {
        six::schema::Attribute {
            name: name.into(),
            description: "The password.".into(),
            optional: true,
            write_only: true,
            deprecated: true,
            deprecation_message: "Use another one.".into(),
            ..Default::default()
        }
    }

    fn attribute_5(name: &str) -> five::schema::Attribute {
        five::schema::Attribute {
            name: name.into(),
            description: "The password.".into(),
            optional: true,
            write_only: true,
            deprecated: true,
            deprecation_message: "Use another one.".into(),
            ..Default::default()
        }
    }

    /// The same schema in both protocols: an attribute, and one in a nested block.
    fn both() -> (Bytes, Bytes) {
        let inner = six::schema::Block { attributes: vec![attribute_6("inner")], ..Default::default() };
        let nested =
            six::schema::NestedBlock { type_name: "nested".into(), block: Some(inner), ..Default::default() };
        let block = six::schema::Block {
            attributes: vec![attribute_6("outer")],
            block_types: vec![nested],
            deprecation_message: "Old.".into(),
            ..Default::default()
        };
        let schema_6 = six::Schema { version: 3, block: Some(block) };
        let inner = five::schema::Block { attributes: vec![attribute_5("inner")], ..Default::default() };
        let nested = five::schema::NestedBlock {
            type_name: "nested".into(),
            block: Some(inner),
            ..Default::default()
        };
        let block = five::schema::Block {
            attributes: vec![attribute_5("outer")],
            block_types: vec![nested],
            deprecation_message: "Old.".into(),
            ..Default::default()
        };
        let schema_5 = five::Schema { version: 3, block: Some(block) };
        (schema_5.encode_to_vec().into(), schema_6.encode_to_vec().into())
    }

    #[test]
    fn schemas_are_translated_in_both_directions() {
        let (five, six) = both();
        assert_ne!(five, six);
        assert_eq!(schema(&five, Protocol::V6).unwrap(), six);
        assert_eq!(schema(&six, Protocol::V5).unwrap(), five);
    }

    #[test]
    fn features_of_protocol_6_are_rejected_in_protocol_5() {
        let nested_type = Some(six::schema::Object::default());
        let attribute = six::schema::Attribute { name: "disks".into(), nested_type, ..Default::default() };
        let block = six::schema::Block { attributes: vec![attribute], ..Default::default() };
        let nested = six::Schema { version: 0, block: Some(block) }.encode_to_vec().into();
        let error = schema(&nested, Protocol::V5).unwrap_err();
        assert_eq!(error, "\"disks\" is a nested attribute, which protocol 5 does not support");
        let block = six::schema::Block { computed: true, ..Default::default() };
        let computed = six::Schema { version: 0, block: Some(block) }.encode_to_vec().into();
        let error = schema(&computed, Protocol::V5).unwrap_err();
        assert_eq!(error, "the schema has a computed block, which protocol 5 does not support");
    }
}
