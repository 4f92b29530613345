//! Sweepers: functions that delete the remote objects that earlier test runs left behind.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;

use crate::cli::skip;

/// The environment variable with the targets to sweep, such as regions or accounts, separated by commas.
const TARGETS: &str = "FERROFORM_SWEEP";
/// The environment variable with the names of the sweepers to run, separated by commas. Their dependencies run too.
const NAMES: &str = "FERROFORM_SWEEP_RUN";

type Sweep = Box<dyn Fn(&str) -> Result<(), Box<dyn Error>>>;

/// Functions that delete the remote objects that earlier test runs left behind, for example because the machine was turned
/// off. Each one deletes the objects of a type whose names show that a test created them.
///
/// A test runs them. It does nothing unless the environment variable `FERROFORM_SWEEP` contains the targets to sweep, such as
/// regions or accounts: `FERROFORM_SWEEP=eu,us cargo test sweep`.
///
/// ```no_run
/// # fn delete_test_disks(region: &str) -> std::io::Result<()> { Ok(()) }
/// # fn delete_test_servers(region: &str) -> std::io::Result<()> { Ok(()) }
/// use ferroform_testing::Sweepers;
///
/// // #[test]
/// fn sweep() {
///     Sweepers::new()
///         .add("servers", &[], |region| Ok(delete_test_servers(region)?))
///         // A disk cannot be deleted while a server uses it.
///         .add("disks", &["servers"], |region| Ok(delete_test_disks(region)?))
///         .run();
/// }
/// ```
#[derive(Default)]
pub struct Sweepers {
    all: BTreeMap<String, Sweeper>,
}

struct Sweeper {
    dependencies: Vec<String>,
    sweep: Sweep,
}

impl Sweepers {
    /// Creates an empty set of sweepers.
    pub fn new() -> Sweepers {
        Sweepers::default()
    }

    /// Adds a sweeper, which runs after the sweepers with the names in `dependencies`. `sweep` receives the target.
    ///
    /// # Panics
    ///
    /// Panics if there is a sweeper with this name.
    #[track_caller]
    #[must_use]
    pub fn add(
        mut self,
        name: &str,
        dependencies: &[&str],
        sweep: impl Fn(&str) -> Result<(), Box<dyn Error>> + 'static,
    ) -> Sweepers {
        let dependencies = dependencies.iter().map(|it| (*it).to_owned()).collect();
        let previous = self.all.insert(name.to_owned(), Sweeper { dependencies, sweep: Box::new(sweep) });
        assert!(previous.is_none(), "there are two sweepers with the name {name}");
        self
    }

    /// Runs the sweepers for each target in `FERROFORM_SWEEP`. If `FERROFORM_SWEEP_RUN` is set, runs only the sweepers with
    /// these names and their dependencies. If a sweeper fails, the sweepers that depend on it are skipped, and all others run.
    ///
    /// # Panics
    ///
    /// Panics if a sweeper fails, with all errors. Panics if `FERROFORM_SWEEP_RUN` or a dependency names a sweeper
    /// that does not exist, or if the dependencies contain a cycle.
    #[track_caller]
    pub fn run(self) {
        let list = |name: &str| {
            let text = env::var(name).unwrap_or_default();
            text.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect::<Vec<_>>()
        };
        let targets = list(TARGETS);
        if targets.is_empty() {
            return skip(&format!("{TARGETS} is not set"));
        }
        let errors: Vec<String> = targets.iter().flat_map(|it| self.sweep(it, &list(NAMES))).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }

    /// Sweeps a target, and returns the errors.
    fn sweep(&self, target: &str, names: &[String]) -> Vec<String> {
        let order = match self.order(names) {
            Ok(order) => order,
            Err(error) => return vec![error],
        };
        let mut errors = Vec::new();
        let mut failed: Vec<&str> = Vec::new();
        for name in order {
            let Some(sweeper) = self.all.get(name) else { continue };
            let error = match sweeper.dependencies.iter().find(|it| failed.contains(&it.as_str())) {
                Some(dependency) => format!("skipped, because its dependency {dependency} failed"),
                None => match (sweeper.sweep)(target) {
                    Ok(()) => {
                        eprintln!("swept {name} in {target}");
                        continue;
                    }
                    Err(error) => error.to_string(),
                },
            };
            failed.push(name);
            errors.push(format!("{name} in {target}: {error}"));
        }
        errors
    }

    /// Returns the names of the sweepers and of their dependencies, in the order in which they run.
    fn order<'a>(&'a self, names: &'a [String]) -> Result<Vec<&'a str>, String> {
        let mut order = Vec::new();
        let all: Vec<&str> = match names {
            [] => self.all.keys().map(String::as_str).collect(),
            names => names.iter().map(String::as_str).collect(),
        };
        for name in all {
            self.visit(name, &mut Vec::new(), &mut order)?;
        }
        Ok(order)
    }

    fn visit<'a>(
        &'a self,
        name: &'a str,
        path: &mut Vec<&'a str>,
        order: &mut Vec<&'a str>,
    ) -> Result<(), String> {
        if order.contains(&name) {
            return Ok(());
        }
        let is_cycle = path.contains(&name);
        path.push(name);
        if is_cycle {
            return Err(format!("the sweepers have a cyclic dependency: {}", path.join(" -> ")));
        }
        let Some(sweeper) = self.all.get(name) else {
            return Err(format!("there is no sweeper with the name {name}"));
        };
        for dependency in &sweeper.dependencies {
            self.visit(dependency, path, order)?;
        }
        path.pop();
        order.push(name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Sweepers that record their runs, and of which `broken` fails.
    fn recording(all: &[(&str, &[&str])]) -> (Sweepers, Rc<RefCell<Vec<String>>>) {
        let runs = Rc::<RefCell<Vec<String>>>::default();
        let sweepers = all.iter().fold(Sweepers::new(), |sweepers, (name, dependencies)| {
            let (runs, name) = (Rc::clone(&runs), (*name).to_owned());
            sweepers.add(&name.clone(), dependencies, move |target| {
                runs.borrow_mut().push(format!("{name} in {target}"));
                if name == "broken" { Err("access denied".into()) } else { Ok(()) }
            })
        });
        (sweepers, runs)
    }

    #[test]
    fn dependencies_run_first() {
        let (sweepers, runs) = recording(&[("a", &["c"]), ("b", &[]), ("c", &["d"]), ("d", &[])]);
        assert_eq!(sweepers.sweep("eu", &[]), [""; 0]);
        assert_eq!(*runs.borrow(), ["d in eu", "c in eu", "a in eu", "b in eu"]);
        runs.borrow_mut().clear();
        assert_eq!(sweepers.sweep("us", &["c".to_owned()]), [""; 0]);
        assert_eq!(*runs.borrow(), ["d in us", "c in us"]);
    }

    #[test]
    fn dependents_of_failed_sweeper_are_skipped() {
        let (sweepers, runs) = recording(&[("a", &["broken"]), ("b", &[]), ("broken", &[])]);
        let expected =
            ["broken in eu: access denied", "a in eu: skipped, because its dependency broken failed"];
        assert_eq!(sweepers.sweep("eu", &[]), expected);
        assert_eq!(*runs.borrow(), ["broken in eu", "b in eu"]);
    }

    #[test]
    fn unknown_names_and_cycles_are_errors() {
        let (sweepers, _) = recording(&[("a", &["b"]), ("b", &["a"]), ("c", &["x"])]);
        assert_eq!(
            sweepers.sweep("eu", &["a".to_owned()]),
            ["the sweepers have a cyclic dependency: a -> b -> a"]
        );
        assert_eq!(sweepers.sweep("eu", &["c".to_owned()]), ["there is no sweeper with the name x"]);
    }
}
