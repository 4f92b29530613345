//! Many objects in one apply.

use std::time::Instant;

use crate::{Outcome, workspace};

/// Terraform takes most of the time, which grows with the square of the number.
const COUNT: usize = 500;

/// The test prints the times of the apply, and of the same statements in `psql`, each in a transaction of its own.
#[test]
fn five_hundred_roles_and_their_grants_are_created_in_one_apply() -> Outcome {
    let Some((workspace, server, database)) = workspace(&[])? else { return Ok(()) };
    server.psql(&database, "CREATE TABLE t (); CREATE TABLE u ()");
    // With `count`, each grant would depend on each role, and Terraform would need minutes for the graph.
    let block = |index| {
        format!(
            r#"
            resource "postgresql_role" "many_{index}" {{
              name = "many_{index}"
            }}
            resource "postgresql_grant" "many_{index}" {{
              role        = postgresql_role.many_{index}.name
              database    = "{database}"
              schema      = "public"
              object_type = "table"
              objects     = ["t"]
              privileges  = ["SELECT", "INSERT"]
            }}
            "#
        )
    };
    workspace.write("main.tf", &(0..COUNT).map(block).collect::<String>())?;
    let start = Instant::now();
    workspace.apply()?;
    let applied = start.elapsed();
    let count = "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'many%' AND has_table_privilege(rolname, 't', 'INSERT')";
    assert_eq!(server.psql(&database, count), COUNT.to_string());
    let start = Instant::now();
    workspace.plan()?.expect_empty()?;
    let planned = start.elapsed();

    let statement =
        |index| format!("CREATE ROLE plain_{index};\nGRANT SELECT, INSERT ON TABLE u TO plain_{index};\n");
    std::fs::write("/tmp/many_objects.sql", (0..COUNT).map(statement).collect::<String>())?;
    let (host, port) = (server.socket(), server.port.to_string());
    let start = Instant::now();
    server.run(
        "psql",
        &["-h", &host, "-p", &port, "-U", "postgres", "-d", &database, "-q", "-f", "/tmp/many_objects.sql"],
    );
    println!("{COUNT} roles and grants: apply {applied:?}, plan {planned:?}, psql {:?}", start.elapsed());

    let start = Instant::now();
    workspace.destroy()?;
    println!("{COUNT} roles and grants: destroy {:?}", start.elapsed());
    assert_eq!(server.psql(&database, "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'many%'"), "0");
    Ok(())
}
