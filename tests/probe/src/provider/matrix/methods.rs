//! The methods that the resources of the matrix have in common.

/// The methods of a resource of which nothing but the state is known.
macro_rules! only_in_the_state {
    () => {
        async fn read(_: &ferroform::Cx<Probe>, state: Self) -> Result<Option<Self>> {
            Ok(Some(state))
        }

        async fn delete(_: &ferroform::ApplyCx<Probe>, _: Self) -> Result<()> {
            Ok(())
        }
    };
}
pub(super) use only_in_the_state;
