//! UUIDs, equal in whatever form they are written.

use uuid::Uuid;

use super::scalars::{print, texts};

texts! {
    Uuid, "a UUID", Uuid::parse_str, print;
}
