//! A configuration with all resources, from the first apply to the destroy.

use ferroform_testing::cli::Feature;
use ferroform_testing::workspace::PlannedAction;

use crate::{Outcome, workspace};

const MAIN: &str = r#"
resource "postgresql_role" "owner" {
  name = "lifecycle_owner"
}

resource "postgresql_role" "app" {
  name        = "lifecycle.app"
  login       = true
  search_path = ["app", "public"]
}

resource "postgresql_grant_role" "app" {
  role       = postgresql_role.app.name
  grant_role = postgresql_role.owner.name
}

resource "postgresql_database" "shop" {
  name       = "lifecycle_shop"
  owner      = postgresql_role.owner.name
  encoding   = "UTF8"
  lc_collate = "C"
  lc_ctype   = "C"
}

resource "postgresql_schema" "app" {
  name         = "app"
  database     = postgresql_database.shop.name
  owner        = postgresql_role.owner.name
  drop_cascade = true
}

resource "postgresql_extension" "citext" {
  name     = "citext"
  database = postgresql_database.shop.name
  schema   = postgresql_schema.app.name
}

resource "postgresql_function" "increment" {
  name     = "increment"
  database = postgresql_database.shop.name
  schema   = postgresql_schema.app.name
  returns  = "int"
  language = "sql"
  body     = "SELECT i + 1"

  arg {
    name = "i"
    type = "int"
  }
}

resource "postgresql_publication" "all" {
  name       = "all"
  database   = postgresql_database.shop.name
  all_tables = true
}

resource "postgresql_grant" "all" {
  for_each    = { database = ["CONNECT"], schema = ["USAGE"], function = ["EXECUTE"] }
  role        = postgresql_role.app.name
  database    = postgresql_database.shop.name
  schema      = each.key == "database" ? null : postgresql_schema.app.name
  object_type = each.key
  privileges  = each.value

  depends_on = [postgresql_function.increment]
}

resource "postgresql_default_privileges" "tables" {
  role        = postgresql_role.app.name
  database    = postgresql_database.shop.name
  owner       = postgresql_role.owner.name
  object_type = "table"
  privileges  = ["SELECT", "INSERT"]
}
"#;

#[test]
fn all_resources_are_created_changed_imported_and_destroyed() -> Outcome {
    let Some((workspace, server, _)) = workspace(&[])? else { return Ok(()) };
    workspace.write("main.tf", MAIN)?;
    workspace.apply()?;
    workspace.plan()?.expect_empty()?;
    let query =
        "SELECT app.increment(1), has_database_privilege('lifecycle.app', 'lifecycle_shop', 'CONNECT')";
    assert_eq!(server.psql("lifecycle_shop", query), "2|t");

    // Another program revokes a privilege and drops a function.
    server.psql(
        "lifecycle_shop",
        "REVOKE USAGE ON SCHEMA app FROM \"lifecycle.app\"; DROP FUNCTION app.increment",
    );
    let plan = workspace.plan()?;
    assert_eq!(plan.change("postgresql_grant.all[\"schema\"]")?.action, PlannedAction::Create);
    assert_eq!(plan.change("postgresql_function.increment")?.action, PlannedAction::Create);
    workspace.apply()?;
    // The new function lacks the privilege.
    assert_eq!(workspace.plan()?.change("postgresql_grant.all[\"function\"]")?.action, PlannedAction::Update);
    workspace.apply()?;
    workspace.plan()?.expect_empty()?;

    // Changes in place.
    workspace.write(
        "main.tf",
        &MAIN.replace("i + 1", "i + 2").replace("[\"SELECT\", \"INSERT\"]", "[\"SELECT\"]"),
    )?;
    let plan = workspace.plan()?;
    let changed = plan.changes().iter().filter(|it| it.action != PlannedAction::NoOp);
    let changed: Vec<_> = changed.map(|it| (it.address.as_str(), it.action)).collect();
    let update = PlannedAction::Update;
    assert_eq!(
        changed,
        [("postgresql_default_privileges.tables", update), ("postgresql_function.increment", update)]
    );
    workspace.apply()?;
    assert_eq!(server.psql("lifecycle_shop", "SELECT app.increment(1)"), "3");

    for (address, id, ignoring) in [
        ("postgresql_role.app", "lifecycle.app", &[][..]),
        ("postgresql_grant_role.app", "lifecycle.app/lifecycle_owner", &[]),
        ("postgresql_database.shop", "lifecycle_shop", &["template"]),
        ("postgresql_schema.app", "lifecycle_shop.app", &["drop_cascade"]),
        ("postgresql_extension.citext", "lifecycle_shop.citext", &[]),
        ("postgresql_publication.all", "lifecycle_shop.all", &[]),
        ("postgresql_grant.all[\"schema\"]", "lifecycle.app/lifecycle_shop/schema/app", &[]),
        ("postgresql_default_privileges.tables", "lifecycle.app/lifecycle_shop/lifecycle_owner/table", &[]),
        // PostgreSQL returns the types in its own spelling.
        ("postgresql_function.increment", "lifecycle_shop.app.increment(int)", &["arg", "returns"]),
    ] {
        workspace.import_and_verify(address, id, ignoring)?;
    }
    workspace.destroy()?;
    assert_eq!(server.psql("postgres", "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'lifecycle%'"), "0");
    assert_eq!(
        server.psql("postgres", "SELECT count(*) FROM pg_database WHERE datname LIKE 'lifecycle%'"),
        "0"
    );
    Ok(())
}

#[test]
fn objects_are_imported_by_identity() -> Outcome {
    let Some((workspace, server, database)) = workspace(&[Feature::ResourceIdentity])? else { return Ok(()) };
    server.psql(
        &database,
        "CREATE TABLE a (); CREATE TABLE b (); CREATE ROLE identified; GRANT SELECT ON b TO identified",
    );
    workspace.write(
        "main.tf",
        &format!(
            r#"
            import {{
              to       = postgresql_role.a
              identity = {{ name = "identified" }}
            }}
            import {{
              to = postgresql_grant.b
              identity = {{
                role           = "identified"
                database       = "{database}"
                object_type    = "table"
                schema         = "public"
                sorted_objects = ["b"]
                sorted_columns = []
              }}
            }}
            resource "postgresql_role" "a" {{
              name = "identified"
            }}
            resource "postgresql_grant" "b" {{
              role        = postgresql_role.a.name
              database    = "{database}"
              schema      = "public"
              object_type = "table"
              objects     = ["b"]
              privileges  = ["SELECT"]
            }}
            "#
        ),
    )?;
    let plan = workspace.plan()?;
    for address in ["postgresql_role.a", "postgresql_grant.b"] {
        let change = plan.change(address)?;
        assert!(change.is_imported() && change.action == PlannedAction::NoOp, "{plan}");
    }
    workspace.apply()?;
    workspace.plan()?.expect_empty()?;
    server.psql(&database, "DROP OWNED BY identified; DROP ROLE identified");
    Ok(())
}
