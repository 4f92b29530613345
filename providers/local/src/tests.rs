//! Unit tests of the provider in process.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use ferroform::{Diagnostics, path};
use ferroform_testing::{Action, Configuration, Harness, Instance, SchemaLock, config, unknown};
use tempfile::TempDir;

use crate::Local;
#[cfg(unix)]
use crate::permission::umask;

/// A provider under test and a temporary directory for its files.
struct Fixture {
    directory: TempDir,
    harness: Harness,
}

impl Fixture {
    fn new() -> Fixture {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Fixture { directory, harness: Harness::start::<Local>(config! {}) }
    }

    fn file(&self) -> Instance {
        self.harness.resource("local_file")
    }

    fn sensitive_file(&self) -> Instance {
        self.harness.resource("local_sensitive_file")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Compares the output with a snapshot in which `dir` replaces the path of the temporary directory.
    fn check(&self, output: impl ToString, expected: Expect) {
        let directory = self.directory.path().display().to_string();
        expected.assert_eq(&output.to_string().replace(&directory, "dir"));
    }
}

#[test]
fn stored_states_stay_readable() {
    SchemaLock::of::<Local>().check("schemas.lock");
}

#[test]
fn file_is_created_replaced_and_destroyed() {
    let fixture = Fixture::new();
    let path = fixture.path("deep/down/a.txt");
    let config = |content: &str| config! { filename = &*path, content = content };
    let mut file = fixture.file();

    fixture.check(
        file.plan(config("one")),
        expect![[r#"
            create
            + filename = "dir/deep/down/a.txt"
            + content = "one"
            + file_permission = "0777"
            + directory_permission = "0777"
            + id = (known after apply)
            + content_md5 = (known after apply)
            + content_sha1 = (known after apply)
            + content_sha256 = (known after apply)
            + content_base64sha256 = (known after apply)
            + content_sha512 = (known after apply)
            + content_base64sha512 = (known after apply)"#]],
    );
    assert!(!path.exists(), "a plan does not create the file");

    file.apply(config("one"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    assert_eq!(file.state().get::<String>(path!(id)), "fe05bcdcdc4928012781a5f1a2a77cbb5398e106");
    assert_eq!(file.state().get::<String>(path!(content_md5)), "f97c5d29941bfb1b2fdab0874906ab82");

    fixture.check(
        file.apply(config("two")),
        expect![[r#"
            replace
            ~ content = "one" -> "two" # forces replacement
            ~ id = "fe05bcdcdc4928012781a5f1a2a77cbb5398e106" -> (known after apply)
            ~ content_md5 = "f97c5d29941bfb1b2fdab0874906ab82" -> (known after apply)
            ~ content_sha1 = "fe05bcdcdc4928012781a5f1a2a77cbb5398e106" -> (known after apply)
            ~ content_sha256 = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed" -> (known after apply)
            ~ content_base64sha256 = "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=" -> (known after apply)
            ~ content_sha512 = "05f70341078acf6a06d423d21720f9643d5f953626d88a02636dc3a9e79582aeb0c820857fd3f8dc502aa8360d2c8fa97a985fda5b629b809cad18ffb62d3899" -> (known after apply)
            ~ content_base64sha512 = "BfcDQQeKz2oG1CPSFyD5ZD1flTYm2IoCY23DqeeVgq6wyCCFf9P43FAqqDYNLI+pephf2ltim4CcrRj/ti04mQ==" -> (known after apply)"#]],
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");

    file.destroy();
    assert!(!path.exists() && !file.exists());
}

#[test]
fn changed_or_deleted_file_is_recreated() {
    let fixture = Fixture::new();
    let path = fixture.path("a.txt");
    let config = || config! { filename = &*path, content = "mine" };
    let mut file = fixture.file();
    for cause_drift in [|it: &PathBuf| fs::write(it, "theirs"), |it: &PathBuf| fs::remove_file(it)] {
        file.apply(config());
        cause_drift(&path).unwrap();
        assert_eq!(file.refresh().action, Action::Delete);
        assert!(!file.exists());
        assert_eq!(file.plan(config()).action, Action::Create);
        file.apply(config());
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    }
}

#[cfg(unix)]
#[test]
fn permissions_are_octal_strings_compared_semantically() {
    let fixture = Fixture::new();
    let path = fixture.path("new/a.txt");
    let config = |mode: &str| {
        config! { filename = &*path, content = "a", file_permission = mode, directory_permission = "0700" }
    };
    let mut file = fixture.file();
    file.apply(config("0640"));
    assert_eq!((mode_of(&path), mode_of(path.parent().unwrap())), (0o640, 0o700));

    // A semantically equal value is not a change; the state keeps the prior value.
    assert_eq!(file.apply(config("640")).action, Action::NoOp);
    assert_eq!(file.state().get::<String>(path!(file_permission)), "0640");
    assert_eq!(file.plan(config("600")).action, Action::Replace);

    // A number is converted to a string and loses its leading zero, as in Terraform.
    assert_eq!(
        file.plan(
            config! { filename = &*path, content = "a", file_permission = 640, directory_permission = 700 }
        )
        .action,
        Action::NoOp
    );
}

#[cfg(unix)]
#[test]
fn values_that_the_original_accepts_are_accepted() {
    let fixture = Fixture::new();
    let path = fixture.path("a.bin");
    for (mode, bits) in [("+644", 0o644), ("-000", 0), ("077", 0o077)] {
        // The unused bits of the last character are not zero.
        let config = || config! { filename = &*path, content_base64 = "AP9=", file_permission = mode };
        let mut file = fixture.file();
        file.apply(config());
        assert_eq!(mode_of(&path), bits & !umask(), "{mode}");
        assert_eq!(file.plan(config()).action, Action::NoOp);
        assert_eq!(file.state().get::<String>(path!(file_permission)), mode);
        assert_eq!(file.state().get::<String>(path!(content_base64)), "AP9=");
        file.destroy();
    }
    for mode in ["+7777", "-001", "1777", "64", "00644", "0o64", "06_4"] {
        let config = config! { filename = &*path, content = "a", file_permission = mode };
        let errors = fixture.file().try_apply(config).error();
        assert_eq!(path_and_summary(&errors), "file_permission: Invalid Attribute Value", "{mode}");
    }
}

/// Returns the permission bits of a file or directory.
#[cfg(unix)]
fn mode_of(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;

    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn path_with_parent_directory_creates_no_other_directory() {
    let fixture = Fixture::new();
    let missing = fixture.path("missing/../a.txt");
    let mut file = fixture.file();
    let errors = file.try_apply(config! { filename = &*missing, content = "a" }).error();
    fixture.check(
        path_and_summary(&errors),
        expect![[r#"filename: Cannot write the file "dir/missing/../a.txt""#]],
    );
    assert!(!fixture.path("missing").exists());

    fs::create_dir(fixture.path("directory")).unwrap();
    file.apply(config! { filename = fixture.path("directory/../new/./a.txt"), content = "a" });
    assert_eq!(fs::read_to_string(fixture.path("new/a.txt")).unwrap(), "a");
}

#[test]
fn binary_content_is_written_from_base64() {
    let fixture = Fixture::new();
    let path = fixture.path("a.bin");
    let mut file = fixture.file();
    file.apply(config! { filename = &*path, content_base64 = "AP8=" });
    assert_eq!(fs::read(&path).unwrap(), [0, 255]);
    let wrapped = file.apply(config! { filename = &*path, content_base64 = "AP\n8=\n" });
    assert_eq!(wrapped.action, Action::NoOp);
}

#[test]
fn file_is_copied_from_its_source() {
    let fixture = Fixture::new();
    let (source, path) = (fixture.path("source"), fixture.path("copy"));
    fs::write(&source, "from there").unwrap();
    let mut file = fixture.file();
    file.apply(config! { filename = &*path, source = &*source });
    assert_eq!(fs::read_to_string(&path).unwrap(), "from there");
}

#[test]
fn existing_file_is_imported_by_its_path() {
    let fixture = Fixture::new();
    let path = fixture.path("a.txt");
    let mut file = fixture.file();
    file.apply(config! { filename = &*path, content = "hello", file_permission = "0644" });

    let mut imported = fixture.file();
    imported.import(&path.display().to_string());
    assert_eq!(imported.state(), file.state());
    let again = config! { filename = &*path, content = "hello", file_permission = "0644" };
    assert_eq!(imported.plan(again).action, Action::NoOp);

    // The file does not contain the permissions before the umask, and the directory may be older than the file.
    for mode in [None, Some("0777"), Some("0666"), Some("0600")] {
        let path = fixture.path(&format!("directory-{mode:?}/a.txt"));
        let config = || {
            config! { filename = &*path, content = "hello", file_permission = mode, directory_permission = "0700" }
        };
        fixture.file().apply(config());
        let mut imported = fixture.file();
        imported.import(&path.display().to_string());
        fs::write(&path, "hello").unwrap();
        assert_eq!(imported.apply(config()).action, Action::Update, "{mode:?}");
        assert_eq!(imported.state().get::<String>(path!(file_permission)), mode.unwrap_or("0777"));
        assert_eq!(imported.plan(config()).action, Action::NoOp);
    }
    let other = config! { filename = &*path, content = "hello", file_permission = "0600" };
    assert_eq!(imported.plan(other).action, Action::Replace);

    fixture.check(
        fixture.file().try_import(&fixture.path("none").display().to_string()).error(),
        expect![[r#"File Not Found: There is no file at "dir/none". The import ID of a file is its path."#]],
    );
    fixture.check(
        fixture.sensitive_file().try_import("a").error(),
        expect![[r#"Resource Import Not Implemented: local_sensitive_file does not support import."#]],
    );
}

#[test]
fn invalid_values_are_rejected_with_their_attribute_path() {
    let fixture = Fixture::new();
    let path = fixture.path("a.txt");
    let check = |config: Configuration, expected: Expect| {
        fixture.check(fixture.file().try_apply(config).error(), expected);
        assert!(!path.exists());
    };
    check(
        config! { content = "a" },
        expect![[
            r#"filename: Missing required argument: The argument "filename" is required, but no definition was found."#
        ]],
    );
    check(
        config! { filename = null, content = "a" },
        expect![[
            r#"filename: Missing Configuration for Required Attribute: The argument "filename" is required, but it is not set."#
        ]],
    );
    check(
        config! { filename = &*path },
        expect![[
            r#"content: Invalid Attribute Combination: Exactly one of "content", "sensitive_content", "content_base64", "source" must be set, but none is set."#
        ]],
    );
    check(
        config! { filename = &*path, content = "a", source = "b" },
        expect![[
            r#"content: Invalid Attribute Combination: Exactly one of "content", "sensitive_content", "content_base64", "source" must be set, but "content" and "source" are set."#
        ]],
    );
    check(
        config! { filename = &*path, content = "a", file_permission = "rwx", directory_permission = "0999" },
        expect![[r#"
            file_permission: Invalid Attribute Value: "rwx" is a bad mode permission: it must have three or four octal digits such as "0644".
            directory_permission: Invalid Attribute Value: "0999" is a bad mode permission: it must have three or four octal digits such as "0644"."#]],
    );
    check(
        config! { filename = &*path, content_base64 = "!" },
        expect![
            "content_base64: Invalid Attribute Value: base64 is required, but this is not: Invalid symbol 33, offset 0."
        ],
    );
    check(
        config! { filename = ["a"], content = "a", contents = "b" },
        expect![[r#"
            contents: Unsupported argument: An argument named "contents" is not expected here. Did you mean "content"?
            filename: Incorrect attribute value type: Inappropriate value for attribute "filename": string required, but have tuple."#]],
    );
    check(
        config! { filename = &*path, content = "a", id = "mine" },
        expect![[
            r#"id: Invalid Configuration for Read-Only Attribute: Only the provider sets "id". Remove it from the configuration."#
        ]],
    );
}

#[test]
fn failed_write_is_reported_at_the_filename() {
    let fixture = Fixture::new();
    fs::write(fixture.path("file"), "").unwrap();
    let mut file = fixture.file();
    let errors = file.try_apply(config! { filename = fixture.path("file/below"), content = "a" }).error();
    fixture
        .check(path_and_summary(&errors), expect![[r#"filename: Cannot write the file "dir/file/below""#]]);
    assert!(!file.exists());
    let errors =
        file.try_apply(config! { filename = fixture.path("a"), source = fixture.path("none") }).error();
    fixture.check(path_and_summary(&errors), expect![[r#"source: Cannot read the file "dir/none""#]]);
}

/// Returns the attribute path and the summary of the first error. The detail depends on the operating system.
fn path_and_summary(errors: &Diagnostics) -> String {
    let it = errors.iter().next().expect("an error");
    format!("{}: {}", it.path.clone().unwrap_or_default(), it.summary)
}

#[test]
fn sensitive_content_is_redacted_in_plans_and_states() {
    let fixture = Fixture::new();
    let path = fixture.path("a.txt");
    let config = |content: &str| config! { filename = &*path, content = content };
    let mut file = fixture.sensitive_file();
    let plan = file.apply(config("hunter22"));
    assert!(plan.to_string().contains("+ content = (sensitive value)"), "{plan}");
    let plan = file.apply(config("hunter23"));
    assert_eq!(plan.action, Action::Replace);
    assert!(!format!("{plan:?}{:?}", file.state()).contains("hunter"));

    let deprecated = fixture.file().plan(config! { filename = &*path, sensitive_content = "hunter22" });
    fixture.check(
        deprecated.warnings,
        expect![[
            r#"sensitive_content: Attribute Deprecated: Use the `local_sensitive_file` resource instead"#
        ]],
    );
}

#[test]
fn plan_succeeds_if_any_configured_value_is_unknown() {
    let fixture = Fixture::new();
    let path = fixture.path("a.txt");
    let config = || config! { filename = &*path, content = "a", file_permission = "0600" };
    let mut file = fixture.file();
    assert_eq!(file.plan_with_unknowns(config()), 7);
    file.apply(config());
    assert_eq!(file.plan_with_unknowns(config()), 7);

    let mut other = fixture.file();
    let first = config! { filename = fixture.path("b"), content = unknown() };
    other.apply_once_known(first, config! { filename = fixture.path("b"), content = "b" });
    assert_eq!(fs::read_to_string(fixture.path("b")).unwrap(), "b");
}

#[test]
fn data_sources_read_files() {
    let fixture = Fixture::new();
    fs::write(fixture.path("a"), [b'a', 0xff]).unwrap();
    let content = fixture.harness.data_source("local_file").read(config! { filename = fixture.path("a") });
    assert_eq!(content.get::<String>(path!(content)), "a\u{fffd}");
    assert_eq!(content.get::<String>(path!(content_base64)), "Yf8=");

    let secret =
        fixture.harness.data_source("local_sensitive_file").read(config! { filename = fixture.path("a") });
    assert!(secret.to_string().contains("content = (sensitive value)"));
    assert_eq!(secret.get::<String>(path!(id)), content.get::<String>(path!(id)));

    // A character of three bytes whose last byte is missing.
    fs::write(fixture.path("b"), [b'a', 0xe2, 0x82, b'b', 0xe2, 0x82, 0xac]).unwrap();
    let content = fixture.harness.data_source("local_file").read(config! { filename = fixture.path("b") });
    assert_eq!(content.get::<String>(path!(content)), "a\u{fffd}\u{fffd}b€");

    let errors = fixture
        .harness
        .data_source("local_file")
        .try_read(config! { filename = fixture.path("none") })
        .error();
    fixture.check(errors, expect![[r#"filename: File Not Found: There is no file at "dir/none"."#]]);
}

#[cfg(unix)]
#[test]
fn directory_is_found_by_a_function() {
    let fixture = Fixture::new();
    let direxists = fixture.harness.function("direxists");
    fs::write(fixture.path("file"), "").unwrap();
    std::os::unix::fs::symlink(fixture.path("file"), fixture.path("link")).unwrap();
    std::os::unix::fs::symlink(fixture.directory.path(), fixture.path("directory")).unwrap();
    assert!(direxists.call::<bool>(config! { path = fixture.directory.path() }));
    assert!(direxists.call::<bool>(config! { path = fixture.path("directory/../directory/") }));
    assert!(!direxists.call::<bool>(config! { path = fixture.path("missing") }));
    assert_eq!(direxists.call::<ferroform::Maybe<bool>>(config! { path = unknown() }), ferroform::Unknown);
    for (path, expected) in [
        ("file", expect![[r#"argument 1: "dir/file" was found, but is not a directory"#]]),
        ("link", expect![[r#"argument 1: "dir/link" was found, but is not a directory"#]]),
        (
            "file/below",
            expect![[
                r#"argument 1: cannot check whether the directory "dir/file/below" exists: Not a directory (os error 20)"#
            ]],
        ),
    ] {
        fixture.check(direxists.try_call::<bool>(config! { path = fixture.path(path) }).error(), expected);
    }
    fixture.check(
        direxists.try_call::<bool>(config! { path = null }).error(),
        expect!["argument 1: argument must not be null"],
    );
}

#[test]
fn provider_violates_no_invariant() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let paths = || ["a.txt", "deep/b.txt", "c.txt"].map(|it| directory.path().join(it));
    ferroform_testing::ProviderCheck::<Local>::new()
        .values("local_file", path!(filename), paths())
        .values("local_file", path!(source), paths())
        .values("local_sensitive_file", path!(filename), paths())
        .values("local_sensitive_file", path!(source), paths())
        // The permissions before the umask, and those of directories, exist only in the state.
        .not_read("local_file", path!(file_permission))
        .not_read("local_file", path!(directory_permission))
        .example("local_command", config! { command = "cat", stdin = "a" })
        // A file overwrites another one with the same name, as in the original. So with `create_before_destroy`, the
        // deletion of the old file deletes the new one.
        .skip(ferroform_testing::Invariant::ReplacementIsComplete)
        .run();
}
