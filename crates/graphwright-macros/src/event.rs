//! `#[derive(Event)]` and `#[derive(OneOf)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Attribute, Data, DeriveInput, Error, Fields, Ident, LitStr, Path, Result, Token, Type, ext::IdentExt,
    parse2, spanned::Spanned,
};

use crate::{flow::support, function::Faults};

/// Expands `#[derive(Event)]`.
pub(crate) fn event(item: TokenStream) -> TokenStream {
    parse2::<DeriveInput>(item).and_then(|item| event_impl(&item)).unwrap_or_else(Error::into_compile_error)
}

/// Expands `#[derive(OneOf)]`.
pub(crate) fn one_of(item: TokenStream) -> TokenStream {
    parse2::<DeriveInput>(item).and_then(|item| one_of_impl(&item)).unwrap_or_else(Error::into_compile_error)
}

fn event_impl(item: &DeriveInput) -> Result<TokenStream> {
    refuse_generics(item)?;
    let marks = Marks::read(&item.attrs, "event")?;
    let support = support(marks.support.as_ref());
    let ident = &item.ident;
    let name = marks.name.map_or_else(|| ident.unraw().to_string(), |name| name.value());
    Ok(quote! {
        impl #support::Event for #ident {
            const NAME: &'static str = #name;
        }
    })
}

fn one_of_impl(item: &DeriveInput) -> Result<TokenStream> {
    refuse_generics(item)?;
    let marks = Marks::read(&item.attrs, "one_of")?;
    if let Some(name) = marks.name {
        return Err(Error::new(name.span(), "it goes by the names of its events"));
    }
    let support = support(marks.support.as_ref());
    let ident = &item.ident;
    let variants = variants(item)?;
    let (names, events): (Vec<&Ident>, Vec<&Type>) = variants.iter().copied().unzip();
    let shapes = events.iter().map(
        |event| quote_spanned!(event.span()=> #support::Shape::One(#support::EventType::of::<#event>())),
    );
    Ok(quote! {
        impl #support::OneOf for #ident {
            const SHAPE: #support::Shape = #support::Shape::AnyOf(&[#(#shapes),*]);

            fn into_sent(self) -> (#support::EventType, #support::Arc<dyn #support::Any + ::std::marker::Send + ::std::marker::Sync>) {
                match self {
                    #(Self::#names(event) => #support::OneOf::into_sent(event),)*
                }
            }

            fn from_payload(
                payload: #support::Arc<dyn #support::Any + ::std::marker::Send + ::std::marker::Sync>,
            ) -> ::std::result::Result<Self, #support::Arc<dyn #support::Any + ::std::marker::Send + ::std::marker::Sync>> {
                #(
                    let payload = match <#events as #support::OneOf>::from_payload(payload) {
                        ::std::result::Result::Ok(event) => return ::std::result::Result::Ok(Self::#names(event)),
                        ::std::result::Result::Err(payload) => payload,
                    };
                )*
                ::std::result::Result::Err(payload)
            }
        }

        #(
            impl ::std::convert::From<#events> for #ident {
                fn from(event: #events) -> Self {
                    Self::#names(event)
                }
            }
        )*
    })
}

/// The variants with their events.
fn variants(item: &DeriveInput) -> Result<Vec<(&Ident, &Type)>> {
    let Data::Enum(data) = &item.data else {
        return Err(Error::new(
            item.ident.span(),
            "one of several events is an enum; one event: `#[derive(Event)]`",
        ));
    };
    if data.variants.is_empty() {
        return Err(Error::new(item.ident.span(), "it has no variant: add one for each event"));
    }
    let (mut found, mut faults) = (Vec::new(), Faults::default());
    for variant in &data.variants {
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                found.extend(fields.unnamed.first().map(|field| (&variant.ident, &field.ty)));
            }
            _ => {
                let name = &variant.ident;
                faults.add(variant.span(), format!("a variant has one event: `{name}({name})`"));
            }
        }
    }
    faults.into_result()?;
    Ok(found)
}

fn refuse_generics(item: &DeriveInput) -> Result<()> {
    if item.generics.params.is_empty() {
        return Ok(());
    }
    Err(Error::new(item.generics.span(), "an event has no generics: checkpoints know it by its name alone"))
}

/// `#[event(name = "…", crate = path)]`
#[derive(Default)]
struct Marks {
    name: Option<LitStr>,
    support: Option<Path>,
}

impl Marks {
    fn read(attributes: &[Attribute], name: &str) -> Result<Self> {
        let mut marks = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
            attribute.parse_args_with(|input: syn::parse::ParseStream<'_>| {
                while !input.is_empty() {
                    let mark = input.call(Ident::parse_any)?;
                    input.parse::<Token![=]>()?;
                    match mark.to_string().as_str() {
                        "name" => marks.name = Some(input.parse()?),
                        "crate" => marks.support = Some(input.call(Path::parse_mod_style)?),
                        _ => {
                            let message = "no such mark: there are `name = \"…\"` and `crate = …`";
                            return Err(Error::new(mark.span(), message));
                        }
                    }
                    if !input.is_empty() {
                        input.parse::<Token![,]>()?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(marks)
    }
}
