//! The probe providers in a workspace.

use std::fs;
use std::path::PathBuf;

use ferroform_testing::cli::{Cli, Json, Result, Workspace};

/// What a test answers: `?` on every error, printed as it reads.
pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// One of the two providers, which differ in their name and their protocol only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) name: &'static str,
    pub(crate) binary: &'static str,
}

/// On protocol 6.
pub(crate) const SIX: Probe = Probe { name: "probe", binary: env!("CARGO_BIN_EXE_terraform-provider-probe") };
/// On protocol 5.
pub(crate) const FIVE: Probe =
    Probe { name: "probefive", binary: env!("CARGO_BIN_EXE_terraform-provider-probefive") };

/// Makes of each function a test for each protocol.
macro_rules! on_both_protocols {
    ($($scenario:ident)+) => {
        mod protocol6 {
            $(#[test]
            fn $scenario() -> crate::common::Outcome {
                super::$scenario(crate::common::SIX)
            })+
        }
        mod protocol5 {
            $(#[test]
            fn $scenario() -> crate::common::Outcome {
                super::$scenario(crate::common::FIVE)
            })+
        }
    };
}
pub(crate) use on_both_protocols;

impl Probe {
    pub(crate) fn address(self) -> String {
        format!("registry.terraform.io/ferroform/{}", self.name)
    }

    /// A workspace with the provider in it, its objects in the folder `things`; none where there is no CLI.
    pub(crate) fn bench(self) -> Result<Option<Bench>> {
        let Some(cli) = Cli::for_test() else {
            return Ok(None);
        };
        self.bench_in(Workspace::new(&cli)?.provider(&self.address(), self.binary)?).map(Some)
    }

    pub(crate) fn bench_in(self, space: Workspace) -> Result<Bench> {
        let bench = Bench { probe: self, space };
        bench.space.write("provider.tf", &bench.own("provider \"probe\" {\n  folder = \"things\"\n}\n"))?;
        Ok(bench)
    }
}

/// A provider, and a workspace to try it in.
pub(crate) struct Bench {
    pub(crate) probe: Probe,
    pub(crate) space: Workspace,
}

impl Bench {
    /// The text with the provider's own name in place of `probe`.
    pub(crate) fn own(&self, text: &str) -> String {
        text.replace("probe", self.probe.name)
    }

    /// Writes `main.tf`, with the provider's own name in place of `probe`.
    pub(crate) fn configure(&self, text: &str) -> Result<()> {
        self.space.write("main.tf", &self.own(text))
    }

    /// Where an object is.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.space.path().join("things").join(format!("{name}.json"))
    }

    pub(crate) fn object(&self, name: &str) -> Result<Json, Box<dyn std::error::Error>> {
        Ok(serde_json::from_slice(&fs::read(self.file(name))?)?)
    }

    /// Changes an object behind the provider's back.
    pub(crate) fn drift(&self, name: &str, attribute: &str, value: impl Into<Json>) -> Outcome {
        let mut object = self.object(name)?;
        object[attribute] = value.into();
        // A provider that reads it meanwhile finds one or the other, never half.
        let new = self.file(&format!("{name}.new"));
        fs::write(&new, object.to_string())?;
        Ok(fs::rename(new, self.file(name))?)
    }
}
