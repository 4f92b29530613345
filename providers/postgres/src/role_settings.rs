//! The settings of a role, such as its `search_path`, as PostgreSQL stores them: `name=value`.

/// The value of a setting.
pub(crate) fn value<'a>(settings: &'a [String], name: &str) -> Option<&'a str> {
    settings.iter().find_map(|it| it.strip_prefix(name)?.strip_prefix('='))
}

/// The names of a list such as `public, "a, b"`.
pub(crate) fn names(list: &str) -> Vec<String> {
    let (mut names, mut name, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut characters = list.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => name.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => names.push(std::mem::take(&mut name)),
            ' ' if !is_quoted => {}
            other => name.push(other),
        }
    }
    names.push(name);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_list_are_unquoted() {
        assert_eq!(names(r#""$user", public, "a, ""b""", C"#), ["$user", "public", "a, \"b\"", "C"]);
        assert_eq!(names(r#""""#), [""]);
    }

    #[test]
    fn value_of_setting_is_found_by_whole_name() {
        let settings = ["role_x=a".to_owned(), "role=b=c".to_owned()];
        assert_eq!((value(&settings, "role"), value(&settings, "ro")), (Some("b=c"), None));
    }
}
