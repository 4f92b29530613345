//! The data source `directory_users`.

use ferroform::{Args, DataCx, DataSource, Model, Result};

use crate::client::{ApiUser, Client};

/// The users of the directory.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Users {
    /// Restricts the result to the users that can sign in, or that cannot.
    active: Option<bool>,
    /// The users in the order of their IDs.
    #[attr(computed)]
    users: Vec<Entry>,
}

/// A user.
#[derive(Model, Clone, Debug, PartialEq)]
struct Entry {
    /// The ID.
    id: String,
    /// The email address.
    email: String,
    /// The name to display.
    name: String,
}

impl From<ApiUser> for Entry {
    fn from(user: ApiUser) -> Entry {
        Entry { id: user.id, email: user.email, name: user.name }
    }
}

impl DataSource for Users {
    type Provider = Client;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<UsersComputed> {
        let users = cx.provider.users(cx).await?.into_iter();
        let users = users.filter(|it| args.active.is_none_or(|active| it.active == active));
        Ok(UsersComputed { users: users.map(Entry::from).collect() })
    }
}
