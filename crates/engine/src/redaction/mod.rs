//! Redaction: keeps sensitive and write-only values out of diagnostics.
//!
//! There are two ways, and neither depends on the wording of a message:
//!
//! - A message about one sensitive value is built without the value. An error about its type is replaced with
//!   [`Error::redacted`](ferroform_value::Error::redacted), and an error of a validator by the validator's description.
//!   For example, `one of "small", "large" is required, but got "hunter2"` is never built for a sensitive attribute.
//! - Any other message may quote a sensitive value, because provider authors write messages too, and clients quote
//!   requests. Every occurrence of such a value is masked, even if it is percent-encoded or encoded as base64. An
//!   occurrence inside a longer value of the request that is not sensitive is not masked (`object_strings`).
//!
//! Log lines are masked in the second way ([`log_masks`]). All RPCs except CallFunction mask their diagnostics with a
//! `MaskedRequest` (`rpc/respond.rs`), which knows the sensitive values of the provider's configuration, of the
//! objects and the `provider_meta` block in the request, and of the object in the response. CallFunction masks its
//! error with the sensitive values of the provider's configuration; its arguments are visible.

mod decoded_forms;
pub mod display;
pub mod log_masks;
mod object_strings;
mod sensitive_string;

use std::ops::Range;
use std::sync::Arc;

use ferroform_value::{NfcString, Value, truncated};

use self::decoded_forms::DecodedForms;
pub(crate) use self::object_strings::ObjectStrings;
pub use self::object_strings::{visit_names, visit_sensitive, visit_visible};
use self::sensitive_string::SensitiveStrings;
use crate::Diagnostics;
use crate::schema::{Block, Member};
use crate::validator::Validator;

/// Replaces a sensitive value, as in Terraform's own messages.
pub(crate) const MASK: &str = "(sensitive value)";

/// The diagnostics of a validator about a sensitive value. Its messages may contain the value in any form, so they are
/// shown only if they are constant.
pub(crate) fn validator_diagnostics(
    validator: &Validator<Value>,
    diagnostics: Diagnostics,
    value: &Value,
) -> Diagnostics {
    if validator.is_constant() {
        return diagnostics;
    }
    let detail = match validator.description() {
        "" => "The value is not valid. The reason is not shown, because the value is sensitive.".to_owned(),
        description => {
            format!("Requirement: {description}. The value is not shown, because it is sensitive.")
        }
    };
    let redacted = diagnostics.into_iter().map(|it| it.detail(detail.clone())).collect();
    let mut strings = ObjectStrings::default();
    strings.add_sensitive_value(value);
    mask(redacted, &[&strings])
}

/// The sensitive values of a request and of the provider's configuration, which its diagnostics must not contain.
#[derive(Clone, Default)]
pub(crate) struct SensitiveValues {
    request: ObjectStrings,
    provider: Arc<ObjectStrings>,
}

impl SensitiveValues {
    /// Only the sensitive values of the provider's configuration.
    pub(crate) fn of_provider(provider: Arc<ObjectStrings>) -> SensitiveValues {
        SensitiveValues { request: ObjectStrings::default(), provider }
    }

    /// Adds strings, such as those of a state store's configuration.
    pub(crate) fn add_strings(&mut self, strings: &ObjectStrings) {
        log_masks::add(strings);
        self.request.extend(strings);
    }

    /// Adds the sensitive values of an object, and its other values as visible.
    pub(crate) fn add(&mut self, block: &Block, object: &Value) {
        let mut strings = ObjectStrings::default();
        strings.add_sensitive(block, object);
        if strings.has_sensitive() || self.has_any() {
            strings.add_visible(block, object);
        }
        self.add_strings(&strings);
    }

    /// Adds strings that are no values of an object and may occur in a message: an import ID, a type name.
    pub(crate) fn add_visible<'a>(&mut self, strings: impl IntoIterator<Item = &'a str>) {
        self.add_strings(&ObjectStrings::visible(strings.into_iter().map(NfcString::new)));
    }

    /// Adds a value that is not sensitive, such as an identity.
    pub(crate) fn add_visible_value(&mut self, value: &Value) {
        if self.has_any() {
            let mut strings = ObjectStrings::default();
            strings.add_visible_value(value);
            self.add_strings(&strings);
        }
    }

    /// Adds the names of attributes and blocks, at every depth, as visible.
    pub(crate) fn add_names(&mut self, block: &Block) {
        let mut names = Vec::new();
        visit_names(block, &mut |it| names.push(NfcString::new(it)));
        self.add_strings(&ObjectStrings::visible(names));
    }

    /// True if there are values to mask.
    pub(crate) fn has_any(&self) -> bool {
        self.request.has_sensitive() || self.provider.has_sensitive()
    }

    /// The strings of the request.
    pub(crate) fn strings(&self) -> &ObjectStrings {
        &self.request
    }

    /// Masks the values in a message.
    pub(crate) fn mask_string(&self, message: String) -> String {
        mask_string(&[&self.request, &self.provider], &message)
    }

    /// Masks the values in diagnostics, whether the framework or the provider author wrote them.
    pub(crate) fn mask(&self, diagnostics: &mut Diagnostics) {
        if !diagnostics.is_empty() {
            *diagnostics = mask(std::mem::take(diagnostics), &[&self.request, &self.provider]);
        }
    }
}

/// An element of a set for a message, with sensitive values masked and without null attributes.
pub(crate) fn describe_element(block: &Block, object: &Value) -> String {
    let Value::Object(object) = object else { return object.summary() };
    let has_sensitive = |it: Member<'_>| it.nested().is_some_and(|(_, it)| it.facts().has_sensitive);
    let is_sensitive = |name: &str| block.member(name).is_some_and(|it| it.is_masked() || has_sensitive(it));
    let attributes =
        object.iter().filter(|(_, it)| !it.is_null()).map(|(name, it)| match is_sensitive(name) {
            true => format!("{name} = {MASK}"),
            false => format!("{name} = {}", it.summary()),
        });
    truncated(format!("{{{}}}", attributes.collect::<Vec<_>>().join(", ")))
}

/// The key attributes of an element, as a message shows them.
pub(crate) fn describe_key(block: &Block, element: &Value) -> String {
    let is_key = |name: &str| block.get(name).is_some_and(|it| it.key);
    match element {
        Value::Object(object) => {
            let keys = object.iter().filter(|(name, _)| is_key(name));
            describe_element(
                block,
                &Value::Object(keys.map(|(name, it)| (name.clone(), it.clone())).collect()),
            )
        }
        other => other.summary(),
    }
}

fn mask(diagnostics: Diagnostics, strings: &[&ObjectStrings]) -> Diagnostics {
    diagnostics.into_iter().map(|it| it.map_strings(|string| mask_string(strings, &string))).collect()
}

/// Replaces each of the sensitive values in a message, in every form in which diagnostics are masked. An occurrence inside a
/// longer visible value is not masked.
pub fn mask_values<'a, 'b>(
    sensitive: impl IntoIterator<Item = &'a str>,
    visible: impl IntoIterator<Item = &'b NfcString>,
    text: &str,
) -> String {
    MaskedValues::new(sensitive).mask(visible, text)
}

/// Sensitive values, prepared for several messages.
#[derive(Clone, Debug)]
pub struct MaskedValues(ObjectStrings);

impl MaskedValues {
    /// Prepares the sensitive values.
    pub fn new<'a>(sensitive: impl IntoIterator<Item = &'a str>) -> MaskedValues {
        MaskedValues(ObjectStrings::sensitive(sensitive.into_iter().map(NfcString::new)))
    }

    /// Masks a message like [`mask_values`].
    pub fn mask<'a>(&self, visible: impl IntoIterator<Item = &'a NfcString>, text: &str) -> String {
        let masked = mask_string(&[&self.0], text);
        if masked == text {
            // Most strings contain no secret, so the visible values are not collected.
            return masked;
        }
        mask_string(&[&self.0, &ObjectStrings::visible(visible.into_iter().cloned())], text)
    }
}

/// Replaces each of the sensitive values in a message. The result of a replacement is not searched: a sensitive value may be
/// part of the mask itself.
fn mask_string(strings: &[&ObjectStrings], message: &str) -> String {
    let sensitive: Vec<&SensitiveStrings> = strings.iter().map(|it| it.prepared()).collect();
    let may_occur = |forms| sensitive.iter().any(|it| it.may_occur(&forms));
    if sensitive.iter().all(|it| it.is_empty()) || !may_occur(DecodedForms::without_ranges(message)) {
        return message.to_owned();
    }
    let forms = DecodedForms::with_ranges(message);
    let (mut found, mut visible) = (Vec::new(), Vec::new());
    sensitive.iter().for_each(|it| it.find(&forms, &mut found));
    // No form of a message is longer than the message, so that longer values do not occur.
    let candidates = strings.iter().flat_map(|it| it.containing(&sensitive, message.len()));
    SensitiveStrings::new(candidates.map(NfcString::as_str)).find(&forms, &mut visible);
    let mut masked = String::new();
    let mut end = 0;
    for range in merge_overlapping(outside_of(visible, found)) {
        masked.extend([message.get(end..range.start).unwrap_or_default(), MASK]);
        end = range.end;
    }
    masked + message.get(end..).unwrap_or_default()
}

/// The ranges of `found` that are not inside a longer range of `visible`. A visible value of which a part is masked is not
/// visible.
fn outside_of(visible: Vec<Range<usize>>, mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let secrets = Ranges::new(found.clone());
    let is_whole = |it: &Range<usize>| {
        secrets.last_end(|start| start < it.start) <= it.start
            && secrets.last_end(|start| start < it.end) <= it.end
    };
    let visible = Ranges::new(visible.into_iter().filter(is_whole).collect());
    found.retain(|it| {
        let before = visible.last_end(|start| start < it.start);
        let until = visible.last_end(|start| start <= it.start);
        before < it.end && until <= it.end
    });
    found
}

/// Ranges by their starts, for searches without a comparison of every pair.
struct Ranges {
    /// In ascending order. Each end is the last one of the ranges until here.
    starts_and_last_ends: Vec<(usize, usize)>,
}

impl Ranges {
    fn new(mut ranges: Vec<Range<usize>>) -> Ranges {
        ranges.sort_unstable_by_key(|it| it.start);
        let mut last_end = 0;
        let with_last_end = ranges.into_iter().map(|it| {
            last_end = last_end.max(it.end);
            (it.start, last_end)
        });
        Ranges { starts_and_last_ends: with_last_end.collect() }
    }

    /// The last end of the ranges with such a start: `is_before` is true for all starts up to some position.
    fn last_end(&self, is_before: impl Fn(usize) -> bool) -> usize {
        let count = self.starts_and_last_ends.partition_point(|(start, _)| is_before(*start));
        count.checked_sub(1).and_then(|at| self.starts_and_last_ends.get(at)).map_or(0, |(_, end)| *end)
    }
}

/// The ranges in ascending order, with one range in place of those that overlap.
fn merge_overlapping(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|it| it.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagnostic;

    #[test]
    fn capitalized_value_is_masked() {
        let text = crate::diagnostic::sentence("correcthorse is not the password");
        assert!(text.starts_with("Correcthorse"), "{text}");
        assert_eq!(mask_values(["correcthorse"], [], &text), "(sensitive value) is not the password.");
        let queue = NfcString::new("guest-queue");
        assert_eq!(mask_values(["guest"], [&queue], "Guest-queue is missing."), "Guest-queue is missing.");
    }

    #[test]
    fn each_sensitive_value_is_masked_once() {
        let cases = [
            (vec!["hunter2"], "login hunter2, hunter2!", "login (sensitive value), (sensitive value)!"),
            (
                vec!["value", "sensitive", "hunter2"],
                "hunter2 is a value",
                "(sensitive value) is a (sensitive value)",
            ),
            (vec!["token", "token-1"], "token-1 or token", "(sensitive value) or (sensitive value)"),
            (vec!["a b\""], r#"got "a b\"""#, r#"got "(sensitive value)""#),
            (vec!["443"], r#"port "443", id 4430"#, r#"port "(sensitive value)", id 4430"#),
            (vec![r#""abc"#], r#"got "abc"#, "got (sensitive value)"),
            (vec![], "unchanged", "unchanged"),
        ];
        for (sensitive, message, expected) in cases {
            let strings = ObjectStrings::sensitive(sensitive.iter().map(NfcString::new));
            let masked = mask(Diagnostics::from(Diagnostic::error(message)), &[&strings]);
            let summaries: Vec<&str> = masked.iter().map(|it| it.summary.as_str()).collect();
            assert_eq!(summaries, [expected], "{sensitive:?}");
        }
    }

    /// The message with the secret masked.
    fn masked(secret: &str, message: &str) -> String {
        mask_values([secret], [], message)
    }

    /// The bytes, each of which `is_encoded` says is encoded `levels` times with percent-encoding.
    fn percent_encoded(secret: &str, levels: usize, is_encoded: impl Fn(u8) -> bool) -> String {
        let percent = format!("%{}", "25".repeat(levels - 1));
        let encoded = secret.bytes().map(|byte| match is_encoded(byte) {
            true => format!("{percent}{byte:02X}").into_bytes(),
            false => vec![byte],
        });
        String::from_utf8(encoded.collect::<Vec<_>>().concat()).unwrap()
    }

    const SECRET: &str = "p/w?a b+c&d#e:f@g é%41~!\"$'()*,-._;<=>[\\]^`{|}";

    #[test]
    fn percent_encoded_values_are_masked_with_every_encode_set() {
        let sets = [
            // The sets of the URL standard: fragment, query, path and userinfo.
            " \"<>`",
            " \"#<>'",
            " \"#<>?^`{}",
            " \"#<>?^`{}/:;=@[\\]|$&+,",
            // With `%`: RFC 3986 and forms.
            "%!\"#$&'()*+,/:;<=>?@[\\]^`{|} ",
            "%!\"#$&'()+,/:;<=>?@[\\]^`{|}~ ",
        ];
        for set in sets {
            for levels in [1, 2] {
                let encoded =
                    percent_encoded(SECRET, levels, |it| !it.is_ascii() || set.as_bytes().contains(&it));
                for form in [encoded.clone(), encoded.to_lowercase(), encoded.replace("%20", "+")] {
                    let expected = "GET /?a=%20(sensitive value)&b=1";
                    assert_eq!(masked(SECRET, &format!("GET /?a=%20{form}&b=1")), expected, "{set}: {form}");
                }
            }
        }
        for levels in [1, 2] {
            let all = percent_encoded(SECRET, levels, |_| true);
            assert_eq!(masked(SECRET, &format!("got {all}!")), "got (sensitive value)!");
            assert_eq!(masked(SECRET, &format!("got {}!", all.to_lowercase())), "got (sensitive value)!");
        }
        assert_eq!(
            masked("my token+1", "a=my+token+1, b=my%20token+1"),
            "a=(sensitive value), b=(sensitive value)"
        );
    }

    #[test]
    fn value_next_to_percent_signs_is_masked() {
        let cases = [
            ("4fabc123", "LIKE '%4fabc123%'", "LIKE '%(sensitive value)%'"),
            ("4fabc123", "LIKE%20'%254fabc123%25'", "LIKE%20'%25(sensitive value)%25'"),
            ("50%41x", "50%41x, 50%2541x, 50A", "(sensitive value), (sensitive value), 50A"),
            ("50%41 x", "50%41%20x, 50%41+x", "(sensitive value), (sensitive value)"),
            ("%E9tat", "l'état, %E9tat", "l'état, (sensitive value)"),
            ("443", "?port=%22443%22", "?port=%22(sensitive value)%22"),
            ("été!", "%C3%A9t%c3%a9%21, %, %4, %zz", "(sensitive value), %, %4, %zz"),
        ];
        for (secret, message, expected) in cases {
            assert_eq!(masked(secret, message), expected, "{secret}: {message}");
        }
    }

    #[test]
    fn escape_sequences_of_json_and_html_are_masked() {
        let cases = [
            ("a<b&c", r#"{"password": "a\u003cb\u0026c"}"#, r#"{"password": "(sensitive value)"}"#),
            ("a<b&c", r"a\u003Cb\u0026c and a&lt;b&amp;c", "(sensitive value) and (sensitive value)"),
            ("a<b&c", "<b>a&#60;b&#38;c</b>, a&#x3C;b&AMP;c", "<b>(sensitive value)</b>, (sensitive value)"),
            ("user/pass", r#""user\/pass", user\\\/pass"#, r#""(sensitive value)", (sensitive value)"#),
            ("été 😀", r"\u00e9t\u00E9 \ud83d\ude00!", "(sensitive value)!"),
            (
                r"C:\new\u0041",
                r#"C:\new\u0041, "C:\\new\\u0041""#,
                r#"(sensitive value), "(sensitive value)""#,
            ),
            ("a<b&c", "?q=a%5Cu003cb%26c", "?q=(sensitive value)"),
            ("443", r#"{\"port\": \"443\"}"#, r#"{\"port\": \"(sensitive value)\"}"#),
            ("line 1\nline 2", r"line 1\nline 2", "(sensitive value)"),
            (
                "a/b c+d=`e@f",
                "a&sol;b c&plus;d&equals;&grave;e&commat;f, A&Tab;&lbrack;",
                "(sensitive value), A&Tab;&lbrack;",
            ),
            ("a\u{a0}b\n{c}", "a&nbsp;b&NewLine;&lcub;c&rbrace;!", "(sensitive value)!"),
            ("a<b&c 😀", r"a\U003Cb\U0026c \UD83D\UDE00!", "(sensitive value)!"),
            ("a<b&c", r#""\"{\\\"a\\\\u003cb\\\\u0026c\\\"}\"""#, r#""\"{\\\"(sensitive value)\\\"}\"""#),
            // Sequences that are cut off, or that encode no character.
            (
                "a<b&c",
                r"\u003, \ud83d\u0041, &lt, &#; &#x110000; \",
                r"\u003, \ud83d\u0041, &lt, &#; &#x110000; \",
            ),
        ];
        for (secret, message, expected) in cases {
            assert_eq!(masked(secret, message), expected, "{secret}: {message}");
        }
    }

    #[test]
    fn overlapping_values_are_masked_together() {
        let masked = mask_values(["abcdef", "defghi", "cd-1"], [], "abcdefghi, abcd-1");
        assert_eq!(masked, "(sensitive value), ab(sensitive value)");
    }

    #[test]
    fn occurrence_inside_a_longer_visible_value_is_not_masked() {
        let cases: &[(&[&str], &[&str], &str, &str)] = &[
            // The value alone, and next to a name.
            (
                &["guest"],
                &["guest-queue"],
                "guest: no queue guest-queue",
                "(sensitive value): no queue guest-queue",
            ),
            (&["guest"], &["guest-queue"], "guest-queues", "guest-queues"),
            (&["guest"], &["guest-queue"], "guest-topic", "(sensitive value)-topic"),
            (&["guest"], &["guest"], "user guest", "user (sensitive value)"),
            (&["guest"], &["a-guest", "guest-b"], "a-guest-b", "a-guest-b"),
            (&["guest"], &[], "guest-queue", "(sensitive value)-queue"),
            // A longer secret around the name, and one that overlaps it.
            (&["guest", "guest-queue"], &["guest-queue"], "guest-queue", "(sensitive value)"),
            (&["guest", "my-guest-queue"], &["guest-queue"], "my-guest-queue", "(sensitive value)"),
            (&["guest", "queue-1"], &["guest-queue"], "guest-queue-1", "(sensitive value)-(sensitive value)"),
            // Encoded names, and a name that is the encoded secret.
            (
                &["guest"],
                &["guest queue/1"],
                "/guest%20queue%2F1?x=guest",
                "/guest%20queue%2F1?x=(sensitive value)",
            ),
            (&["guest"], &["\"guest\"\n"], r#"got "\"guest\"\n""#, r#"got "\"guest\"\n""#),
            (&["guest"], &["%67uest"], "%67uest, guest", "(sensitive value), (sensitive value)"),
            (&["my token"], &["/q?a=my%20token"], "GET /q?a=my%20token", "GET /q?a=my%20token"),
            (
                &["guest"],
                &["guest-queue"],
                "Z3Vlc3QtcXVldWU=, Z3Vlc3Q=",
                "Z3Vlc3QtcXVldWU=, (sensitive value)",
            ),
            // Short values are masked within quotation marks.
            (&["ab"], &["abc", "\"ab\" or c"], r#""ab", "ab" or c"#, r#""(sensitive value)", "ab" or c"#),
        ];
        for (sensitive, visible, message, expected) in cases {
            let visible: Vec<NfcString> = visible.iter().map(NfcString::new).collect();
            let masked = mask_values(sensitive.iter().copied(), &visible, message);
            assert_eq!(masked, *expected, "{sensitive:?}, {visible:?}: {message}");
        }
    }

    /// In base64, the characters at the edges of a value also encode bits of the data around it.
    #[test]
    fn base64_is_masked_with_every_character_of_the_value() {
        use base64::Engine as _;
        use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
        for secret in ["key1", "key12", "key123", "my secret token", "ÿÿ>>??~~ÿ"] {
            for (before, after) in ["", "u", "u:", "us:", "use:"]
                .iter()
                .flat_map(|it| ["", ";", ";x", ";xy"].map(|after| (it, after)))
            {
                let data = format!("{before}{secret}{after}");
                let first = before.len() * 8 / 6;
                let end = ((before.len() + secret.len()) * 8).div_ceil(6);
                for engine in [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD] {
                    let encoded = engine.encode(&data);
                    let rest = if after.is_empty() { "" } else { &encoded[end..] };
                    let expected = format!("Basic {}(sensitive value){rest}, done", &encoded[..first]);
                    assert_eq!(masked(secret, &format!("Basic {encoded}, done")), expected, "{data:?}");
                    let in_url = encoded.replace('+', "%2B").replace('/', "%2F").replace('=', "%3d");
                    let masked = masked(secret, &format!("/?q={in_url}&x"));
                    assert!(
                        masked.ends_with(&format!(
                            "(sensitive value){}&x",
                            rest.replace('+', "%2B").replace('/', "%2F").replace('=', "%3d")
                        )),
                        "{in_url}: {masked}"
                    );
                }
            }
        }
    }

    #[test]
    fn base64_with_line_breaks_is_masked() {
        let cases = [
            ("QmVhcmVyIG15IH\nNlY3JldCB0b2\nt\nlbg==", "QmVhcmVyI(sensitive value)"),
            ("QmVhcmVyIG15IH\r\n  NlY3JldCB0b2\r\n  tlbg==\r\n", "QmVhcmVyI(sensitive value)\r\n"),
            (r#""QmVhcmVyIG15IH\nNlY3JldCB0b2\r\ntlbg==\n""#, r#""QmVhcmVyI(sensitive value)\n""#),
            (r#"{\"QmVhcmVyIG15IH\\nNlY3JldCB0b2\\r\\ntlbg==\"}"#, r#"{\"QmVhcmVyI(sensitive value)\"}"#),
            ("QmVhcmVyIG15IH%0D%0ANlY3JldCB0b2tlbg%3D%3D&", "QmVhcmVyI(sensitive value)&"),
            // Data that is cut off.
            ("G15IHNlY3JldCB0b2tlb", "(sensitive value)"),
            ("15IHNlY3JldCB0b2tlb", "(sensitive value)"),
            // Another value.
            ("AG14IHNlY3JldCB0b2tlbg==", "AG14IHNlY3JldCB0b2tlbg=="),
        ];
        for (message, expected) in cases {
            assert_eq!(masked("my secret token", message), expected, "{message}");
        }
    }
}
