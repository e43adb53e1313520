//! `#[flow]` on an impl block: its methods with `#[step]` become the steps of a flow.

mod marks;
mod step;

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ImplItem, ItemImpl, Meta, Result, Type, parse_quote, parse2, spanned::Spanned};

pub(crate) use self::marks::support;
use self::{
    marks::{FlowMarks, StepMarks},
    step::StepMethod,
};
use crate::expansion::{all, finish, with_error};

/// Expands `#[flow]`: the block, and impls of `Flow` and `Steps` for the type.
pub(crate) fn flow(marks: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut block) = parse2::<ItemImpl>(item.clone()) else {
        let error = Error::new(item.span(), "`#[flow]` stands on an impl block");
        return with_error(item, &error);
    };
    let impls = impls(marks, &mut block);
    finish(&block, impls)
}

fn impls(marks: TokenStream, block: &mut ItemImpl) -> Result<TokenStream> {
    let methods = take_steps(block);
    let marks = parse2::<FlowMarks>(marks)?;
    if let Some((path, _)) = &block.trait_ {
        let message =
            "`#[flow]` stands on an impl block of the type itself, not of a trait: move the methods";
        return Err(Error::new(path.span(), message));
    }
    let name = flow_name(&block.self_ty)?;
    let steps = methods.into_iter().map(|(marks, place)| {
        let ImplItem::Fn(method) = &mut block.items[place] else {
            return Err(Error::new(block.self_ty.span(), "only functions become steps"));
        };
        let read = StepMethod::read(marks?, method);
        method.attrs.push(parse_quote! {
            #[allow(clippy::needless_pass_by_value, clippy::unused_async, clippy::unused_self, reason = "steps have one form")]
        });
        read
    });
    let steps = all(steps.collect())?;
    if steps.is_empty() {
        return Err(Error::new(
            block.self_ty.span(),
            "the flow has no step: mark its methods with `#[step]`",
        ));
    }
    let mut names = HashSet::new();
    if let Some(twice) = steps.iter().find(|step| !names.insert(step.name())) {
        return Err(Error::new(twice.span(), format!("two steps are named `{}`", twice.name())));
    }

    let support = marks.support();
    let FlowMarks { start, stop, state, reports, asks, .. } = &marks;
    let (questions, answers): (Vec<_>, Vec<_>) = asks.iter().cloned().unzip();
    let shapes = steps.iter().map(|step| step.shape(&support));
    let expressions = steps.iter().map(|step| step.expression(&support));
    let kind = &block.self_ty;
    let (generics, _, condition) = block.generics.split_for_impl();
    // A flow with generics is checked when a runner of it is made: it has no one shape before.
    let check = block.generics.params.is_empty().then(|| {
        quote! { const _: () = <#kind as #support::Flow>::CHECKED; }
    });
    Ok(quote! {
        impl #generics #support::Flow for #kind #condition {
            type Start = #start;
            type Stop = #stop;
            type State = #state;
            type Report = #reports;

            const SHAPE: #support::FlowShape = #support::FlowShape {
                name: #name,
                start: #support::EventType::of::<#start>(),
                stop: #support::EventType::of::<#stop>(),
                asks: &[#(#support::AskShape {
                    question: #support::EventType::of::<#questions>(),
                    answer: #support::EventType::of::<#answers>(),
                }),*],
                steps: &[#(#shapes),*],
            };
        }

        impl #generics #support::Steps for #kind #condition {
            fn steps() -> ::std::vec::Vec<#support::Step<Self>> {
                ::std::vec![#(#expressions),*]
            }
        }

        #check
    })
}

fn flow_name(kind: &Type) -> Result<String> {
    match kind {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
    .ok_or_else(|| Error::new(kind.span(), "a flow is a type with a name"))
}

/// Removes `#[step]` from the methods, and returns its marks and the place of each method in the block.
fn take_steps(block: &mut ItemImpl) -> Vec<(Result<StepMarks>, usize)> {
    let mut found = Vec::new();
    for (place, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(method) = item else { continue };
        let is_step = |attribute: &syn::Attribute| {
            attribute.path().segments.last().is_some_and(|last| last.ident == "step")
        };
        let Some(position) = method.attrs.iter().position(is_step) else { continue };
        let attribute = method.attrs.remove(position);
        let marks = match &attribute.meta {
            Meta::Path(_) => Ok(StepMarks::default()),
            _ => attribute.parse_args::<StepMarks>(),
        };
        found.push((marks, place));
    }
    found
}

#[cfg(test)]
mod tests;
