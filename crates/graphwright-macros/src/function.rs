//! Functions that become tools.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Attribute, Error, FnArg, Ident, ReceiverKind, Result, ReturnType, Safety, Signature, ext::IdentExt,
    spanned::Spanned,
};

use crate::{description, marks::Marks, parameter::Parameter};

/// A function that becomes a tool.
pub(crate) struct Function {
    /// The tool's name.
    pub(crate) name: String,
    /// The place where the name is written.
    pub(crate) span: Span,
    marks: Marks,
    description: String,
    ident: Ident,
    has_receiver: bool,
    is_async: bool,
    parameters: Vec<Parameter>,
    output: Span,
}

impl Function {
    /// Reads a function, and removes the attributes of its parameters that are for us.
    pub(crate) fn take(marks: Marks, attributes: &[Attribute], signature: &mut Signature) -> Result<Self> {
        let mut faults = Faults::default();
        let description = description::read(attributes);
        if description.is_empty() {
            let name = &signature.ident;
            faults.add(
                name.span(),
                format!("`{name}` says nothing about itself: write a doc comment that tells the model what it does"),
            );
        }
        refuse_forms(signature, &marks, &mut faults);
        let mut parameters = Vec::new();
        let mut has_receiver = false;
        for input in &mut signature.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    has_receiver = true;
                    if !matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) {
                        let message = "take `&self`: calls run beside each other; what changes goes into a `Mutex` or an atomic";
                        faults.add(receiver.span(), message);
                    }
                }
                FnArg::Typed(parameter) => match Parameter::take(parameter) {
                    Ok(Parameter::Context) if parameters.iter().any(is_context) => {
                        faults.add(parameter.span(), "there is one context: take it once");
                    }
                    Ok(parameter) => parameters.push(parameter),
                    Err(error) => faults.add_error(error),
                },
            }
        }
        faults.into_result()?;
        let (name, span) = match &marks.name {
            Some(name) => (name.value(), name.span()),
            None => (signature.ident.unraw().to_string(), signature.ident.span()),
        };
        let output = match &signature.output {
            ReturnType::Default => signature.ident.span(),
            ReturnType::Type(_, kind) => kind.span(),
        };
        let is_async = signature.asyncness.is_some();
        let ident = signature.ident.clone();
        Ok(Self { name, span, marks, description, ident, has_receiver, is_async, parameters, output })
    }

    /// Returns whether the function takes `&self`.
    pub(crate) fn has_receiver(&self) -> bool {
        self.has_receiver
    }

    /// Writes the expression of type `FunctionTool`.
    ///
    /// `path` leads to the function. `receiver` is a variable that holds the `Arc` of the toolbox,
    /// for methods.
    pub(crate) fn tool(&self, path: &TokenStream, receiver: Option<&Ident>) -> TokenStream {
        let Self { name, description, .. } = self;
        let support = self.marks.support();
        let hints = self.marks.hints();
        let time_limit = self
            .marks
            .time_limit()
            .map(|seconds| quote!(.with_time_limit(::std::time::Duration::from_secs(#seconds))));
        let arguments = self.arguments();
        let declarations = arguments.clone().map(|argument| argument.declaration(&support));
        let receiver = receiver.filter(|_| self.has_receiver);
        let clone = receiver.map(|receiver| quote!(let #receiver = ::std::sync::Arc::clone(&#receiver);));
        let body = self.body(path, receiver);
        let takes_arguments = arguments.clone().next().is_some();
        let given = if takes_arguments { quote!(mut __arguments) } else { quote!(_) };
        let takes_context = self.parameters.iter().any(is_context);
        let context = if takes_context { quote!(__context) } else { quote!(_) };
        // Cloned twice: the closure keeps one `Arc`, and each call gets its own.
        quote! {{
            #clone
            let __parameters = #support::Parameters::new() #(#declarations)*;
            #support::FunctionTool::new(#name, #description, #hints, __parameters, move |#given, #context| {
                #clone
                async move { #body }
            })
            #time_limit
        }}
    }

    fn arguments(&self) -> impl Iterator<Item = &crate::parameter::Argument> + Clone {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(argument) => Some(&**argument),
            Parameter::Context => None,
        })
    }

    /// Writes the body: it takes the arguments, calls the function and turns what that returns into
    /// a result.
    fn body(&self, path: &TokenStream, receiver: Option<&Ident>) -> TokenStream {
        let support = self.marks.support();
        let arguments = format_ident!("__arguments");
        let (mut bindings, mut given) = (Vec::new(), Vec::new());
        given.extend(receiver.map(|receiver| quote!(&#receiver)));
        for (position, parameter) in self.parameters.iter().enumerate() {
            match parameter {
                Parameter::Context => given.push(quote!(&__context)),
                Parameter::Argument(argument) => {
                    let variable = format_ident!("__argument{position}");
                    bindings.push(argument.binding(&variable, &arguments));
                    given.push(quote!(#variable));
                }
            }
        }
        let ident = &self.ident;
        let call = quote!(#path #ident(#(#given),*));
        let returned = match (self.is_async, self.marks.blocking()) {
            (true, _) => quote!(#call.await),
            (false, None) => call,
            (false, Some(_)) => quote!(#support::on_a_thread_of_its_own(move || #call).await?),
        };
        let result = quote_spanned!(self.output=> #support::output(#support::Returned(__returned).split()));
        quote! {
            #[allow(unused_imports, reason = "which of the two it is depends on what the function returns")]
            use #support::Infallibly as _;
            #(#bindings)*
            let __returned = #returned;
            #result
        }
    }
}

fn is_context(parameter: &Parameter) -> bool {
    matches!(parameter, Parameter::Context)
}

fn refuse_forms(signature: &Signature, marks: &Marks, faults: &mut Faults) {
    let generics = &signature.generics;
    if !generics.params.is_empty() {
        faults
            .add(generics.span(), "a tool has no generics: the model has to know the type of each argument");
    }
    if !matches!(signature.safety, Safety::Default) {
        faults.add(signature.safety.span(), "a tool is not `unsafe`: a model may call it with anything");
    }
    if let Some(variadic) = &signature.variadic {
        faults.add(variadic.span(), "a tool takes a fixed number of arguments: use a `Vec`");
    }
    if let (Some(span), true) = (marks.blocking(), signature.asyncness.is_some()) {
        faults.add(span, "`blocking` is for functions that are not `async`: leave one out");
    }
}

/// All that is wrong with an item, so that it is told at once.
#[derive(Default)]
pub(crate) struct Faults(Option<Error>);

impl Faults {
    pub(crate) fn add(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add_error(Error::new(span, message));
    }

    pub(crate) fn add_error(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn into_result(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
