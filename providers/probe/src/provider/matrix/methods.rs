//! Methods that the resources of the matrix share.

/// The methods of a resource whose objects exist only in the state.
macro_rules! state_only_methods {
    () => {
        async fn read(_: &ferroform::ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            Ok(Some(state))
        }

        async fn delete(_: &ferroform::ApplyCx<Self>, _: Self) -> Result<()> {
            Ok(())
        }
    };
}
pub(super) use state_only_methods;
