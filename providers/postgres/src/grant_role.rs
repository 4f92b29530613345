//! The resource `postgresql_grant_role`.

use ferroform::{
    ApplyCx, Args, Context as _, FutureContext as _, ListCx, ListResource, Model, Planned, ReadCx, Resource,
    Result,
};

use crate::name::Name;
use crate::provider::Postgresql;
use crate::sql::sql;

/// Manages the membership of a role in another role. Other memberships are not changed.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{role}/{grant_role}")]
pub(crate) struct GrantRole {
    /// The member.
    #[attr(identity, requires_replace)]
    role: Name,
    /// The role whose membership is granted.
    #[attr(identity, requires_replace)]
    grant_role: Name,
    /// Whether the member can grant the membership to other roles (`WITH ADMIN OPTION`).
    #[attr(default = false)]
    with_admin_option: bool,
}

/// Since PostgreSQL 16, several roles can grant the same membership. The parameters are two names, or nulls for all memberships.
const READ: &str = "
    SELECT r.rolname::text, g.rolname::text, bool_or(m.admin_option)
    FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member JOIN pg_roles g ON g.oid = m.roleid
    WHERE ($1::text IS NULL AND r.rolname !~ '^pg_') OR (r.rolname = $1::text AND g.rolname = $2::text)
    GROUP BY 1, 2 ORDER BY 1, 2";

impl Resource for GrantRole {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<GrantRoleComputed> {
        let option = if plan.with_admin_option { " WITH ADMIN OPTION" } else { "" };
        async {
            let session = cx.provider.pool.begin(&cx.provider.database).await?;
            session.execute(sql!("GRANT {} TO {}{}", &plan.grant_role, &plan.role, option)).await?;
            session.commit().await
        }
        .context("Cannot Grant Membership")
        .await?;
        Ok(GrantRoleComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let session = cx.provider.pool.connect(&cx.provider.database).await?;
        let names = (state.role.as_str(), state.grant_role.as_str());
        let row = session.row(READ, &[&names.0, &names.1]).await.context("Cannot Read Membership")?;
        Ok(row.map(|it| GrantRole { with_admin_option: it.get(2), ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<GrantRoleComputed> {
        if prior.with_admin_option && !plan.with_admin_option {
            async {
                let session = cx.provider.pool.begin(&cx.provider.database).await?;
                session
                    .execute(sql!("REVOKE ADMIN OPTION FOR {} FROM {}", &plan.grant_role, &plan.role))
                    .await?;
                session.commit().await
            }
            .context("Cannot Revoke Admin Option")
            .await?;
            return Ok(GrantRoleComputed {});
        }
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        async {
            let session = cx.provider.pool.begin(&cx.provider.database).await?;
            if session.exists(READ, &[&state.role.as_str(), &state.grant_role.as_str()]).await? {
                session.execute(sql!("REVOKE {} FROM {}", &state.grant_role, &state.role)).await?;
            }
            session.commit().await
        }
        .context("Cannot Revoke Membership")
        .await
    }
}

/// Lists the memberships, except those of system roles.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct GrantRoles {}

impl ListResource for GrantRoles {
    type Resource = GrantRole;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        let session = cx.provider.pool.connect(&cx.provider.database).await?;
        let all = None::<&str>;
        for row in session.rows(READ, &[&all, &all]).await.context("Cannot List Memberships")? {
            let name = |column| Name::from(row.get::<_, String>(column));
            let membership = GrantRole { role: name(0), grant_role: name(1), with_admin_option: row.get(2) };
            let display_name = format!("{} in {}", membership.role, membership.grant_role);
            cx.send(cx.listed(membership, display_name)?).await?;
        }
        Ok(())
    }
}
