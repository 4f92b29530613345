//! SQL text. PostgreSQL accepts parameters in queries only, so statements such as `GRANT` contain names and strings.

use crate::name::Name;

/// A statement or a fragment of one. A string that is not a constant becomes SQL only through the functions of this module, which
/// quote it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sql(String);

impl Sql {
    /// Replaces each `{}` of the template with the next part.
    pub(crate) fn new(template: &'static str, parts: &[Sql]) -> Sql {
        let mut pieces = template.split("{}");
        let mut sql = pieces.next().unwrap_or_default().to_owned();
        debug_assert_eq!(template.matches("{}").count(), parts.len(), "{template}");
        for (part, piece) in parts.iter().zip(pieces) {
            sql.push_str(&part.0);
            sql.push_str(piece);
        }
        Sql(sql)
    }

    /// Joins parts with a constant separator, such as `", "`.
    pub(crate) fn join(parts: impl IntoIterator<Item = Sql>, separator: &'static str) -> Sql {
        let parts: Vec<String> = parts.into_iter().map(|it| it.0).collect();
        Sql(parts.join(separator))
    }

    /// A string in single quotes.
    pub(crate) fn string(text: &str) -> Sql {
        // The first character of a string with backslashes is a space, which is also valid after a parenthesis.
        Sql(postgres_protocol::escape::escape_literal(text))
    }

    /// SQL text that PostgreSQL returned, such as the signature of a function.
    pub(crate) fn returned(text: String) -> Sql {
        Sql(text)
    }

    /// An SQL expression from the configuration, which the caller has to validate. The line break ends a comment.
    pub(crate) fn expression(text: &str) -> Sql {
        Sql(format!("{text}\n"))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Sql {
    fn from(keyword: &'static str) -> Sql {
        Sql(keyword.to_owned())
    }
}

impl From<&Name> for Sql {
    fn from(name: &Name) -> Sql {
        Sql(postgres_protocol::escape::escape_identifier(name.as_str()))
    }
}

impl From<i32> for Sql {
    fn from(number: i32) -> Sql {
        Sql(number.to_string())
    }
}

impl From<bool> for Sql {
    fn from(value: bool) -> Sql {
        Sql(value.to_string())
    }
}

/// A statement whose parts convert to [`Sql`]: `sql!("DROP ROLE {}", &name)`.
macro_rules! sql {
    ($template:literal $(, $part:expr)* $(,)?) => {
        $crate::sql::Sql::new($template, &[$($crate::sql::Sql::from($part)),*])
    };
}
pub(crate) use sql;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_strings_are_quoted() {
        let name = Name::from(r#"a"; DROP ROLE "b"#);
        assert_eq!(sql!("DROP ROLE {}", &name).as_str(), r#"DROP ROLE "a""; DROP ROLE ""b""#);
        assert_eq!(sql!("SELECT {}", Sql::string("it's {}")).as_str(), "SELECT 'it''s {}'");
        assert_eq!(sql!("SELECT {}", Sql::string(r"\'")).as_str(), r"SELECT  E'\\'''");
    }

    #[test]
    fn parts_are_not_templates() {
        let part = Sql::join([Sql::from(&Name::from("{}")), Sql::from(3)], ", ");
        assert_eq!(sql!("GRANT {} TO {}", part, &Name::from("b")).as_str(), r#"GRANT "{}", 3 TO "b""#);
    }
}
