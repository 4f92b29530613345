//! The resource `postgresql_function`.

use ferroform::{
    ApplyCx, Args, Attr, Change, Context as _, Diagnostic, FutureContext as _, Known, ListCx, ListResource,
    Maybe, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown, path,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::pool::{Pool, Session};
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// The mode of the argument.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Mode {
    In,
    Out,
    Inout,
    Variadic,
}

/// Whether parallel queries can call the function (`PARALLEL`).
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Parallel {
    Unsafe,
    Restricted,
    Safe,
}

/// How the optimizer can treat calls of the function.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Volatility {
    /// The result can change even within a statement.
    Volatile,
    /// The result does not change within a statement.
    Stable,
    /// The result depends only on the arguments.
    Immutable,
}

/// An argument of the function.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Argument {
    /// The name of the argument.
    name: Option<Name>,
    /// The type of the argument, such as `integer`.
    #[attr(rename = "type")]
    ty: String,
    #[attr(default = Mode::In)]
    mode: Mode,
    /// The default value as an SQL expression.
    default: Option<String>,
}

/// Manages a function.
///
/// The following changes replace the function: adding or removing an argument, changing its name, mode or type, removing its default,
/// and changing the type of the result. Another spelling of the same type, such as `int` instead of `integer`, does not.
///
/// The import ID has the form `{database}.{schema}.{name}({argument_types})`, such as `shop.public.increment(integer)`. Escape each dot and backslash in the name of the database with a
/// backslash: `shop\.eu.public.increment(integer)`.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Function {
    /// The name of the function.
    #[attr(identity, requires_replace)]
    name: Name,
    /// The schema that contains the function. In the `resource` block, it defaults to the current schema of the role that the
    /// provider connects as.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    schema: Name,
    /// The database that contains the function. In the `resource` block, it defaults to the `database` of the provider
    /// configuration.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    database: Name,
    /// The arguments in order.
    #[attr(block)]
    arg: Vec<Argument>,
    /// The type of the result, such as `integer` or `SETOF text`. If omitted, PostgreSQL derives it from the `OUT` and `INOUT`
    /// arguments; without them, it is `void`.
    #[attr(optional, computed, use_state_for_unknown)]
    returns: String,
    /// The language of the body. The case does not matter.
    #[attr(default = "plpgsql", semantic_eq = str::eq_ignore_ascii_case, requires_replace)]
    language: String,
    /// The body, without `AS $$` and `$$`. Functions with a body in standard SQL (`BEGIN ATOMIC`, `RETURN`) are not supported.
    body: String,
    #[attr(default = Parallel::Unsafe)]
    parallel: Parallel,
    /// Whether the function is executed with the privileges of its owner instead of the caller (`SECURITY DEFINER`).
    #[attr(default = false)]
    security_definer: bool,
    /// Whether the function returns null without being called if any argument is null.
    #[attr(default = false)]
    strict: bool,
    #[attr(default = Volatility::Volatile)]
    volatility: Volatility,
    /// The types of the input arguments (`IN`, `INOUT`, `VARIADIC`), in PostgreSQL's canonical form.
    #[attr(computed, use_state_for_unknown, identity, required_for_import)]
    argument_types: Vec<String>,
    /// Whether to drop dependent objects as well (`CASCADE`) when the resource is destroyed.
    #[attr(default = false)]
    drop_cascade: bool,
}

/// The parameters are a schema, a name and the types of the arguments, or nulls for all functions that do not belong to an
/// extension.
const READ: &str = "
    SELECT p.oid, p.oid::regprocedure::text, pg_get_functiondef(p.oid), n.nspname::text, p.proname::text, l.lanname::text, p.prosrc,
        CASE p.proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' ELSE 'UNSAFE' END,
        p.prosecdef, p.proisstrict,
        CASE p.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
        pg_get_function_result(p.oid),
        ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, i) ORDER BY i),
        coalesce(p.proargnames, '{}'),
        ARRAY(SELECT format_type(t, NULL) FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS a(t, i) ORDER BY i),
        coalesce(p.proargmodes::text[], '{}'),
        ARRAY(SELECT pg_get_function_arg_default(p.oid, i::int)
            FROM generate_series(1, cardinality(coalesce(p.proallargtypes, p.proargtypes::oid[]))) AS i ORDER BY i),
        -- Before PostgreSQL 14, the column does not exist.
        to_jsonb(p) ->> 'prosqlbody' IS NOT NULL
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
    WHERE p.prokind = 'f' AND CASE WHEN $1::text IS NULL
        THEN n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
            AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e')
        ELSE n.nspname = $1 AND p.proname = $2::text
            AND ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, i) ORDER BY i)
                = ARRAY(SELECT format_type(to_regtype(t), NULL) FROM unnest($3::text[]) WITH ORDINALITY AS a(t, i) ORDER BY i)
        END
    ORDER BY 2";

/// Converts a row of [`READ`]. The server does not return the other parameters.
fn function(row: &Row, database: Name, drop_cascade: bool) -> Result<Function> {
    let (names, types): (Vec<String>, Vec<String>) = (row.get(13), row.get(14));
    let (modes, defaults): (Vec<String>, Vec<Option<String>>) = (row.get(15), row.get(16));
    let unsupported = |detail: &str| Diagnostic::error("Unsupported Function").detail(detail);
    if row.get(17) {
        let detail = "Functions whose body is not a string (`BEGIN ATOMIC` or `RETURN`) are not supported. Use `AS` with a string.";
        return Err(unsupported(detail).into());
    }
    let argument = |(index, ty): (usize, String)| {
        Ok(Argument {
            name: names.get(index).filter(|it| !it.is_empty()).map(|it| Name::from(&**it)),
            ty,
            mode: match modes.get(index).map(String::as_str) {
                None | Some("i") => Mode::In,
                Some("o") => Mode::Out,
                Some("b") => Mode::Inout,
                Some("v") => Mode::Variadic,
                Some(_) => {
                    let detail = "Functions that return `TABLE` are not supported. Use `SETOF record` with \
                                  arguments of the mode `OUT`.";
                    return Err(unsupported(detail).into());
                }
            },
            default: defaults.get(index).cloned().flatten(),
        })
    };
    Ok(Function {
        name: Name::from(row.get::<_, String>(4)),
        schema: Name::from(row.get::<_, String>(3)),
        database,
        arg: types.into_iter().enumerate().map(argument).collect::<Result<_>>()?,
        returns: row.get(11),
        language: row.get(5),
        body: row.get(6),
        parallel: row.get::<_, &str>(7).parse().context("Unknown Parallel Mode")?,
        security_definer: row.get(8),
        strict: row.get(9),
        volatility: row.get::<_, &str>(10).parse().context("Unknown Volatility")?,
        argument_types: row.get(12),
        drop_cascade,
    })
}

/// The canonical name of a type as SQL. Returns `None` if the type does not exist.
async fn find_type(session: &Session<'_>, ty: &str) -> Result<Option<Sql>> {
    let (prefix, ty) = match ty.split_at_checked(6) {
        Some((prefix, ty)) if prefix.eq_ignore_ascii_case("setof ") => ("SETOF ", ty),
        _ => ("", ty),
    };
    let row = session
        .row("SELECT format_type(to_regtype($1), NULL) WHERE to_regtype($1) IS NOT NULL", &[&ty])
        .await?;
    Ok(row.map(|it| sql!("{}{}", prefix, Sql::returned(it.get(0)))))
}

async fn type_sql(session: &Session<'_>, ty: &str) -> Result<Sql> {
    let found = find_type(session, ty).await?;
    Ok(found.ok_or_else(|| {
        Diagnostic::error("Type Not Found").detail(format!("The type {ty:?} does not exist."))
    })?)
}

/// Whether two spellings mean the same type of a database.
async fn is_same_type(pool: &Pool, database: &Name, first: &str, second: &str) -> Result<bool> {
    if first == second {
        return Ok(true);
    }
    let Some(session) = pool.find(database).await? else { return Ok(false) };
    let (first, second) = (find_type(&session, first).await?, find_type(&session, second).await?);
    Ok(first.is_some() && first == second)
}

/// Rejects text that is not one SQL expression. In a list of arguments, text with an additional `)` could replace the rest of the
/// function.
///
/// PostgreSQL accepts brackets and parentheses only in pairs. Text that ended the brackets of this statement would not be valid within
/// parentheses, and text that ended the parentheses of the list of arguments is not valid within these brackets. `PREPARE` does not
/// evaluate the expression.
async fn validate_expression(session: &Session<'_>, expression: &Sql) -> Result<()> {
    session.execute(sql!("PREPARE expression AS SELECT ARRAY[{}]", expression.clone())).await?;
    session.execute("DEALLOCATE expression").await
}

/// Keeps the prior spelling of a type if it has the same meaning.
async fn keep_type(session: &Session<'_>, found: &mut String, stored: &str) -> Result<()> {
    // An imported function has no prior types, and PostgreSQL reports an error for an empty type name.
    if !stored.is_empty() && find_type(session, stored).await?.is_some_and(|it| it.as_str() == found) {
        stored.clone_into(found);
    }
    Ok(())
}

impl Function {
    async fn row(&self, session: &Session<'_>) -> Result<Option<Row>> {
        session.row(READ, &[&self.schema.as_str(), &self.name.as_str(), &self.argument_types]).await
    }

    /// Resolves the argument types to their canonical names.
    async fn resolve(&mut self, session: &Session<'_>) -> Result<Vec<Sql>> {
        let mut types = Vec::new();
        self.argument_types.clear();
        for (index, argument) in self.arg.iter().enumerate() {
            let ty = type_sql(session, &argument.ty).await.at(path!(arg[index].type))?;
            if argument.mode != Mode::Out {
                self.argument_types.push(ty.as_str().to_owned());
            }
            types.push(ty);
        }
        Ok(types)
    }

    /// Keeps the prior spelling of types with the same meaning, and prior default values, because SQL expressions cannot be
    /// compared.
    async fn keep_spelling(&mut self, session: &Session<'_>, state: &Function) -> Result<()> {
        for (argument, stored) in self.arg.iter_mut().zip(&state.arg) {
            keep_type(session, &mut argument.ty, &stored.ty).await?;
            if argument.default.is_some() && stored.default.is_some() {
                argument.default.clone_from(&stored.default);
            }
        }
        keep_type(session, &mut self.returns, &state.returns).await
    }

    /// The statement `CREATE FUNCTION`, without `RETURNS` if `returns` is unknown.
    async fn create_sql(
        &mut self,
        session: &Session<'_>,
        create: &'static str,
        returns: Option<&str>,
    ) -> Result<Sql> {
        let mut arguments = Vec::new();
        for (index, (ty, argument)) in self.resolve(session).await?.into_iter().zip(&self.arg).enumerate() {
            let name = argument.name.as_ref().map_or(Sql::from(""), Sql::from);
            let default = match argument.default.as_deref().map(Sql::expression) {
                Some(default) => {
                    validate_expression(session, &default).await.at(path!(arg[index].default))?;
                    sql!(" DEFAULT ({})", default)
                }
                None => Sql::from(""),
            };
            arguments.push(sql!("{} {} {}{}", argument.mode.as_str(), name, ty, default));
        }
        let has_results = self.arg.iter().any(|it| matches!(it.mode, Mode::Out | Mode::Inout));
        let returns = match returns {
            Some(it) => sql!("RETURNS {} ", type_sql(session, it).await.at(path!(returns))?),
            None if has_results => Sql::from(""),
            None => Sql::from("RETURNS void "),
        };
        let options = Sql::join(
            [
                self.volatility.as_str(),
                if self.strict { "STRICT" } else { "CALLED ON NULL INPUT" },
                if self.security_definer { "SECURITY DEFINER" } else { "SECURITY INVOKER" },
            ]
            .map(Sql::from),
            " ",
        );
        Ok(sql!(
            "{} {}.{}({}) {}LANGUAGE {} {} PARALLEL {} AS {}",
            create,
            &self.schema,
            &self.name,
            Sql::join(arguments, ", "),
            returns,
            &Name::from(self.language.to_ascii_lowercase()),
            options,
            self.parallel.as_str(),
            Sql::string(&self.body),
        ))
    }
}

/// Whether `CREATE OR REPLACE` can change the arguments. It can change and add defaults, but not remove them.
async fn can_change_arguments(
    pool: &Pool,
    prior: &Function,
    plan: &Maybe<Vec<Maybe<Proposed<Argument>>>>,
) -> Result<bool> {
    let Known(plan) = plan else { return Ok(false) };
    for (prior_argument, plan) in prior.arg.iter().zip(plan) {
        let Known(plan) = plan else { return Ok(false) };
        let Known(ty) = &plan.ty else { return Ok(false) };
        let removes_default = prior_argument.default.is_some() && !matches!(plan.default, Known(Some(_)));
        if plan.name != Known(prior_argument.name.clone())
            || plan.mode != Known(prior_argument.mode)
            || removes_default
            || !is_same_type(pool, &prior.database, &prior_argument.ty, ty).await?
        {
            return Ok(false);
        }
    }
    Ok(prior.arg.len() == plan.len())
}

impl Resource for Function {
    type Provider = Postgresql;

    /// Replaces the function if `CREATE OR REPLACE` cannot make the change.
    async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let (pool, plan) = (&cx.provider.pool, change.plan);
        let Some(prior) = change.prior else { return Ok(plan) };
        async {
            if !can_change_arguments(pool, &prior, &plan.arg).await? {
                cx.requires_replace(path!(arg));
            }
            let has_same_result = match &plan.returns {
                Known(returns) => is_same_type(pool, &prior.database, &prior.returns, returns).await?,
                Unknown => false,
            };
            if !has_same_result {
                cx.requires_replace(path!(returns));
            }
            Ok(())
        }
        .context("Cannot Plan Function")
        .await?;
        Ok(plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FunctionComputed> {
        async {
            let database = plan.database.clone().unwrap_or_else(|| cx.provider.database.clone());
            let session = cx.provider.pool.begin(&database).await?;
            let schema = match plan.schema.as_known() {
                Some(schema) => schema.clone(),
                None => {
                    let row = session.row("SELECT current_schema()::text", &[]).await?;
                    let schema: Option<String> = row.and_then(|it| it.get(0));
                    Name::from(schema.context("No Current Schema").at(path!(schema))?)
                }
            };
            let returns = plan.returns.as_known().cloned();
            let mut function = planned(plan, database, schema, returns.clone().unwrap_or_default())?;
            session
                .execute(function.create_sql(&session, "CREATE FUNCTION", returns.as_deref()).await?)
                .await?;
            let row = function.row(&session).await?.context("Function Not Found")?;
            cx.set_private("definition", &row.get::<_, String>(2))?;
            let returns = returns.unwrap_or_else(|| row.get(11));
            let Function { database, schema, argument_types, .. } = function;
            let computed = FunctionComputed { database, schema, returns, argument_types };
            cx.checkpoint(computed.clone());
            session.commit().await?;
            Ok(computed)
        }
        .context("Cannot Create Function")
        .await
    }

    /// PostgreSQL returns types and expressions in its canonical form, so the prior state is kept if the definition equals the
    /// definition in private state.
    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(None) };
            let Some(row) = state.row(&session).await? else { return Ok(None) };
            if cx.private::<String>("definition")?.is_some_and(|it| it == row.get::<_, String>(2)) {
                return Ok(Some(state));
            }
            let mut found = function(&row, state.database.clone(), state.drop_cascade)?;
            found.keep_spelling(&session, &state).await?;
            Ok(Some(found))
        }
        .context("Cannot Read Function")
        .await
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<FunctionComputed> {
        async {
            let Function { database, schema, returns, .. } = prior;
            let returns = plan.returns.as_known().cloned().unwrap_or(returns);
            let session = cx.provider.pool.begin(&database).await?;
            let mut function = planned(plan, database, schema, returns)?;
            let returns = Some(function.returns.clone());
            let create =
                function.create_sql(&session, "CREATE OR REPLACE FUNCTION", returns.as_deref()).await?;
            session.execute(create).await?;
            let row = function.row(&session).await?.context("Function Not Found")?;
            cx.set_private("definition", &row.get::<_, String>(2))?;
            session.commit().await?;
            let Function { database, schema, returns, argument_types, .. } = function;
            Ok(FunctionComputed { database, schema, returns, argument_types })
        }
        .context("Cannot Update Function")
        .await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(()) };
            let session = session.begin().await?;
            if let Some(row) = state.row(&session).await? {
                let cascade = if state.drop_cascade { " CASCADE" } else { "" };
                session.execute(sql!("DROP FUNCTION {}{}", Sql::returned(row.get(1)), cascade)).await?;
            }
            session.commit().await
        }
        .context("Cannot Drop Function")
        .await
    }

    async fn import(cx: &ReadCx<Self>, id: String) -> Result<Self> {
        let invalid = || {
            let form = "{database}.{schema}.{name}({argument_types})";
            let detail =
                format!("The import ID {id:?} of postgresql_function does not have the form {form}.");
            Diagnostic::error("Invalid Import ID").detail(detail)
        };
        let (database, signature) = split_database(&id).ok_or_else(invalid)?;
        let session = cx.provider.pool.connect(&database).await?;
        let query = "SELECT n.nspname::text, p.proname::text, ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, i) ORDER BY i)
                     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = to_regprocedure($1)";
        let row = session.row(query, &[&signature]).await.context("Invalid Import ID")?;
        let row = row.ok_or_else(|| {
            let detail =
                format!("The function {signature:?} does not exist in the database {:?}.", database.as_str());
            Diagnostic::error("Function Not Found").detail(detail)
        })?;
        Ok(Function {
            name: Name::from(row.get::<_, String>(1)),
            schema: Name::from(row.get::<_, String>(0)),
            database,
            arg: Vec::new(),
            returns: String::new(),
            language: "plpgsql".into(),
            body: String::new(),
            parallel: Parallel::Unsafe,
            security_definer: false,
            strict: false,
            volatility: Volatility::Volatile,
            argument_types: row.get(2),
            drop_cascade: false,
        })
    }
}

/// Splits an import ID at the first dot that is not escaped.
fn split_database(id: &str) -> Option<(Name, &str)> {
    let (mut database, mut characters) = (String::new(), id.chars());
    loop {
        match characters.next()? {
            '.' => return Some((database.parse().ok()?, characters.as_str())),
            '\\' => database.push(characters.next()?),
            character => database.push(character),
        }
    }
}

/// The planned function, with the values that are unknown in the plan.
fn planned(plan: Planned<Function>, database: Name, schema: Name, returns: String) -> Result<Function> {
    let arguments = plan.arg.into_iter().map(Argument::try_from).collect::<Result<_, _>>()?;
    Ok(Function {
        name: plan.name,
        schema,
        database,
        arg: arguments,
        returns,
        language: plan.language,
        body: plan.body,
        parallel: plan.parallel,
        security_definer: plan.security_definer,
        strict: plan.strict,
        volatility: plan.volatility,
        argument_types: Vec::new(),
        drop_cascade: plan.drop_cascade,
    })
}

/// Lists the functions of a database, except system functions and functions of extensions.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Functions {
    /// The database. Defaults to the `database` of the provider configuration.
    database: Option<Name>,
}

impl ListResource for Functions {
    type Resource = Function;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let database = args.database.unwrap_or_else(|| cx.provider.database.clone());
        let session = cx.provider.pool.connect(&database).await?;
        let all = None::<&str>;
        let rows =
            session.rows(READ, &[&all, &all, &None::<Vec<String>>]).await.context("Cannot List Functions")?;
        for row in rows {
            let display_name = format!("{database}.{}", row.get::<_, &str>(1));
            match function(&row, database.clone(), false) {
                Ok(function) => cx.send(cx.listed(function, display_name)?).await?,
                // An error would hide all other functions.
                Err(error) => {
                    let detail = format!("The function {display_name} is not listed. {error}");
                    cx.report(Diagnostic::warning("Function Not Listed").detail(detail));
                }
            }
        }
        Ok(())
    }
}
