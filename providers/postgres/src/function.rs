//! The resource `postgresql_function`.

use ferroform::{
    ApplyCx, Args, Attr, Context as _, Diagnostic, ListCx, ListResource, Model, Planned, ReadCx, Resource,
    Result, path,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::pool::Session;
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// The direction of an argument.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Mode {
    In,
    Out,
    Inout,
    Variadic,
}

/// Whether parallel queries can call the function.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Parallel {
    Unsafe,
    Restricted,
    Safe,
}

/// Whether the result depends only on the arguments.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Volatility {
    /// The result can change at any time.
    Volatile,
    /// The result does not change within a statement.
    Stable,
    /// The result never changes.
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
    /// The default value: an expression in SQL.
    default: Option<String>,
}

/// A function.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Function {
    /// The name of the function.
    #[attr(identity, requires_replace)]
    name: Name,
    /// The schema that contains the function. If it is omitted, it is the current schema of the user of the provider.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    schema: Name,
    /// The database that contains the function. If it is omitted, it is the database of the `provider` block.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    database: Name,
    /// The arguments in their order.
    #[attr(block, requires_replace)]
    arg: Vec<Argument>,
    /// The type of the result, such as `integer` or `SETOF text`. If it is omitted, it follows from the arguments with the mode
    /// `OUT` or `INOUT`, or it is `void`.
    #[attr(optional, computed, use_state_for_unknown, requires_replace)]
    returns: String,
    /// The language of the body.
    #[attr(default = Name::from("plpgsql"), requires_replace)]
    language: Name,
    /// The body, without `AS $$` and `$$`.
    body: String,
    #[attr(default = Parallel::Unsafe)]
    parallel: Parallel,
    /// Whether the function has the privileges of its owner instead of those of its caller.
    #[attr(default = false)]
    security_definer: bool,
    /// Whether the result is null if an argument is null, without a call.
    #[attr(default = false)]
    strict: bool,
    #[attr(default = Volatility::Volatile)]
    volatility: Volatility,
    /// The types of the arguments that a call has, as PostgreSQL writes them.
    #[attr(computed, use_state_for_unknown, identity, required_for_import)]
    argument_types: Vec<String>,
    /// Whether a destroy drops the objects that depend on the function.
    #[attr(default = false)]
    drop_cascade: bool,
}

/// The parameters are a schema, a name and the types of the arguments, or nulls for all functions that no extension contains.
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
            FROM generate_series(1, cardinality(coalesce(p.proallargtypes, p.proargtypes::oid[]))) AS i ORDER BY i)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
    WHERE p.prokind = 'f' AND CASE WHEN $1::text IS NULL
        THEN n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
            AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e')
        ELSE n.nspname = $1 AND p.proname = $2::text
            AND ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, i) ORDER BY i)
                = ARRAY(SELECT format_type(to_regtype(t), NULL) FROM unnest($3::text[]) WITH ORDINALITY AS a(t, i) ORDER BY i)
        END
    ORDER BY 2";

/// The function of a row of [`READ`], with what the server does not return.
fn function(row: &Row, database: Name, drop_cascade: bool) -> Result<Function> {
    let (names, types): (Vec<String>, Vec<String>) = (row.get(13), row.get(14));
    let (modes, defaults): (Vec<String>, Vec<Option<String>>) = (row.get(15), row.get(16));
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
                    return Err(Diagnostic::error("Functions That Return TABLE Are Not Supported").into());
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
        language: Name::from(row.get::<_, String>(5)),
        body: row.get(6),
        parallel: row.get::<_, &str>(7).parse().context("Unknown Parallel Mode")?,
        security_definer: row.get(8),
        strict: row.get(9),
        volatility: row.get::<_, &str>(10).parse().context("Unknown Volatility")?,
        argument_types: row.get(12),
        drop_cascade,
    })
}

/// The SQL of a type, as the server writes it. `None` if it does not exist.
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
    find_type(session, ty).await?.context(format!("Type {ty} Does Not Exist"))
}

/// Keeps the spelling of a type in the state.
async fn keep_type(session: &Session<'_>, found: &mut String, stored: &str) -> Result<()> {
    // No type has an empty name, which PostgreSQL reports as an error. An imported function has it before it is read.
    if !stored.is_empty() && find_type(session, stored).await?.is_some_and(|it| it.as_str() == found) {
        stored.clone_into(found);
    }
    Ok(())
}

impl Function {
    async fn row(&self, session: &Session<'_>) -> Result<Option<Row>> {
        session.row(READ, &[&self.schema.as_str(), &self.name.as_str(), &self.argument_types]).await
    }

    /// Resolves the types of the arguments.
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

    /// Keeps types that the state spells in another way, and default values, whose spelling cannot be compared.
    async fn keep_spelling(&mut self, session: &Session<'_>, state: &Function) -> Result<()> {
        for (argument, stored) in self.arg.iter_mut().zip(&state.arg) {
            keep_type(session, &mut argument.ty, &stored.ty).await?;
            if argument.default.is_some() && stored.default.is_some() {
                argument.default.clone_from(&stored.default);
            }
        }
        keep_type(session, &mut self.returns, &state.returns).await
    }

    /// `CREATE FUNCTION`, without `returns` if it is unknown.
    async fn create_sql(
        &mut self,
        session: &Session<'_>,
        create: &'static str,
        returns: Option<&str>,
    ) -> Result<Sql> {
        let mut arguments = Vec::new();
        for (ty, argument) in self.resolve(session).await?.into_iter().zip(&self.arg) {
            let name = argument.name.as_ref().map_or(Sql::from(""), Sql::from);
            let default = argument.default.as_deref();
            let default = default.map_or(Sql::from(""), |it| sql!(" DEFAULT {}", Sql::expression(it)));
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
            &self.language,
            options,
            self.parallel.as_str(),
            Sql::string(&self.body),
        ))
    }
}

impl Resource for Function {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FunctionComputed> {
        let created: Result<_> = async {
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
        .await;
        created.context("Cannot Create Function")
    }

    /// The server writes types and expressions in its own form. So the state is kept as long as the definition is the one that
    /// was stored with it.
    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let found: Result<_> = async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(None) };
            let Some(row) = state.row(&session).await? else { return Ok(None) };
            if cx.private::<String>("definition")?.is_some_and(|it| it == row.get::<_, String>(2)) {
                return Ok(Some(state));
            }
            let mut found = function(&row, state.database.clone(), state.drop_cascade)?;
            found.keep_spelling(&session, &state).await?;
            Ok(Some(found))
        }
        .await;
        found.context("Cannot Read Function")
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<FunctionComputed> {
        let updated: Result<_> = async {
            let Function { database, schema, returns, .. } = prior;
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
        .await;
        updated.context("Cannot Update Function")
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let deleted: Result<_> = async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(()) };
            let session = session.begin().await?;
            if let Some(row) = state.row(&session).await? {
                let cascade = if state.drop_cascade { " CASCADE" } else { "" };
                session.execute(sql!("DROP FUNCTION {}{}", Sql::returned(row.get(1)), cascade)).await?;
            }
            session.commit().await
        }
        .await;
        deleted.context("Cannot Drop Function")
    }

    /// The import ID is the database and the signature, such as `shop.public.add(integer,integer)`.
    async fn import(cx: &ReadCx<Self>, id: String) -> Result<Self> {
        let form = "Invalid Import ID: <database>.<schema>.<function>(<types>) Is Required";
        let (database, signature) = id.split_once('.').context(form)?;
        let database = Name::from(database);
        let session = cx.provider.pool.connect(&database).await?;
        let query = "SELECT n.nspname::text, p.proname::text, ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, i) ORDER BY i)
                     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = to_regprocedure($1)";
        let row = session.row(query, &[&signature]).await.context(form)?;
        let row = row.context(format!("Function {signature} Does Not Exist"))?;
        Ok(Function {
            name: Name::from(row.get::<_, String>(1)),
            schema: Name::from(row.get::<_, String>(0)),
            database,
            arg: Vec::new(),
            returns: String::new(),
            language: Name::from("plpgsql"),
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

/// The planned function, with values for what the plan does not contain.
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

/// The list of the functions of a database, without those of PostgreSQL itself and of extensions.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Functions {
    /// The database. If it is omitted, it is the database of the `provider` block.
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
            cx.send(cx.listed(function(&row, database.clone(), false)?, display_name)?).await?;
        }
        Ok(())
    }
}
