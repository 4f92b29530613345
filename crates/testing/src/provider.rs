//! Providers for tests and examples.

/// Declares a provider without configuration for the objects under test.
///
/// ```
/// use ferroform::{Args, DataCx, DataSource, Model, Result, path};
/// use ferroform_testing::{Harness, config, provider};
///
/// /// An image of an operating system.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Image {
///     os: String,
///     #[attr(computed)]
///     id: String,
/// }
///
/// impl DataSource for Image {
///     type Provider = Cloud;
///
///     async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<ImageComputed> {
///         Ok(ImageComputed { id: format!("i-{}", args.os) })
///     }
/// }
///
/// provider! { Cloud { data_source Image = "cloud_image" } }
///
/// let image = Harness::start::<Cloud>(config! {}).data_source("cloud_image").read(config! { os = "linux" });
/// assert_eq!(image.get::<String>(path!(id)), "i-linux");
/// ```
///
/// The keyword of an object is the method of [`Registry`](ferroform::Registry) that registers it: `resource`,
/// `data_source`, `lookup`, `list_resource`, `ephemeral_resource`, `action`, `function` or `state_store`. Commas separate
/// the objects. `provider_meta Metadata`, without a name, registers the model of `provider_meta` blocks.
///
/// `provider! { Cloud { … } }` declares `struct Cloud;`. If the provider has fields, such as the objects of a simulated
/// service, declare the struct yourself and implement `Default`. Then `provider! { impl Cloud { … } }` only implements
/// [`Provider`](ferroform::Provider) for it:
///
/// ```
/// # use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
/// # use ferroform_testing::{Harness, config, provider};
/// # use std::sync::Mutex;
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Machine { name: String }
/// # impl Resource for Machine {
/// #     type Provider = Cloud;
/// #     async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
/// #         cx.provider.names.lock().unwrap().push(plan.name.clone());
/// #         Ok(MachineComputed {})
/// #     }
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// # }
/// #[derive(Default)]
/// struct Cloud {
///     names: Mutex<Vec<String>>,
/// }
///
/// provider! { impl Cloud { resource Machine = "cloud_machine" } }
/// # let mut machine = Harness::start::<Cloud>(config! {}).resource("cloud_machine");
/// # machine.apply(config! { name = "web" });
/// ```
///
/// The address of the provider is `registry.terraform.io/example/`, followed by the name of the struct in lowercase.
#[macro_export]
macro_rules! provider {
    (impl $provider:ident { $($kind:ident $object:ty $(= $name:expr)?),* $(,)? }) => {
        impl ::ferroform::Provider for $provider {
            const ADDRESS: &'static str = {
                const ADDRESS: &str = ::std::concat!("registry.terraform.io/example/", ::std::stringify!($provider));
                const LOWERCASE: [u8; ADDRESS.len()] = $crate::__ascii_lowercase(ADDRESS);
                match ::std::str::from_utf8(&LOWERCASE) {
                    ::std::result::Result::Ok(address) => address,
                    ::std::result::Result::Err(_) => ::std::unreachable!(),
                }
            };
            type Config = ();

            async fn configure(
                _: &::ferroform::RequestCx,
                (): (),
            ) -> ::ferroform::Result<::ferroform::Maybe<Self>> {
                ::std::result::Result::Ok(::ferroform::Known(<Self as ::std::default::Default>::default()))
            }

            fn register(registry: &mut ::ferroform::Registry<Self>) {
                $(registry.$kind::<$object>($($name)?);)*
            }
        }
    };
    ($(#[$attribute:meta])* $visibility:vis $provider:ident { $($objects:tt)* }) => {
        $(#[$attribute])*
        #[derive(::std::default::Default)]
        $visibility struct $provider;

        $crate::provider! { impl $provider { $($objects)* } }
    };
}

/// Returns the bytes of the address of a provider, for [`provider!`](crate::provider).
#[doc(hidden)]
pub const fn __ascii_lowercase<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(text.as_bytes());
    bytes.make_ascii_lowercase();
    bytes
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use ferroform::{
        ApplyCx, Args, DataCx, DataSource, Function, Model, Parameters, Planned, Provider, ReadCx, RequestCx,
        Resource, Result, path,
    };

    use crate::{Harness, config};

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Machine {
        #[attr(requires_replace)]
        name: String,
    }

    impl Resource for Machine {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
            *cx.provider.machine.lock().unwrap() = Some(Machine { name: plan.name });
            Ok(MachineComputed {})
        }

        async fn read(cx: &ReadCx<Self>, _: Self) -> Result<Option<Self>> {
            Ok(cx.provider.machine.lock().unwrap().clone())
        }

        async fn delete(cx: &ApplyCx<Self>, _: Self) -> Result<()> {
            *cx.provider.machine.lock().unwrap() = None;
            Ok(())
        }
    }

    #[derive(Default)]
    struct Cloud {
        machine: Mutex<Option<Machine>>,
    }

    crate::provider! { impl Cloud { resource Machine = "cloud_machine" } }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Greeting {
        name: String,
        #[attr(computed)]
        text: String,
    }

    impl DataSource for Greeting {
        type Provider = Words;

        async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<GreetingComputed> {
            let metadata = cx.provider_meta::<Metadata>()?.map(|it| it.greeting.unwrap_or_default());
            Ok(GreetingComputed { text: format!("{} {}", metadata.unwrap_or_default(), args.name) })
        }
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Metadata {
        greeting: String,
    }

    /// Doubles a number.
    #[derive(Parameters)]
    struct Double {
        /// The number.
        number: u64,
    }

    impl Function for Double {
        type Output = u64;

        async fn call(self, _: &RequestCx) -> Result<u64> {
            Ok(self.number * 2)
        }
    }

    crate::provider! {
        /// Objects of several kinds.
        #[derive(Debug)]
        pub(super) Words {
            data_source Greeting = "words_greeting",
            function Double = "double",
            provider_meta Metadata,
        }
    }

    #[test]
    fn provider_macro_registers_objects_of_each_kind() {
        assert_eq!(Words::ADDRESS, "registry.terraform.io/example/words");
        let harness = Harness::start::<Words>(config! {}).with_provider_meta(config! { greeting = "Hello" });
        let greeting = harness.data_source("words_greeting").read(config! { name = "Ada" });
        assert_eq!(greeting.get::<String>(path!(text)), "Hello Ada");
        assert_eq!(harness.function("double").call::<u64>(config! { number = 4 }), 8);
    }

    #[test]
    fn provider_macro_configures_a_provider_that_has_fields() {
        let mut machine = Harness::start::<Cloud>(config! {}).resource("cloud_machine");
        machine.apply(config! { name = "web" });
        machine.destroy();
    }
}
