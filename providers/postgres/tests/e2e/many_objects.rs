//! Many objects in one apply.

use std::env;
use std::fs;
use std::time::{Duration, Instant};

use crate::{Outcome, workspace};

/// Prints the times, and the time of the same statements in `psql`, each in its own transaction. Terraform takes most of the
/// time, which grows with the square of the number, so a measurement sets the number of roles and of grants in
/// `FERROFORM_MANY_OBJECTS`. All grants are on the same table.
#[test]
fn many_roles_and_grants_are_created_in_one_apply() -> Outcome {
    let Some((workspace, server, database)) = workspace(&[])? else { return Ok(()) };
    let workspace = workspace.command_timeout(Duration::from_secs(600));
    // The number of roles, and of grants.
    let count: usize = env::var("FERROFORM_MANY_OBJECTS").map_or(Ok(100), |it| it.parse())?;
    server.psql(&database, "CREATE TABLE t (); CREATE TABLE u ()");
    // With `count`, each grant would depend on each role, and Terraform would need minutes for the graph.
    let role =
        |index| format!("resource \"postgresql_role\" \"many_{index}\" {{\n  name = \"many_{index}\"\n}}\n");
    let grant = |index| {
        format!(
            r#"
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
    workspace.write("main.tf", &(0..count).map(role).chain((0..count).map(grant)).collect::<String>())?;
    let start = Instant::now();
    workspace.apply()?;
    let applied = start.elapsed();
    let counts = "SELECT count(*), count(*) FILTER (WHERE has_table_privilege(rolname, 't', 'INSERT'))
                  FROM pg_roles WHERE rolname LIKE 'many%'";
    assert_eq!(server.psql(&database, counts), format!("{count}|{count}"));
    let start = Instant::now();
    let plan = workspace.run(&["plan", "-detailed-exitcode"])?;
    let planned = start.elapsed();
    plan.expect_success()?;
    let start = Instant::now();
    workspace.destroy()?;
    let destroyed = start.elapsed();
    assert_eq!(server.psql(&database, counts), "0|0");

    let create_role = |index| format!("CREATE ROLE plain_{index};\n");
    let grant = |index| format!("GRANT SELECT, INSERT ON TABLE u TO plain_{index};\n");
    let drop_role = |index| format!("DROP OWNED BY plain_{index};\nDROP ROLE plain_{index};\n");
    let created = (0..count).map(create_role).chain((0..count).map(grant)).collect::<String>();
    let mut times = Vec::new();
    for statements in [created, (0..count).map(drop_role).collect()] {
        let file = server.file("statements.sql");
        fs::write(&file, statements)?;
        let (host, port) = (server.socket(), server.port.to_string());
        let start = Instant::now();
        server.run("psql", &["-h", &host, "-p", &port, "-U", "postgres", "-d", &database, "-q", "-f", &file]);
        times.push(start.elapsed());
    }
    println!(
        "{count} roles, {count} grants: apply {applied:?}, plan {planned:?}, destroy {destroyed:?}, psql {times:?}"
    );
    Ok(())
}
