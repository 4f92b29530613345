//! The documentation that `cargo ferroform docs` generates: the committed pages, and the command itself.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::path::Path;

use cargo_ferroform::Output;
use expect_test::expect;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-local");

/// Its transcripts are the output of these tests.
const GUIDE: &str = include_str!("../../../docs/docs-command.md");

/// Runs `cargo ferroform docs` in a directory next to `examples` and `templates`.
fn docs(directory: &Path, options: &[&str]) -> Output {
    let mut args =
        vec!["docs".into(), BINARY.into(), "--docs-dir".into(), directory.join("docs").into_os_string()];
    args.extend(options.iter().map(Into::into));
    cargo_ferroform::run(args, Vec::new())
}

/// Writes a file into a directory.
fn write(directory: &Path, name: &str, content: &str) {
    let file = directory.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

/// To update the pages: `cargo ferroform docs --docs-dir providers/local/docs target/debug/terraform-provider-local`.
#[test]
fn committed_pages_match_the_schema() {
    let output = docs(Path::new(env!("CARGO_MANIFEST_DIR")), &["--check"]);
    assert_eq!((&*output.stdout, &*output.stderr, output.code), ("", "", 0));
}

#[test]
fn guide_shows_a_committed_page() {
    assert!(GUIDE.contains(include_str!("../docs/functions/direxists.md")));
}

/// The registry and other sites link to these sections of the original provider's page.
#[test]
fn resource_page_has_the_sections_of_the_original_provider() {
    let page = include_str!("../docs/resources/file.md");
    let is_section = |line: &&str| {
        (line.starts_with('#') && !line.starts_with("# The ID"))
            || line.starts_with("page_title")
            || line.starts_with("- `")
    };
    let section = |line: &str| line.split(") ").next().unwrap_or_default().to_owned();
    let sections: Vec<String> = page.lines().filter(is_section).map(section).collect();
    expect![[r#"
        page_title: "local_file Resource - terraform-provider-local"
        # local_file (Resource)
        ## Example Usage
        ## Schema
        ### Required
        - `filename` (String
        ### Optional
        - `content` (String
        - `content_base64` (String
        - `directory_permission` (String
        - `file_permission` (String
        - `sensitive_content` (String, Sensitive, Deprecated
        - `source` (String
        ### Read-Only
        - `content_base64sha256` (String
        - `content_base64sha512` (String
        - `content_md5` (String
        - `content_sha1` (String
        - `content_sha256` (String
        - `content_sha512` (String
        - `id` (String
        ## Import"#]]
    .assert_eq(&sections.join("\n"));
}

#[test]
fn check_reports_changed_missing_and_stale_pages() {
    let directory = tempfile::tempdir().unwrap();
    let page = |name: &str| directory.path().join("docs").join(name);
    let output = docs(directory.path(), &[]);
    assert_eq!(output.code, 0);
    assert!(GUIDE.contains(&output.stdout), "the guide shows {}", output.stdout);
    assert_eq!(docs(directory.path(), &["--check"]), docs(directory.path(), &[]), "the output is stable");

    let file = fs::read_to_string(page("resources/file.md")).unwrap();
    fs::write(page("resources/file.md"), file.replace("### Optional", "### Other")).unwrap();
    fs::rename(page("functions/direxists.md"), page("functions/old.md")).unwrap();
    fs::create_dir(page("guides")).unwrap();
    fs::write(page("guides/start.md"), "by hand").unwrap();
    let output = docs(directory.path(), &["--check"]);
    assert_eq!(output.code, 1);
    assert!(GUIDE.contains(&output.stdout), "the guide shows {}", output.stdout);
    expect![[r#"
        functions/direxists.md is missing
        resources/file.md:22 is not up to date
        functions/old.md describes a type that does not exist
    "#]]
    .assert_eq(&output.stdout);

    let output = docs(directory.path(), &[]);
    assert_eq!(output.code, 0);
    expect![[r#"
        wrote functions/direxists.md
        wrote resources/file.md
        removed functions/old.md
    "#]]
    .assert_eq(&output.stdout);
    assert_eq!(fs::read_to_string(page("guides/start.md")).unwrap(), "by hand");
}

#[test]
fn pages_that_were_not_generated_are_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "docs/resources/file.md", "by hand");
    let output = docs(directory.path(), &[]);
    assert_eq!(output.code, 1);
    assert!(
        output.stderr.contains("file.md exists, but this command has not generated it"),
        "{}",
        output.stderr
    );
    assert!(!directory.path().join("docs/index.md").exists(), "no page is written");
}

#[test]
fn programs_that_are_not_providers_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| cargo_ferroform::run(args.iter().map(Into::into).collect(), Vec::new());
    let directory = directory.path().to_str().unwrap();
    let output = run(&["docs", "--docs-dir", directory, "--provider-type", "x", "no/such/program"]);
    assert_eq!((output.code, output.stderr.starts_with("error: ")), (1, true), "{}", output.stderr);
    let output = run(&["docs", "--docs-dir", directory, "cargo"]);
    assert!(output.stderr.contains("set --provider-type"), "{}", output.stderr);
    assert_eq!(run(&["docs"]).code, 2);
}

#[test]
fn examples_are_shown_after_validation() {
    let directory = tempfile::tempdir().unwrap();
    let example = |content: &str| {
        write(directory.path(), "examples/resources/local_file/resource.tf", content);
        docs(directory.path(), &["--check"])
    };
    let valid =
        "resource \"local_file\" \"a\" {\n  count    = 2\n  filename = var.name\n  content  = \"x\"\n}\n";
    let other = "resource \"random_id\" \"b\" {\n  nonsense = 1\n}\n";
    assert_eq!(example(&format!("{valid}{other}")).stderr, "");
    docs(directory.path(), &[]);
    let page = fs::read_to_string(directory.path().join("docs/resources/file.md")).unwrap();
    assert!(page.contains("## Example Usage\n\n```terraform\nresource \"local_file\" \"a\" {\n"), "{page}");

    // The mistakes that Terraform reports.
    let output = example(
        "resource \"local_file\" \"a\" {\n  filname = \"a\"\n  content = [1]\n}\nresource \"local_disk\" \"b\" {}\n\
         output \"c\" {\n  value = provider::local::exists(\"a\")\n}\nresource \"local_file\" {\n  content = \n}\n",
    );
    assert_eq!(output.code, 1);
    expect![[r#"
        error: examples/resources/local_file/resource.tf:1: Missing required argument: The argument "filename" is required, but no definition was found.
        error: examples/resources/local_file/resource.tf:2: Unsupported argument: An argument named "filname" is not expected here. Did you mean "filename"?
        error: examples/resources/local_file/resource.tf:3: Incorrect attribute value type: Inappropriate value for attribute "content": string required, but have tuple.
        error: examples/resources/local_file/resource.tf:5: the provider has no resource "local_disk"
        error: examples/resources/local_file/resource.tf:7: the provider has no function "exists"
        error: examples/resources/local_file/resource.tf:10: Invalid expression: Expected an expression.
    "#]]
    .assert_eq(&output.stderr);

    // References to the provider's own objects. Those to a local name of a `for` expression are not checked.
    let output = example(
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content  = \"x\"\n}\noutput \"b\" {\n  value = local_file.a.size\n}\n\
         output \"c\" {\n  value = [for it in data.local_file.b : it.nonsense]\n}\noutput \"d\" {\n  value = \
         data.local_file.b[0].nonsense\n}\noutput \"e\" {\n  value = [provider::local::direxists(), \
         provider::local::direxists(local_file.a.filename)]\n}\n",
    );
    expect![[r#"
        error: examples/resources/local_file/resource.tf:6: the resource "local_file" has no attribute "size"
        error: examples/resources/local_file/resource.tf:12: the data source "local_file" has no attribute "nonsense"
        error: examples/resources/local_file/resource.tf:15: the function "direxists" requires 1 argument, but got 0
    "#]].assert_eq(&output.stderr);

    // Those that the provider reports, with its warnings.
    let output = example(
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content = \"x\"\n\n  file_permission = \"999\"\n}\n",
    );
    assert!(GUIDE.contains(&output.stderr), "the guide shows {}", output.stderr);
    let output = example(
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content  = \"x\"\n  id       = \"b\"\n}\n",
    );
    expect![[r#"
        error: examples/resources/local_file/resource.tf:4: Invalid Configuration for Read-Only Attribute: Only the provider sets "id". Remove it from the configuration.
    "#]]
    .assert_eq(&output.stderr);
    let output =
        example("resource \"local_file\" \"a\" {\n  filename = \"a\"\n  sensitive_content = \"x\"\n}\n");
    expect![[r#"
        warning: examples/resources/local_file/resource.tf:3: Attribute Deprecated: Use the `local_sensitive_file` resource instead
    "#]]
    .assert_eq(&output.stderr);

    write(directory.path(), "examples/data-sources/local_disk/data-source.tf", "");
    let output = example(valid);
    expect![[r#"
        error: examples/data-sources/local_disk: the provider has no data source "local_disk"
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn templates_replace_the_default_pages() {
    let directory = tempfile::tempdir().unwrap();
    write(
        directory.path(),
        "examples/resources/local_file/import.sh",
        "terraform import local_file.a a.txt\n",
    );
    write(
        directory.path(),
        "templates/resources.md.tmpl",
        "# {{ .Type }} {{.Name}}\n{{ if .HasImport -}}\n{{ codefile \"shell\" .ImportFile }}\n{{- end }}\n\
         {{ .SchemaMarkdown | trimspace }}\n",
    );
    write(
        directory.path(),
        "templates/resources/sensitive_file.md.tmpl",
        "# {{ .ProviderShortName | upper }}\n",
    );
    write(directory.path(), "templates/guides/start.md.tmpl", "{{ tffile \"examples/start.tf\" }}\n");
    write(directory.path(), "examples/start.tf", "output \"a\" {}\n");
    write(directory.path(), "templates/guides/end.md", "The {{ end }}.\n");
    // As HashiCorp's tool does: complete pages with the other extensions of the registry, and files of other kinds.
    write(directory.path(), "templates/data-sources/file.html.markdown", "{{ complete }}\n");
    write(directory.path(), "templates/.gitkeep", "");
    let image = [0x89, b'P', b'N', b'G', 0xff];
    fs::write(directory.path().join("templates/guides/shelf.png"), image).unwrap();
    assert_eq!(docs(directory.path(), &[]).stderr, "");
    let page = |name: &str| fs::read_to_string(directory.path().join("docs").join(name)).unwrap();
    let file = page("resources/file.md");
    assert!(
        file.starts_with("# Resource local_file\n```shell\nterraform import local_file.a a.txt\n```\n"),
        "{file}"
    );
    assert_eq!(page("resources/sensitive_file.md"), "# LOCAL\n");
    assert_eq!(page("guides/start.md"), "```terraform\noutput \"a\" {}\n```\n");
    assert_eq!(page("guides/end.md"), "The {{ end }}.\n");
    assert_eq!(page("data-sources/file.html.markdown"), "{{ complete }}\n");
    assert!(!directory.path().join("docs/data-sources/file.md").exists());
    assert!(!directory.path().join("docs/.gitkeep").exists());
    assert_eq!(fs::read(directory.path().join("docs/guides/shelf.png")).unwrap(), image);
    assert_eq!(docs(directory.path(), &["--check"]).code, 0);

    // A page with a template can be generated again.
    write(directory.path(), "templates/resources/sensitive_file.md.tmpl", "# {{ .Name }}\n");
    assert_eq!(docs(directory.path(), &[]).stdout, "wrote resources/sensitive_file.md\n");

    write(directory.path(), "templates/resources/sensitive_file.md.tmpl", "# {{ .Name }}\n\n{{ .Kind }}\n");
    let output = docs(directory.path(), &[]);
    let start = "error: templates/resources/sensitive_file.md.tmpl:3: this page has no field .Kind; it has: .Description, ";
    assert!(output.stderr.starts_with(start) && output.code == 1, "{}", output.stderr);

    fs::remove_file(directory.path().join("templates/resources/sensitive_file.md.tmpl")).unwrap();
    write(directory.path(), "templates/data-sources/disk.md.tmpl", "x");
    let output = docs(directory.path(), &[]);
    assert_eq!(
        output.stderr,
        "error: templates/data-sources/disk.md.tmpl: the provider has no data source \"disk\"\n"
    );
}

#[test]
fn help_shows_examples_and_closed_streams_are_no_errors() {
    let output = cargo_ferroform::run(vec!["docs".into(), "--help".into()], Vec::new());
    assert!(output.stdout.contains("cargo ferroform docs --check"), "{}", output.stdout);
    /// A stream that is closed, as a pipe to `head` is.
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let docs = directory.path().join("docs");
    let args = vec!["docs".into(), BINARY.into(), "--docs-dir".into(), docs.clone().into_os_string()];
    assert_eq!(cargo_ferroform::run_to(args, Vec::new(), &mut Closed, &mut Closed), 0);
    assert!(docs.join("index.md").exists());
}
