//! Parameters of a function that becomes a tool.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Attribute, Error, Expr, ExprLit, ExprRange, Ident, Lit, Pat, PatType, RangeLimits, Result, Type,
    TypeReference, ext::IdentExt, parse_quote, spanned::Spanned,
};

use crate::description;

/// A parameter, by who gives its value.
pub(crate) enum Parameter {
    /// The context, given by whoever runs the tool.
    Context,
    /// An argument, given by the model.
    Argument(Box<Argument>),
}

/// An argument that the model gives.
pub(crate) struct Argument {
    name: String,
    kind: Type,
    description: String,
    default: Option<Expr>,
    range: Option<(Expr, Expr)>,
}

impl Parameter {
    /// Reads a parameter and removes the attributes that are for us.
    pub(crate) fn take(parameter: &mut PatType) -> Result<Self> {
        let attributes = std::mem::take(&mut parameter.attrs);
        let (ours, others): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_ours);
        parameter.attrs = others;
        if is_context(&parameter.ty)? {
            return match ours.iter().find(|attribute| !description::is_doc(attribute)) {
                Some(attribute) => Err(Error::new(attribute.span(), "the model does not give the context")),
                None => Ok(Self::Context),
            };
        }
        refuse_unusable(&parameter.ty)?;
        let Pat::Ident(pattern) = &*parameter.pat else {
            let message = "the model has to know this parameter by a name: take it apart in the body";
            return Err(Error::new(parameter.pat.span(), message));
        };
        let (mut default, mut range) = (None, None);
        for attribute in ours.iter().filter(|attribute| !description::is_doc(attribute)) {
            if attribute.path().is_ident("default") {
                default = Some(read_default(attribute)?);
            } else {
                range = Some(read_range(attribute)?);
            }
        }
        Ok(Self::Argument(Box::new(Argument {
            name: pattern.ident.unraw().to_string(),
            kind: (*parameter.ty).clone(),
            description: description::read(&ours),
            default,
            range,
        })))
    }
}

impl Argument {
    /// Writes the call that declares the parameter to the model.
    pub(crate) fn declaration(&self, support: &TokenStream) -> TokenStream {
        let Self { name, kind, description, default, range } = self;
        let default =
            optional(default.as_ref().map(|value| quote!(#support::default_value::<#kind>(#value))));
        let range = optional(range.as_ref().map(
            |(least, most)| quote_spanned!(kind.span()=> <#kind as #support::Ranged>::bounds(#least..=#most)),
        ));
        quote_spanned!(kind.span()=> .with::<#kind>(#name, #description, #default, #range))
    }

    /// Writes the statement that takes the value out of the arguments of a call.
    pub(crate) fn binding(&self, variable: &Ident, arguments: &Ident) -> TokenStream {
        let Self { name, kind, default, .. } = self;
        let value = default.as_ref().map_or_else(
            || quote!(#arguments.take(#name)?),
            |default| quote!(#arguments.take_or(#name, || #default)?),
        );
        quote_spanned!(kind.span()=> let #variable: #kind = #value;)
    }
}

/// Writes an expression of type `Option`.
fn optional(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

fn is_ours(attribute: &Attribute) -> bool {
    description::is_doc(attribute) || ["default", "range"].iter().any(|name| attribute.path().is_ident(name))
}

/// Returns whether the type is `&ToolContext`.
fn is_context(kind: &Type) -> Result<bool> {
    let named_so = |kind: &Type| match kind {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "ToolContext"),
        _ => false,
    };
    match kind {
        Type::Reference(TypeReference { elem, mutability: None, .. }) => Ok(named_so(elem)),
        Type::Reference(TypeReference { elem, .. }) if named_so(elem) => {
            Err(Error::new(kind.span(), "take `&ToolContext`: calls share it"))
        }
        kind if named_so(kind) => Err(Error::new(kind.span(), "take `&ToolContext`")),
        _ => Ok(false),
    }
}

fn refuse_unusable(kind: &Type) -> Result<()> {
    let message = match kind {
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => {
                "take `String`: arguments are made from JSON, and nobody keeps them for you to borrow"
                    .to_owned()
            }
            Type::Slice(_) => {
                "take a `Vec`: arguments are made from JSON, and nobody keeps them for you to borrow"
                    .to_owned()
            }
            _ => "take it by value: arguments are made from JSON, and nobody keeps them for you to borrow"
                .to_owned(),
        },
        Type::ImplTrait(_) => "name a type: the model has to know what to give".to_owned(),
        _ => return Ok(()),
    };
    Err(Error::new(kind.span(), message))
}

/// Reads a default. A string in quotes becomes whatever the parameter's type is.
fn read_default(attribute: &Attribute) -> Result<Expr> {
    match attribute.parse_args::<Expr>() {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
            Ok(parse_quote!(::std::convert::Into::into(#text)))
        }
        Ok(value) => Ok(value),
        Err(_) => Err(Error::new(attribute.span(), "give the value: `#[default(…)]`")),
    }
}

fn read_range(attribute: &Attribute) -> Result<(Expr, Expr)> {
    let range = attribute.parse_args::<Expr>();
    match range {
        Ok(Expr::Range(ExprRange {
            start: Some(least),
            limits: RangeLimits::Closed(_),
            end: Some(most),
            ..
        })) => Ok((*least, *most)),
        _ => Err(Error::new(attribute.span(), "give both ends: `#[range(1..=50)]`")),
    }
}
