//! Bugs in validators.

use super::prelude::*;

/// An unknown address counts as omitted, so a configuration that refers to a resource that does not exist yet is rejected.
pub mod unknown_is_null_in_validation {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        address: Option<String>,
        phone: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
            let is_set = |value: &Maybe<Option<String>>| match value {
                Known(value) => value.is_some(),
                Unknown => !PLANTED,
            };
            if !is_set(&config.address) && !is_set(&config.phone) {
                return Err(Diagnostic::error("Missing Address").detail("Set `address` or `phone`.").into());
            }
            Ok(())
        }

        correct!(create address phone);
        correct!(read);
        correct!(update address phone);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::UnknownValuesAreAccepted];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.try_apply(config! {}).error();
            note.apply(config! { address = "a" });
            note.apply(config! { phone = "1" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").plan(config! { address = unknown() });
        }
    }
}

/// The validator panics for an empty name.
pub mod panic_in_validator {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(validate = starts_with_lowercase)]
        name: String,
    }

    fn starts_with_lowercase(name: &str) -> Result<(), &'static str> {
        let first = if PLANTED { Some(name.chars().next().unwrap()) } else { name.chars().next() };
        match first {
            Some('a'..='z') => Ok(()),
            _ => Err("a lowercase letter at the start is required"),
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create name);
        correct!(read);
        correct!(update name);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] =
            &[Invariant::InvalidConfigurationIsRejected, Invariant::ValidConfigurationCanBeApplied];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.try_apply(config! { name = "A" }).error();
            note.apply(config! { name = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let errors = harness.resource("cloud_note").try_plan(config! { name = "" }).error();
            assert!(!errors.iter().any(|it| it.is_provider_bug()), "{errors}");
        }
    }
}

/// The sum of two large numbers overflows.
pub mod overflow_in_validation {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        start: u64,
        length: u64,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
            let (Known(start), Known(length)) = (config.start, config.length) else { return Ok(()) };
            let end = if PLANTED { start + length } else { start.saturating_add(length) };
            if end > 1000 {
                let detail = "The end is after line 1000.";
                return Err(Diagnostic::error("Invalid Range").detail(detail).at(path!(length)).into());
            }
            Ok(())
        }

        correct!(create start length);
        correct!(read);
        correct!(update start length);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::NothingPanics, Invariant::InvalidConfigurationIsRejected];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.try_apply(config! { start = 999, length = 2 }).error();
            note.apply(config! { start = 1, length = 2 });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let range = config! { start = 1, length = u64::MAX };
            let errors = harness.resource("cloud_note").try_plan(range).error();
            assert!(!errors.iter().any(|it| it.is_provider_bug()), "{errors}");
        }
    }
}
