//! Generates random modules and inputs. The same seed generates the same cases.

use std::fmt::Write;

use ferroform_vars::Setting;

use crate::Case;

/// A small random number generator with the same sequence on every system.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(0x5eed_0000 + (seed << 32))
    }

    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % below as u64).unwrap()
    }

    /// Returns true with a probability of one in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.next(times) == 0
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.next(of.len())]
    }
}

/// A type with the defaults of its optional attributes.
#[derive(Clone, Debug)]
enum Ty {
    Any,
    Bool,
    Number,
    String,
    List(Box<Ty>),
    Set(Box<Ty>),
    Map(Box<Ty>),
    Tuple(Vec<Ty>),
    Object(Vec<(String, Ty, Need)>),
}

#[derive(Clone, Debug)]
enum Need {
    Required,
    Optional(Option<Data>),
}

#[derive(Clone, Debug)]
enum Data {
    Null,
    Bool(bool),
    Number(&'static str),
    String(&'static str),
    List(Vec<Data>),
    Object(Vec<(String, Data)>),
}

const NAMES: &[&str] = &["a", "b", "name", "size", "k-v", "é"];
const STRINGS: &[&str] =
    &["", "x", "true", "12", "a b", "q\"q", "two\nlines", "back\\slash", "${d}", "é", "0x10", "1e3"];
const NUMBERS: &[&str] = &["0", "1", "-3", "2.50", "1e3", "12345678901234567890", "0.1", "-0"];

fn ty(rng: &mut Rng, depth: u32) -> Ty {
    let of = |rng: &mut Rng| Box::new(ty(rng, depth - 1));
    match rng.next(if depth == 0 { 7 } else { 14 }) {
        0 => Ty::Any,
        1 | 2 => Ty::Bool,
        3 | 4 => Ty::Number,
        5 | 6 => Ty::String,
        7 | 8 => Ty::List(of(rng)),
        9 => Ty::Set(of(rng)),
        10 => Ty::Map(of(rng)),
        11 => Ty::Tuple((0..rng.next(3)).map(|_| ty(rng, depth - 1)).collect()),
        _ => {
            let mut attributes = Vec::new();
            for name in NAMES {
                if rng.once_in(2) {
                    let ty = ty(rng, depth - 1);
                    let need = match rng.next(4) {
                        0 | 1 => Need::Required,
                        2 => Need::Optional(None),
                        _ => Need::Optional(Some(data(rng, &ty, 12))),
                    };
                    attributes.push(((*name).to_owned(), ty, need));
                }
            }
            Ty::Object(attributes)
        }
    }
}

/// Returns a random value of the type. A part of it is invalid with a probability of one in `invalid_in`.
fn data(rng: &mut Rng, of: &Ty, invalid_in: usize) -> Data {
    if rng.once_in(invalid_in) {
        let other = ty(rng, 1);
        return data(rng, &other, 1000);
    }
    if rng.once_in(12) {
        return Data::Null;
    }
    let some = |rng: &mut Rng, of: &Ty| (0..rng.next(4)).map(|_| data(rng, of, invalid_in)).collect();
    match of {
        Ty::Any => {
            let other =
                [Ty::Bool, Ty::Number, Ty::String, Ty::List(Box::new(Ty::Number))][rng.next(4)].clone();
            data(rng, &other, invalid_in)
        }
        Ty::Bool => match rng.next(4) {
            0 => Data::String("true"),
            1 => Data::String("false"),
            it => Data::Bool(it == 2),
        },
        Ty::Number => match rng.next(4) {
            0 => Data::String(["7", "1e2", "0.50"][rng.next(3)]),
            _ => Data::Number(NUMBERS[rng.next(NUMBERS.len())]),
        },
        Ty::String => match rng.next(6) {
            0 => Data::Bool(true),
            1 => Data::Number(NUMBERS[rng.next(NUMBERS.len())]),
            _ => Data::String(STRINGS[rng.next(STRINGS.len())]),
        },
        Ty::List(of) | Ty::Set(of) => Data::List(some(rng, of)),
        Ty::Map(of) => {
            let values: Vec<Data> = some(rng, of);
            Data::Object(NAMES.iter().map(|it| (*it).to_owned()).zip(values).collect())
        }
        Ty::Tuple(of) => Data::List(of.iter().map(|of| data(rng, of, invalid_in)).collect()),
        Ty::Object(of) => {
            let mut found = Vec::new();
            for (name, of, need) in of {
                let missing = match need {
                    Need::Required => 30,
                    Need::Optional(_) => 2,
                };
                if !rng.once_in(missing) {
                    found.push((name.clone(), data(rng, of, invalid_in)));
                }
            }
            if rng.once_in(6) {
                found.push(("extra".to_owned(), Data::Number("1")));
            }
            Data::Object(found)
        }
    }
}

fn write_ty(out: &mut String, ty: &Ty) {
    let mut of = |kind: &str, of: &Ty| {
        let _ = write!(out, "{kind}(");
        write_ty(out, of);
        out.push(')');
    };
    match ty {
        Ty::Any => out.push_str("any"),
        Ty::Bool => out.push_str("bool"),
        Ty::Number => out.push_str("number"),
        Ty::String => out.push_str("string"),
        Ty::List(it) => of("list", it),
        Ty::Set(it) => of("set", it),
        Ty::Map(it) => of("map", it),
        Ty::Tuple(types) => {
            out.push_str("tuple([");
            for element in types {
                write_ty(out, element);
                out.push_str(", ");
            }
            out.push_str("])");
        }
        Ty::Object(attributes) => {
            out.push_str("object({");
            for (name, ty, need) in attributes {
                let _ = write!(out, "\n    {name} = ");
                match need {
                    Need::Required => write_ty(out, ty),
                    Need::Optional(default) => {
                        out.push_str("optional(");
                        write_ty(out, ty);
                        if let Some(default) = default {
                            out.push_str(", ");
                            native(out, default);
                        }
                        out.push(')');
                    }
                }
            }
            out.push_str(if attributes.is_empty() { "})" } else { "\n  })" });
        }
    }
}

fn native(out: &mut String, data: &Data) {
    match data {
        Data::Null => out.push_str("null"),
        Data::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        Data::Number(it) => out.push_str(it),
        Data::String(text) => {
            let escaped =
                text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace("${", "$${");
            let _ = write!(out, "\"{escaped}\"");
        }
        Data::List(elements) => {
            out.push('[');
            for element in elements {
                native(out, element);
                out.push_str(", ");
            }
            out.push(']');
        }
        Data::Object(attributes) => {
            out.push('{');
            for (i, (name, attribute)) in attributes.iter().enumerate() {
                let _ = write!(out, "{}{name} = ", if i > 0 { ", " } else { " " });
                native(out, attribute);
            }
            out.push_str(" }");
        }
    }
}

fn json(data: &Data) -> serde_json::Value {
    match data {
        Data::Null => serde_json::Value::Null,
        Data::Bool(it) => (*it).into(),
        Data::Number(it) => serde_json::from_str(it).unwrap(),
        Data::String(it) => (*it).into(),
        Data::List(it) => it.iter().map(json).collect(),
        Data::Object(it) => it.iter().map(|(name, it)| (name.clone(), json(it))).collect(),
    }
}

/// Returns a random condition about a value of the type.
fn condition(rng: &mut Rng, of: &Ty, name: &str) -> String {
    let value = format!("var.{name}");
    let conditions: &[&str] = match of {
        Ty::String => &[
            "length(IT) > 0",
            "contains([\"x\", \"12\", \"true\"], IT)",
            "can(tonumber(IT))",
            "startswith(IT, \"x\")",
            "can(regex(\"^[a-z0-9]*$\", IT))",
            "endswith(IT, \"e\") || IT == \"x\"",
            "IT == null ? true : upper(IT) != \"X\"",
            "try(length(IT), 0) < 4",
            "trimspace(IT) == IT",
            "can(cidrhost(IT, 0)) || true",
            "strcontains(IT, \"1\")",
            "regex(\"(\\\\d+)\", IT)[0] == \"12\"",
            "length(split(\" \", IT)) == 1",
            "lower(IT) == IT && IT != \"\"",
            "substr(IT, 0, 1) != \"q\"",
            "IT",
            "replace(IT, \"a\", \"b\") == IT",
            "replace(IT, \"/[a-z]/\", \"\") == \"\"",
            "can(regex(\"(?i)^[[:alpha:]]+$\", IT))",
            "can(regex(\"^\\\\p{L}\", IT))",
            "can(parseint(IT, 16))",
            "can(base64decode(IT)) || title(IT) == IT",
            "format(\"%s|%5.1f\", IT, IT) != \"12| 12.0\"",
            "!can(formatdate(\"YYYY\", IT)) && can(cidrsubnet(\"10.0.0.0/8\", 8, IT))",
        ],
        Ty::Number => &[
            "IT > 0",
            "IT >= 1 && IT < 100",
            "floor(IT) == IT",
            "IT % 2 == 0",
            "abs(IT) == IT",
            "max(IT, 3) == IT",
            "contains([1, 2.5], IT)",
            "IT == null || IT != 0",
            "ceil(IT) < 3",
            "pow(IT, 2) < 10",
            "signum(IT) >= 0",
            "contains(range(5), IT)",
            "format(\"%d %v\", IT, IT) != \"1 1\"",
            "IT",
            "length(IT) > 0",
        ],
        Ty::Bool => &["IT", "!IT", "IT == true", "IT != null", "anytrue([IT, false])", "IT ? 1 : 2"],
        Ty::List(_) | Ty::Set(_) => &[
            "length(IT) > 0",
            "length(distinct(tolist(IT))) == length(IT)",
            "alltrue([for it in IT : it != null])",
            "anytrue([for it in IT : can(tostring(it))])",
            "can(IT[0])",
            "try(one(IT), 1) != null",
            "can(sort(IT))",
            "length(toset(IT)) == length(IT)",
            "sum(IT) > 0",
            "length(compact(IT)) > 0",
            "join(\",\", IT) != \"\"",
            "can(reverse(IT))",
            "length(setintersection(IT, [\"x\"])) == 0",
            "!contains(IT, null)",
            "element(IT, 0) != null",
            "length(slice(IT, 0, 1)) == 1",
            "index(IT, \"x\") >= 0",
            "length(chunklist(IT, 2)) < 2",
            "alltrue([for it in formatlist(\"%v\", IT) : length(it) < 4])",
            "length(setproduct(IT, [1])) == length(IT)",
            "length(setunion(IT, [])) == length(IT)",
        ],
        Ty::Map(_) => &[
            "length(IT) > 0",
            "contains(keys(IT), \"a\")",
            "alltrue([for k, v in IT : length(k) < 4])",
            "lookup(IT, \"a\", null) != null",
            "can(IT[\"b\"])",
            "length(values(IT)) > 1",
            "can(zipmap(values(IT), keys(IT)))",
            "length(transpose(IT)) > 0",
            "merge(IT, {}) == IT",
        ],
        _ => &[
            "IT != null",
            "can(IT.a)",
            "try(IT.name, \"x\") != null",
            "length(IT) > 0",
            "can(length(keys(IT)))",
        ],
    };
    rng.pick(conditions).replace("IT", &value)
}

const SNIPPETS: &[&str] = &[
    "# variable \"no\" {\n",
    "/* variable \"no\" { */\n",
    "locals {\n  text = <<-EOT\n    variable \"no\" { } }\n    ${join(\",\", [for it in [\"}\"] : it])}\n  EOT\n}\n",
    "output \"o\" {\n  value = \"} ${\"}\"} { \\\" \"\n}\n",
    "terraform {\n  required_version = \">= 1.0\" // why {\n}\n",
    "locals { a = { for k, v in { x = 1 } : k => v... if v != 2 } }\n",
    "locals {\n  b = <<EOT\nvariable \"no\" {\n  EOT\n  c = [1, 2,\n    3]\n}\n",
    "output \"p\" {\n  value = \"%{ if true }{%{ else }}%{ endif }\"\n}\n",
];

struct DeclaredVariable {
    name: String,
    ty: Ty,
    typed: bool,
}

pub(crate) fn cases(seed: u64, count: usize) -> Vec<Case> {
    (0..count).map(|i| case(&mut Rng(Rng::new(seed).0 + i as u64 * 7919), i)).collect()
}

fn case(rng: &mut Rng, i: usize) -> Case {
    for _ in 0..8 {
        rng.next(2);
    }
    let mut case = Case { name: format!("g{i:03}"), ..Case::default() };
    let mut main = String::new();
    let mut variables = Vec::new();
    let mut snippets = SNIPPETS.iter().cycle().skip(rng.next(SNIPPETS.len()));
    // The probability is small, because a case has many parts.
    let invalid_in = if rng.once_in(4) { 10 } else { 1000 };
    for name in ["one", "two", "three"].iter().take(1 + rng.next(3)) {
        if rng.once_in(3) {
            // Each snippet is used at most once, because duplicates are invalid.
            main.push_str(snippets.next().unwrap());
        }
        variables.push(declare(rng, &mut case, &mut main, name, invalid_in));
    }
    case.files.insert("main.tf".into(), main);
    for variable in &variables {
        set_value(rng, &mut case, variable, invalid_in);
    }
    if rng.once_in(8) {
        let content = rng.pick(&[
            "nope = 1\n",
            "one {\n}\n",
            "one = f(1)\n",
            "one = [\n",
            "\"one\" = 1\n",
            "# nothing\n",
            "nope = f(1)\n",
        ]);
        case.files.insert("z.auto.tfvars".into(), content.to_owned());
    }
    if rng.once_in(12) {
        case.options.push(Setting::Value { name: "nope".into(), value: "1".into() });
    }
    if rng.once_in(10) {
        case.environment.push(("TF_VAR_nope".into(), "[".into()));
    }
    case
}

fn declare(
    rng: &mut Rng,
    case: &mut Case,
    main: &mut String,
    name: &str,
    invalid_in: usize,
) -> DeclaredVariable {
    let ty = ty(rng, 2);
    let typed = !rng.once_in(10);
    let default = rng.once_in(2).then(|| data(rng, &ty, invalid_in));
    let condition = rng.once_in(3).then(|| condition(rng, &ty, name));
    let mut flags = Vec::new();
    for (flag, times) in [("nullable", 5), ("sensitive", 8), ("ephemeral", 12)] {
        if rng.once_in(times) {
            flags.push((flag, rng.pick(&["true", "false", "\"false\""])));
        }
    }
    let mut constraint = String::new();
    write_ty(&mut constraint, &ty);
    if invalid_in < 100 && rng.once_in(15) {
        constraint = constraint.replace("string", "strng");
    }
    if rng.once_in(5) {
        let mut body = serde_json::Map::new();
        if typed {
            body.insert("type".into(), constraint.into());
        }
        body.extend(default.iter().map(|it| ("default".to_owned(), json(it))));
        body.extend(flags.iter().map(|(name, it)| ((*name).to_owned(), it.trim_matches('"').into())));
        if let Some(condition) = condition {
            let validation = serde_json::json!({"condition": format!("${{{condition}}}"), "error_message": "The value is invalid."});
            body.insert("validation".into(), validation);
        }
        let file = serde_json::json!({"variable": {name: body}});
        case.files.insert(format!("{name}.tf.json"), file.to_string());
    } else {
        let _ = writeln!(main, "variable \"{name}\" {{");
        if typed {
            let _ = writeln!(main, "  type = {constraint}");
        }
        if let Some(default) = &default {
            main.push_str("  default = ");
            native(main, default);
            main.push('\n');
        }
        for (name, value) in flags {
            let _ = writeln!(main, "  {name} = {value}");
        }
        if invalid_in < 100 && rng.once_in(15) {
            main.push_str("  descripton = \"typo\"\n");
        }
        if let Some(condition) = condition {
            let _ = write!(
                main,
                "  validation {{\n    condition = {condition}\n    error_message = \"The value is invalid.\"\n  }}\n"
            );
        }
        main.push_str("}\n\n");
    }
    DeclaredVariable { name: name.to_owned(), ty, typed }
}

fn set_value(rng: &mut Rng, case: &mut Case, variable: &DeclaredVariable, invalid_in: usize) {
    let sources = if rng.once_in(8) { 0 } else { 1 + rng.next(2) };
    for _ in 0..sources {
        let value = data(rng, &variable.ty, invalid_in);
        let mut source = String::new();
        native(&mut source, &value);
        let literal = !variable.typed || matches!(variable.ty, Ty::Bool | Ty::Number | Ty::String);
        let raw = match &value {
            Data::String(it) if literal => (*it).to_owned(),
            _ => source.clone(),
        };
        let line = format!("{} = {source}\n", variable.name);
        match rng.next(9) {
            0 => {
                let name = format!("TF_VAR_{}", variable.name);
                case.environment.retain(|(it, _)| *it != name);
                case.environment.push((name, raw));
            }
            1 => case.files.entry("terraform.tfvars".into()).or_default().push_str(&line),
            2 => drop(case.files.insert("terraform.tfvars.json".into(), entry(&variable.name, &value))),
            3 => case.files.entry("b.auto.tfvars".into()).or_default().push_str(&line),
            4 => drop(case.files.insert("A.auto.tfvars".into(), line)),
            5 => drop(case.files.insert("a.auto.tfvars.json".into(), entry(&variable.name, &value))),
            6 => {
                let name = format!("{}.tfvars", variable.name);
                case.files.insert(name.clone(), line);
                case.options.push(Setting::File(name.into()));
            }
            7 => {
                let name = format!("{}.json", variable.name);
                case.files.insert(name.clone(), entry(&variable.name, &value));
                case.options.push(Setting::File(name.into()));
            }
            _ => case.options.push(Setting::Value { name: variable.name.clone(), value: raw }),
        }
    }
}

fn entry(name: &str, data: &Data) -> String {
    serde_json::json!({name: json(data)}).to_string()
}
