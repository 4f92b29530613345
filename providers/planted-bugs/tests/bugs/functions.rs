//! Bugs in functions.

use super::prelude::*;

/// A function is called in each plan and apply, so its result must not depend on the time.
pub mod function_depends_on_time {
    use super::*;

    /// Returns the name of a backup.
    #[derive(Parameters)]
    pub struct BackupName {
        /// The name of the object.
        name: String,
        /// The day.
        day: u64,
    }

    impl Function for BackupName {
        type Output = String;

        async fn call(self, cx: &RequestCx) -> Result<String> {
            let now = cx.clock().system_time().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            let day = if PLANTED { now.as_secs() / 86_400 } else { self.day };
            Ok(format!("{}-{day}", self.name))
        }
    }

    ferroform_testing::provider! { pub Cloud { function BackupName = "backup_name" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FunctionIsPure];

        fn lifecycle(harness: &Harness) {
            let name: String = harness.function("backup_name").call(config! { name = "a", day = 1 });
            assert!(name.starts_with("a-"));
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let name = harness.function("backup_name");
            let first: String = name.call(config! { name = "a", day = 1 });
            harness.clock().advance(Duration::from_secs(86_400));
            assert_eq!(name.call::<String>(config! { name = "a", day = 1 }), first);
        }
    }
}

/// The function accepts an unknown suffix, and takes it for none.
pub mod function_takes_unknown_for_null {
    use super::*;

    /// Returns the name with a suffix.
    #[derive(Parameters)]
    pub struct WithSuffix {
        /// The name.
        name: String,
        /// The suffix.
        suffix: Maybe<Option<String>>,
    }

    impl Function for WithSuffix {
        type Output = Maybe<String>;

        async fn call(self, _: &RequestCx) -> Result<Maybe<String>> {
            Ok(match self.suffix {
                Known(Some(suffix)) => Known(format!("{}-{suffix}", self.name)),
                Unknown if !PLANTED => Unknown,
                Known(None) | Unknown => Known(self.name),
            })
        }
    }

    ferroform_testing::provider! { pub Cloud { function WithSuffix = "with_suffix" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FunctionIsPure, Invariant::UnknownValuesAreAccepted];

        fn lifecycle(harness: &Harness) {
            let with_suffix = harness.function("with_suffix");
            assert_eq!(with_suffix.call::<String>(config! { name = "a", suffix = "b" }), "a-b");
            assert_eq!(with_suffix.call::<String>(config! { name = "a", suffix = null }), "a");
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let with_suffix = harness.function("with_suffix");
            let result: Maybe<String> = with_suffix.call(config! { name = "a", suffix = unknown() });
            assert!(result.is_unknown());
        }
    }
}
