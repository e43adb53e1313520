//! The code that the attributes expand to.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Error, ImplItem, ItemFn, ItemImpl, Meta, Result, parse_quote, parse2, spanned::Spanned,
};

use crate::{
    function::{Faults, Function},
    marks::Marks,
};

/// Expands `#[tool]` on a free function: the function, and another that returns the tool.
pub(crate) fn tool(marks: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut function) = parse2::<ItemFn>(item.clone()) else {
        let error = Error::new(
            item.span(),
            "`#[tool]` stands on a function, or on a method in an impl block with `#[toolbox]`",
        );
        return with_error(item, &error);
    };
    let tool = free_tool(marks, &mut function);
    finish(&function, tool)
}

fn free_tool(marks: TokenStream, function: &mut ItemFn) -> Result<TokenStream> {
    let marks = parse2::<Marks>(marks)?.within(&Marks::default())?;
    let support = marks.support();
    let read = Function::take(marks, &function.attrs, &mut function.sig)?;
    if read.has_receiver() {
        let message = "`#[tool]` on a method needs `#[toolbox]` on its impl block";
        return Err(Error::new(function.sig.ident.span(), message));
    }
    function.attrs.push(by_value());
    let visibility = &function.vis;
    let ident = &function.sig.ident;
    let name = format_ident!("{ident}_tool");
    let documentation = format!("The tool `{}`.", read.name);
    let tool = read.tool(&TokenStream::new(), None);
    Ok(quote! {
        #[doc = #documentation]
        #visibility fn #name() -> #support::FunctionTool #tool
    })
}

/// Expands `#[toolbox]` on an impl block: the block, and an impl of `Toolset` for the type.
pub(crate) fn toolbox(marks: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut block) = parse2::<ItemImpl>(item.clone()) else {
        let error = Error::new(item.span(), "`#[toolbox]` stands on an impl block");
        return with_error(item, &error);
    };
    let set = toolset(marks, &mut block);
    finish(&block, set)
}

fn toolset(marks: TokenStream, block: &mut ItemImpl) -> Result<TokenStream> {
    let functions = take_functions(block);
    let toolbox = parse2::<Marks>(marks)?;
    if let Some((path, _)) = &block.trait_ {
        let message =
            "`#[toolbox]` stands on an impl block of the type itself, not of a trait: move the methods";
        return Err(Error::new(path.span(), message));
    }
    if let Some(name) = &toolbox.name {
        return Err(Error::new(name.span(), "a toolbox has no name: name its tools"));
    }
    let support = toolbox.clone().within(&Marks::default())?.support();
    let functions = functions.into_iter().map(|(marks, method)| {
        let ImplItem::Fn(method) = &mut block.items[method] else {
            return Err(Error::new(block.self_ty.span(), "only functions become tools"));
        };
        let read = Function::take(marks?.within(&toolbox)?, &method.attrs, &mut method.sig);
        method.attrs.push(by_value());
        read
    });
    let functions = all(functions.collect())?;
    if functions.is_empty() {
        let message = "no method becomes a tool: mark those that a model may call with `#[tool]`";
        return Err(Error::new(block.self_ty.span(), message));
    }
    let mut names = HashSet::new();
    if let Some(twice) = functions.iter().find(|function| !names.insert(&function.name)) {
        let message =
            format!("two tools are named `{}`: give one another name with `name = \"…\"`", twice.name);
        return Err(Error::new(twice.span, message));
    }
    let receiver = format_ident!("__toolbox");
    let tools = functions.iter().map(|function| function.tool(&quote!(Self::), Some(&receiver)));
    let kind = &block.self_ty;
    let (generics, _, condition) = block.generics.split_for_impl();
    Ok(quote! {
        impl #generics #support::Toolset for #kind #condition {
            fn tools(self: ::std::sync::Arc<Self>) -> ::std::vec::Vec<::std::sync::Arc<dyn #support::Tool>> {
                let #receiver = self;
                ::std::vec![#(::std::sync::Arc::new(#tools)),*]
            }
        }
    })
}

/// Removes `#[tool]` from the methods, and returns its marks and the place of each method in the
/// block.
fn take_functions(block: &mut ItemImpl) -> Vec<(Result<Marks>, usize)> {
    let mut found = Vec::new();
    for (place, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(method) = item else { continue };
        let Some(position) = method
            .attrs
            .iter()
            .position(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "tool"))
        else {
            continue;
        };
        let attribute = method.attrs.remove(position);
        let marks = match &attribute.meta {
            Meta::Path(_) => Ok(Marks::default()),
            _ => attribute.parse_args::<Marks>(),
        };
        found.push((marks, place));
    }
    found
}

/// Allows arguments by value: nobody keeps the arguments of a call for a function to borrow.
fn by_value() -> Attribute {
    parse_quote!(#[allow(clippy::needless_pass_by_value, reason = "arguments are made for the call")])
}

/// Returns all values, or all that is wrong with them.
pub(crate) fn all<T>(results: Vec<Result<T>>) -> Result<Vec<T>> {
    let mut faults = Faults::default();
    let mut found = Vec::new();
    for result in results {
        match result {
            Ok(value) => found.push(value),
            Err(error) => faults.add_error(error),
        }
    }
    faults.into_result()?;
    Ok(found)
}

/// Joins an item with its addition, or with the error.
///
/// The item stays even when something is wrong, so that the compiler complains about nothing else.
pub(crate) fn finish(item: &impl ToTokens, addition: Result<TokenStream>) -> TokenStream {
    match addition {
        Ok(addition) => quote!(#item #addition),
        Err(error) => with_error(item.to_token_stream(), &error),
    }
}

pub(crate) fn with_error(mut item: TokenStream, error: &Error) -> TokenStream {
    item.extend(error.to_compile_error());
    item
}

#[cfg(test)]
mod tests;
