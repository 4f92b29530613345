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

/// The milliseconds of a timeout such as `5000`, `1.5 s` or `1min`, as PostgreSQL converts them.
pub(crate) fn milliseconds(timeout: &str) -> Option<i32> {
    let timeout = timeout.trim();
    let (number, unit) = timeout.split_at(timeout.find(char::is_alphabetic).unwrap_or(timeout.len()));
    let factor = match unit {
        "us" => 0.001,
        "" | "ms" => 1.0,
        "s" => 1_000.0,
        "min" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return None,
    };
    let milliseconds = (number.trim().parse::<f64>().ok()? * factor).round_ties_even();
    // PostgreSQL rejects numbers outside of this range.
    (0.0..=f64::from(i32::MAX)).contains(&milliseconds).then_some(milliseconds as i32)
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
    fn timeouts_are_converted_to_milliseconds() {
        for (timeout, expected) in [
            ("5000", Some(5000)),
            ("1min", Some(60_000)),
            ("1.5 s", Some(1500)),
            ("2h", Some(7_200_000)),
            ("1d", Some(86_400_000)),
            ("2500us", Some(2)),
            ("300ms", Some(300)),
            ("30d", None),
            ("1x", None),
            ("", None),
        ] {
            assert_eq!(milliseconds(timeout), expected, "{timeout}");
        }
    }

    #[test]
    fn value_of_setting_is_found_by_whole_name() {
        let settings = ["role_x=a".to_owned(), "role=b=c".to_owned()];
        assert_eq!((value(&settings, "role"), value(&settings, "ro")), (Some("b=c"), None));
    }
}
