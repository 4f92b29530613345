//! Existing objects for `terraform query`.

use ferroform_testing::cli::Feature;

use crate::{Outcome, workspace};

#[test]
fn existing_objects_are_listed_with_their_configuration() -> Outcome {
    let Some((workspace, server, database)) = workspace(&[Feature::ListResources])? else { return Ok(()) };
    server.psql(
        &database,
        "CREATE SCHEMA listed; CREATE EXTENSION citext SCHEMA listed; CREATE PUBLICATION listed;
         CREATE FUNCTION listed.f(i int) RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE ROLE listed; GRANT listed TO postgres",
    );
    let kinds = ["database", "role", "grant_role", "schema", "extension", "publication", "function"];
    let block = |kind: &&str| {
        format!(
            "list \"postgresql_{kind}\" \"all\" {{\n  provider         = postgresql\n  limit            = 10000\n  include_resource = true\n}}\n"
        )
    };
    workspace.write("all.tfquery.hcl", &kinds.iter().map(block).collect::<String>())?;
    let found = workspace.query()?;
    for expected in [
        database.clone(),
        "listed".into(),
        "postgres in listed".into(),
        format!("{database}.listed"),
        format!("{database}.citext"),
        format!("{database}.listed.f(integer)"),
    ] {
        assert!(found.iter().any(|it| it.display_name == expected), "{expected}");
    }
    server.psql(&database, "DROP ROLE listed");
    Ok(())
}
