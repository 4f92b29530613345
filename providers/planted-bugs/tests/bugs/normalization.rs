//! Values that the service, or the conversion to its types, changes.

use super::prelude::*;

/// Declares a module with a note whose only input is `value`. The service stores what `$store` returns. With the bug, two
/// values are equal if they are the same, and otherwise if `$same` returns true.
macro_rules! normalizing_service {
    (
        $(#[$comment:meta])*
        $name:ident: $ty:ty, $store:expr, $same:expr, [$($violated:ident),*],
        lifecycle: $($life:expr),*; exposed_by: $($expose_bug:expr),*
    ) => {
        $(#[$comment])*
        pub mod $name {
            use super::*;

            #[derive(Model, Clone, Debug, PartialEq)]
            pub struct Note {
                #[attr(computed, use_state_for_unknown)]
                id: String,
                #[attr(semantic_eq = is_equal)]
                value: $ty,
            }

            fn is_equal(a: &$ty, b: &$ty) -> bool {
                let same: fn(&$ty, &$ty) -> bool = $same;
                a == b || !PLANTED && same(a, b)
            }

            fn stored(value: $ty) -> Note {
                let store: fn($ty) -> $ty = $store;
                Note { id: String::new(), value: store(value) }
            }

            impl Resource for Note {
                type Provider = Cloud;

                async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
                    Ok(NoteComputed { id: cx.provider.notes.insert(&stored(plan.value)).await? })
                }

                async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
                    cx.provider.notes.replace(&prior.id, &stored(plan.value)).await?;
                    Ok(NoteComputed { id: prior.id })
                }

                correct!(read);
                correct!(delete);
            }

            cloud_in_memory! { resource Note = "cloud_note" }

            impl Bug for Cloud {
                const VIOLATES: &[Invariant] = &[
                    Invariant::RefreshIsIdempotent,
                    Invariant::PlanIsEmptyAfterApply,
                    $(Invariant::$violated),*
                ];

                fn lifecycle(harness: &Harness) {
                    let mut note = harness.resource("cloud_note");
                    $(note.apply($life);)*
                    note.destroy();
                }

                fn expose_bug(harness: &Harness, _: Option<&Service>) {
                    let mut note = harness.resource("cloud_note");
                    $(note.apply($expose_bug);)*
                }
            }
        }
    };
}

normalizing_service! {
    /// The service stores names in lowercase.
    name_is_lowercased: String, |name| name.to_lowercase(), |a, b| a.to_lowercase() == b.to_lowercase(),
    [NormalizedValuesAreConsistent, BoundaryValuesRoundTrip], lifecycle: config! { value = "a" }, config! { value = "b-1" };
    exposed_by: config! { value = "A" }
}

normalizing_service! {
    /// The service removes white space at the start and the end of a text.
    text_is_trimmed: String, |text| text.trim().to_owned(), |a, b| a.trim() == b.trim(),
    [NormalizedValuesAreConsistent, BoundaryValuesRoundTrip], lifecycle: config! { value = "a b" }, config! { value = "c" };
    exposed_by: config! { value = "a\n" }
}

normalizing_service! {
    /// The service sorts the elements of a list. The author's test has a sorted one.
    list_is_sorted: Vec<String>, sorted, |a, b| sorted(a.clone()) == sorted(b.clone()),
    [NormalizedValuesAreConsistent], lifecycle: config! { value = ["a", "b"] }, config! { value = ["a", "b", "c"] };
    exposed_by: config! { value = ["b", "a"] }
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

normalizing_service! {
    /// The service stores each element once.
    duplicates_are_removed: Vec<String>, without_duplicates, |a, b| {
        without_duplicates(a.clone()) == without_duplicates(b.clone())
    },
    [NormalizedValuesAreConsistent, BoundaryValuesRoundTrip], lifecycle: config! { value = ["b", "a"] }, config! { value = ["a"] };
    exposed_by: config! { value = ["a", "a"] }
}

fn without_duplicates(mut list: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    list.retain(|it| seen.insert(it.clone()));
    list
}

normalizing_service! {
    /// The service stores the keys of labels in lowercase.
    map_keys_are_lowercased: BTreeMap<String, String>, lowercase_keys, |a, b| {
        lowercase_keys(a.clone()) == lowercase_keys(b.clone())
    },
    [NormalizedValuesAreConsistent], lifecycle: config! { value = { env = "Test" } }, config! { value = {} };
    exposed_by: config! { value = { Env = "test" } }
}

fn lowercase_keys(map: BTreeMap<String, String>) -> BTreeMap<String, String> {
    map.into_iter().map(|(key, value)| (key.to_lowercase(), value)).collect()
}

normalizing_service! {
    /// The client sends numbers as floats with 53 bits.
    large_integer_is_rounded: i64, |number| if PLANTED { number as f64 as i64 } else { number }, |_, _| false,
    [BoundaryValuesRoundTrip], lifecycle: config! { value = 1 }, config! { value = -1_000_000 };
    exposed_by: config! { value = 9_007_199_254_740_993_i64 }
}

normalizing_service! {
    /// The service gets the number as a string with two decimal places.
    fraction_is_rounded: f64, |number| if PLANTED { format!("{number:.2}").parse().unwrap() } else { number },
    |_, _| false, [BoundaryValuesRoundTrip], lifecycle: config! { value = 0.5 }, config! { value = 12.25 };
    exposed_by: config! { value = 0.125 }
}

normalizing_service! {
    /// The client sends a 32-bit number.
    number_is_truncated: u64, |number| if PLANTED { u64::from(number as u32) } else { number }, |_, _| false,
    [BoundaryValuesRoundTrip], lifecycle: config! { value = 80 }, config! { value = 65_535 };
    exposed_by: config! { value = 4_294_967_296_u64 }
}

normalizing_service! {
    /// The service stores at most 64 characters.
    long_text_is_truncated: String, |text| if PLANTED { text.chars().take(64).collect() } else { text }, |_, _| false,
    [BoundaryValuesRoundTrip], lifecycle: config! { value = "a" }, config! { value = "several words" };
    exposed_by: config! { value = "x".repeat(65) }
}

/// The service does not distinguish an empty list from none, so `read` has to.
pub mod empty_list_becomes_null {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        tags: Option<Vec<String>>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create tags);
        correct!(update tags);
        correct!(delete);

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let Some(note) = cx.provider.notes.get(&state.id).await? else { return Ok(None) };
            let tags = note.tags.filter(|it| !it.is_empty());
            let tags = if PLANTED { tags } else { tags.or(state.tags.map(|_| Vec::new())) };
            Ok(Some(Note { id: state.id, tags }))
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[
            Invariant::RefreshIsIdempotent,
            Invariant::PlanIsEmptyAfterApply,
            Invariant::BoundaryValuesRoundTrip,
        ];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { tags = ["a"] });
            note.apply(config! {});
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").apply(config! { tags = [] });
        }
    }
}
