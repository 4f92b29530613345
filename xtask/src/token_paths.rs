//! Paths in the arguments of macros, which are tokens and not syntax.

use proc_macro2::{TokenStream, TokenTree};

/// Every path in the tokens and their groups, such as `["crate", "schema", "Block"]`. An identifier alone is a path of
/// one step.
pub(crate) fn token_paths(tokens: TokenStream) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut path = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Ident(ident) => {
                // The colon of `field: Type` does not continue the path.
                if colons != 2 {
                    found.push(std::mem::take(&mut path));
                }
                path.push(ident.to_string());
                colons = 0;
            }
            other => {
                found.push(std::mem::take(&mut path));
                colons = 0;
                if let TokenTree::Group(group) = other {
                    found.extend(token_paths(group.stream()));
                }
            }
        }
    }
    found.push(path);
    found.retain(|it| !it.is_empty());
    found
}
