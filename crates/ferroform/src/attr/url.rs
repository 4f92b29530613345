//! URLs.

use url::Url;

use super::scalars::{print, texts};

texts! {
    Url, "a URL", Url::parse, print;
}
