//! `#[derive(Parameters)]`: the parameters of a provider-defined function.
//!
//! ```text
//! /// Joins strings.
//! struct Join {
//!     /// The separator.
//!     separator: String,
//!     #[attr(variadic)]
//!     items: Vec<String>,
//! }
//!
//! impl Parameters for Join {
//!     fn signature(result: Type) -> FunctionSignature {
//!         let parameters = Block::new()
//!             .description("Joins strings.")
//!             .attribute(<String as Attr>::__attribute("separator").description("The separator."))
//!             .attribute(<String as Attr>::__attribute("items"));
//!         FunctionSignature::new(parameters, result).variadic()
//!     }
//!     fn from_arguments(mut arguments: Arguments) -> Result<Join> {
//!         Ok(Join { separator: arguments.next("separator")?, items: arguments.rest("items")? })
//!     }
//! }
//! ```

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Expr, Fields, Ident, LitStr, Type, ext::IdentExt};

use crate::ast;
use crate::errors::Errors;
use crate::expand::typed;
use crate::option_names::{self, PLAIN_DESCRIPTION, RENAME, SUMMARY, VALIDATE, VARIADIC};
use crate::options::Options;

/// A struct with `#[derive(Parameters)]`.
pub(crate) struct Function {
    ident: Ident,
    description: String,
    plain_description: bool,
    deprecated: Option<LitStr>,
    /// The summary, if it is not the first paragraph of the description.
    summary: Option<LitStr>,
    parameters: Vec<Parameter>,
}

struct Parameter {
    ident: Ident,
    name: String,
    /// The type of one argument.
    ty: Type,
    description: String,
    variadic: Option<Span>,
    validate: Vec<(Ident, Expr)>,
}

impl Function {
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Function> {
        let fields = match &input.data {
            Data::Struct(it) => &it.fields,
            Data::Enum(_) | Data::Union(_) => {
                errors.at(
                    &input.ident,
                    "`#[derive(Parameters)]` requires a struct: its fields are the parameters",
                );
                return None;
            }
        };
        if matches!(fields, Fields::Unnamed(_)) {
            errors.at(&input.ident, "named fields required: the field names are the parameter names");
            return None;
        }
        if !input.generics.params.is_empty() {
            errors.at(&input.generics, "`#[derive(Parameters)]` does not support generic structs");
            return None;
        }
        let mut options = Options::read(&input.attrs, &option_names::FUNCTION, errors);
        let parameters: Vec<Parameter> = fields.iter().filter_map(|it| Parameter::read(it, errors)).collect();
        let positional = parameters.split_last().map_or(&[][..], |(_, it)| it);
        for span in positional.iter().filter_map(|it| it.variadic) {
            errors.push(syn::Error::new(span, "only the last parameter can be variadic"));
        }
        Some(Function {
            ident: input.ident.clone(),
            description: ast::description(&input.attrs),
            plain_description: options.flag(PLAIN_DESCRIPTION, errors).is_some(),
            deprecated: options.deprecated(errors),
            summary: options.text(SUMMARY, errors),
            parameters,
        })
    }

    pub(crate) fn expand(&self) -> TokenStream {
        let ident = &self.ident;
        let description = description(&self.description, self.plain_description);
        let deprecated = self.deprecated.as_ref().map(|it| quote!(.deprecated(#it)));
        let summary = self.summary.as_ref().map(|it| quote!(.summary(#it)));
        let attributes = self.parameters.iter().map(|it| it.attribute(self.plain_description));
        let variadic = self.parameters.iter().filter_map(|it| it.variadic.map(|_| quote!(.variadic())));
        let unknown = self.parameters.iter().map(|it| {
            let (name, ty) = (&it.name, &it.ty);
            quote_spanned! {it.ty.span()=>
                let signature = ::ferroform::__private::with_unknown::<#ty>(signature, #name);
            }
        });
        let fields = self.parameters.iter().map(|it| {
            let (field, name, ty) = (&it.ident, &it.name, &it.ty);
            match it.variadic {
                Some(_) => quote_spanned!(ty.span()=> #field: arguments.rest::<#ty>(#name)?),
                None => quote_spanned!(ty.span()=> #field: arguments.next::<#ty>(#name)?),
            }
        });
        quote! {
            impl ::ferroform::Parameters for #ident {
                fn signature(result: ::ferroform::value::Type) -> ::ferroform::function::FunctionSignature {
                    use ::ferroform::schema::AttributeExt as _;
                    let parameters = ::ferroform::schema::Block::new() #description #deprecated #(#attributes)*;
                    let signature =
                        ::ferroform::function::FunctionSignature::new(parameters, result) #(#variadic)* #summary;
                    #(#unknown)*
                    signature
                }

                #[allow(unused_mut, unused_variables)]
                fn from_arguments(mut arguments: ::ferroform::function::Arguments) -> ::ferroform::Result<Self> {
                    ::core::result::Result::Ok(#ident { #(#fields,)* })
                }
            }
        }
    }
}

impl Parameter {
    fn read(field: &syn::Field, errors: &mut Errors) -> Option<Parameter> {
        let ident = field.ident.clone()?;
        let mut options = Options::read(&field.attrs, &option_names::PARAMETER, errors);
        let rename = options.text(RENAME, errors);
        let variadic = options.flag(VARIADIC, errors);
        let element = variadic.map(|_| ast::argument_of(&field.ty, "Vec"));
        if matches!(element, Some(None)) {
            errors.at(&field.ty, "a variadic parameter has the type `Vec<T>`");
        }
        Some(Parameter {
            name: rename.map_or_else(|| ident.unraw().to_string(), |it| it.value()),
            ty: element.flatten().unwrap_or(&field.ty).clone(),
            description: ast::description(&field.attrs),
            // After an error about the type, the field is read as a single argument, which results in no further error.
            variadic: variadic.filter(|_| !matches!(element, Some(None))),
            validate: options.exprs(VALIDATE, errors),
            ident,
        })
    }

    fn attribute(&self, is_plain: bool) -> TokenStream {
        let (name, ty) = (&self.name, &self.ty);
        let description = description(&self.description, is_plain);
        let validate = self.validate.iter().map(|(_, rule)| {
            let bare = ast::option(ty).unwrap_or(ty);
            let validator = typed(rule, &quote!(validator_function::<#bare, _>));
            quote_spanned!(rule.span()=> .validate::<#bare, _>(#validator))
        });
        quote_spanned! {self.ty.span()=>
            .attribute(<#ty as ::ferroform::Attr>::__attribute(#name) #description #(#validate)*)
        }
    }
}

fn description(text: &str, is_plain: bool) -> TokenStream {
    match text {
        "" => TokenStream::new(),
        _ if is_plain => quote!(.plain_description(#text)),
        _ => quote!(.description(#text)),
    }
}
