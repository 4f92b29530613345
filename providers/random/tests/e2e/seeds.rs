//! A seed produces the results that the acceptance tests of the original expect.

use serde_json::json;

use crate::{Outcome, workspace};

#[test]
fn seeds_produce_results_of_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        r#"
        locals {
          input = ["a", "b", "c", "d", "e"]
        }
        resource "random_integer" "small" {
          min  = 1
          max  = 3
          seed = "12345"
        }
        resource "random_integer" "large" {
          min  = 7227701560655103597
          max  = 7227701560655103598
          seed = 12345
        }
        resource "random_shuffle" "all" {
          input = local.input
          seed  = "-"
        }
        resource "random_shuffle" "shorter" {
          input        = local.input
          seed         = "-"
          result_count = 3
        }
        resource "random_shuffle" "longer" {
          input        = local.input
          seed         = "-"
          result_count = 12
        }
        output "results" {
          value = [
            random_integer.small.result, random_integer.large.id,
            join("", random_shuffle.all.result), join("", random_shuffle.shorter.result), join("", random_shuffle.longer.result),
          ]
        }
        "#,
    )?;
    workspace.apply()?;
    let expected = json!([3, "7227701560655103598", "acbed", "acb", "acbedaedcbab"]);
    assert_eq!(workspace.output("results")?, expected);
    assert!(workspace.plan()?.is_empty());
    Ok(())
}
