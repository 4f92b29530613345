//! A random document with everything that has made generated code invalid: names that collide, reserved words, path and
//! query parameters, alternatives with read-only properties, enums with duplicates and unusual characters, defaults of all
//! types, values and elements that can be null, enums that differ between requests and responses.

use serde_json::{Map, Value, json};

use super::rng::Rng;

/// The names of properties and parameters. Many of them are equal in snake case, or keywords.
const NAMES: [&str; 46] = [
    "id",
    "ID",
    "Id",
    "name",
    "Name",
    "note_id",
    "noteId",
    "folder_id",
    "_",
    "__",
    "___",
    "_a",
    "a",
    "a__b",
    "a-b",
    "a_b",
    "self",
    "self_",
    "Self",
    "crate",
    "super",
    "type",
    "match",
    "async",
    "yield",
    "gen",
    "count",
    "provider",
    "for_each",
    "image",
    "image_details",
    "value",
    "object",
    "it",
    "view",
    "password",
    "api_token",
    "5xx",
    "日本",
    "Ümlaut",
    "$ref",
    "x\u{202e}y",
    "",
    "filter[name]",
    "option",
    "string",
];

/// The words in paths.
const WORDS: [&str; 19] = [
    "notes",
    "folders",
    "items",
    "statuses",
    "options",
    "self",
    "_",
    "types",
    "strings",
    "registry",
    "results",
    "match",
    "note-views",
    "vs",
    "日本",
    "shared",
    "ferroform",
    "provider",
    "v1",
];

/// Descriptions with characters that need escapes.
const DESCRIPTIONS: [&str; 7] = [
    "A description.",
    "Right \u{202e}to\u{2066} left",
    "zero\u{200b}width \u{feff}",
    "quotes \" and \\ and #\"# */ //",
    "line\r\nbreak\n\n    code\n```",
    "trailing \ntab\t",
    "#![doc(hidden)] {} {{",
];

const VALUES: [&str; 14] =
    ["a", "A", "a", "a-b", "a_b", "aB", "self", "Self", "", "日本", "\u{202e}", "2nd", "none", "\"\\\n"];

/// The names of schemas in the components, which refer to each other.
const SCHEMAS: [&str; 5] = ["Note", "note", "Folder_", "Some", "日本"];

/// Returns a document with a number of paths.
pub(super) fn document(number: u64, paths: u64) -> Value {
    let mut random = Random { rng: Rng::new(number) };
    let schemas = SCHEMAS.iter().map(|name| ((*name).to_owned(), random.object(2))).collect();
    let mut document = with_schemas(schemas, "Note");
    let mut all = Map::new();
    for _ in 0..paths {
        random.path(&mut all);
    }
    document["paths"] = all.into();
    document
}

/// A document whose crate has all dependencies of generated code.
pub(super) fn with_all_formats() -> Value {
    let format = |it: &str| (it.to_owned(), json!({ "type": "string", "format": it }));
    let properties: Map<String, Value> =
        ["uuid", "ipv4", "ipv6", "date-time"].into_iter().map(format).collect();
    let schema = json!({ "type": "object", "properties": properties });
    with_schemas(Map::from_iter([("All".to_owned(), schema)]), "All")
}

/// A document with one data source, whose response is a schema.
pub(super) fn with_schemas(schemas: Map<String, Value>, response: &str) -> Value {
    let schema = json!({ "$ref": format!("#/components/schemas/{response}") });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Cloud" },
        "components": { "schemas": schemas },
        "paths": { "/xs/{x}": { "get": { "responses": { "200": body(schema) } } } },
    })
}

fn body(schema: Value) -> Value {
    json!({ "content": { "application/json": { "schema": schema } } })
}

struct Random {
    rng: Rng,
}

impl Random {
    /// Adds a path with operations, and its collection.
    fn path(&mut self, paths: &mut Map<String, Value>) {
        let mut collection = String::new();
        for _ in 0..self.rng.below(3) {
            collection += &format!("/{}/{{{}}}", self.rng.one_of(&WORDS), self.rng.one_of(&NAMES));
        }
        collection += &format!("/{}", self.rng.one_of(&WORDS));
        let item = format!("{collection}/{{{}}}", self.rng.one_of(&NAMES));
        let properties = self.properties(2);
        let mut operations = json!({ "parameters": self.parameters("path") });
        operations["get"] = self.operation(None, &properties);
        if self.rng.chance(75) {
            operations["delete"] = self.operation(None, &properties);
            if self.rng.chance(60) {
                let method = self.rng.one_of(&["patch", "put"]);
                operations[method] = self.operation(Some(&properties), &properties);
            }
            let create = self.operation(Some(&properties), &properties);
            if self.rng.chance(80) {
                paths.insert(collection, json!({ "post": create, "parameters": self.parameters("query") }));
            } else {
                operations["put"] = create;
            }
        }
        paths.insert(item, operations);
    }

    /// The request and the response have most of the properties, some of them with other types.
    fn operation(&mut self, request: Option<&Map<String, Value>>, response: &Map<String, Value>) -> Value {
        let mut operation = json!({
            "description": self.rng.one_of(&DESCRIPTIONS),
            "parameters": self.parameters("query"),
        });
        let schema = self.variation(response);
        operation["responses"] = json!({ "200": body(schema) });
        if let Some(request) = request {
            operation["requestBody"] = body(self.variation(request));
        }
        operation
    }

    fn variation(&mut self, properties: &Map<String, Value>) -> Value {
        let mut properties = properties.clone();
        for name in properties.keys().cloned().collect::<Vec<_>>() {
            if self.rng.chance(15) {
                properties.insert(name, self.schema(1));
            } else if self.rng.chance(15) {
                properties.remove(&name);
            } else if self.rng.chance(30) {
                self.change_values(&mut properties[&name]);
            }
        }
        self.with_required(properties)
    }

    /// Changes the values of enums, and whether they can be null.
    fn change_values(&mut self, schema: &mut Value) {
        if schema.get("enum").is_some() {
            schema["enum"] = self.values().into();
        }
        schema["nullable"] = self.rng.chance(30).into();
        for keyword in ["items", "additionalProperties"] {
            schema.get_mut(keyword).into_iter().for_each(|it| self.change_values(it));
        }
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        properties.into_iter().flatten().for_each(|(_, it)| self.change_values(it));
    }

    /// A default that most of the types accept.
    fn default(&mut self, schema: &Value) -> Value {
        if let Some(elements) = schema.get("items") {
            return (0..self.rng.below(3)).map(|_| self.default(elements)).collect();
        }
        if let Some(elements) = schema.get("additionalProperties") {
            return (0..self.rng.below(3)).map(|it| (format!("{it}\""), self.default(elements))).collect();
        }
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let mut members = Map::new();
            for (name, property) in properties {
                if self.rng.chance(70) {
                    members.insert(name.clone(), self.default(property));
                }
            }
            return members.into();
        }
        let first = schema.get("enum").and_then(|it| it.get(0)).or(schema.get("default")).cloned();
        first.unwrap_or_else(|| if self.rng.chance(80) { "a".into() } else { Value::Null })
    }

    fn parameters(&mut self, location: &str) -> Value {
        let mut parameters = Vec::new();
        for _ in 0..self.rng.below(3) {
            parameters.push(json!({
                "in": location,
                "name": self.rng.one_of(&NAMES),
                "required": self.rng.chance(50),
                "description": self.rng.one_of(&DESCRIPTIONS),
                "schema": self.schema(1),
            }));
        }
        parameters.into()
    }

    fn properties(&mut self, depth: u64) -> Map<String, Value> {
        let mut properties = Map::new();
        for _ in 0..1 + self.rng.below(5) {
            properties.insert(self.rng.one_of(&NAMES).to_owned(), self.schema(depth));
        }
        properties
    }

    fn object(&mut self, depth: u64) -> Value {
        let properties = self.properties(depth);
        self.with_required(properties)
    }

    fn with_required(&mut self, properties: Map<String, Value>) -> Value {
        let required: Vec<String> = properties.keys().filter(|_| self.rng.chance(40)).cloned().collect();
        json!({ "type": "object", "properties": properties, "required": required })
    }

    fn schema(&mut self, depth: u64) -> Value {
        let mut schema = match self.rng.below(if depth == 0 { 6 } else { 14 }) {
            0 => {
                json!({ "type": "string", "minLength": self.rng.below(3), "pattern": "^(?!x)", "format": self.format() })
            }
            1 => json!({ "type": "string", "enum": self.values(), "default": self.rng.one_of(&VALUES) }),
            2 => json!({ "enum": self.values() }),
            3 => json!({
                "type": "integer",
                "format": self.rng.one_of(&["int32", "uint32", "uint64", "int64"]),
                "minimum": self.rng.one_of(&[-1, 0, 7]),
                "maximum": 3_000_000_000_i64,
                "default": self.rng.one_of(&[1, -1, 3_000_000_000_i64]),
            }),
            4 => {
                json!({ "type": ["number", "null"], "minimum": 0, "default": self.rng.one_of(&[0.5, 1e300, -0.0]) })
            }
            5 => json!({ "type": "boolean", "default": self.rng.chance(50) }),
            6 => self.object(depth - 1),
            7 => json!({ "$ref": format!("#/components/schemas/{}", self.rng.one_of(&SCHEMAS)) }),
            8 => json!({
                "type": "array",
                "items": self.schema(depth - 1),
                "uniqueItems": self.rng.chance(40),
                "minItems": self.rng.below(3),
                "maxItems": self.rng.below(3),
            }),
            9 => json!({ "type": "object", "additionalProperties": self.schema(depth - 1) }),
            10 => {
                let keyword = self.rng.one_of(&["oneOf", "anyOf"]);
                let count = self.rng.below(4);
                json!({ keyword: (0..count).map(|_| self.schema(depth - 1)).collect::<Vec<_>>() })
            }
            11 => json!({ "oneOf": [self.schema(depth - 1), { "type": "null" }] }),
            12 => json!({ "allOf": [self.schema(depth - 1)], "nullable": true }),
            _ => json!({ "allOf": [self.object(depth - 1), self.object(depth - 1)] }),
        };
        if self.rng.chance(40) {
            schema["default"] = self.default(&schema);
        }
        for (keyword, percent) in [("readOnly", 20), ("writeOnly", 10), ("deprecated", 10), ("nullable", 10)]
        {
            if self.rng.chance(percent) {
                schema[keyword] = true.into();
            }
        }
        if self.rng.chance(30) {
            schema["description"] = self.rng.one_of(&DESCRIPTIONS).into();
        }
        if self.rng.chance(15) {
            schema["title"] = self.rng.one_of(&NAMES).into();
        }
        schema
    }

    fn format(&mut self) -> &'static str {
        self.rng.one_of(&["uuid", "ipv4", "ipv6", "date-time", "password", "uri"])
    }

    fn values(&mut self) -> Vec<&'static str> {
        (0..1 + self.rng.below(5)).map(|_| self.rng.one_of(&VALUES)).collect()
    }
}
