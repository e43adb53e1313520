//! Methods that become steps.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Error, FnArg, Ident, ImplItemFn, Lit, Receiver, ReceiverKind, Result, ReturnType, Safety, Signature,
    Type, TypeReference, ext::IdentExt, parse_quote, spanned::Spanned,
};

use super::marks::StepMarks;
use crate::{description, function::Faults};

/// A method that becomes a step.
pub(super) struct StepMethod {
    ident: Ident,
    description: String,
    marks: StepMarks,
    is_async: bool,
    /// In the order in which the method takes them.
    parameters: Vec<Parameter>,
    takes: Type,
    sends: Type,
}

/// What the method is given.
enum Parameter {
    Flow,
    Event,
    Context,
}

impl StepMethod {
    pub(super) fn read(marks: StepMarks, method: &ImplItemFn) -> Result<Self> {
        let signature = &method.sig;
        let mut faults = Faults::default();
        refuse_forms(signature, &mut faults);
        let (mut parameters, mut takes) = (Vec::new(), None);
        for input in &signature.inputs {
            match read_parameter(input) {
                Ok(Parameter::Event) if takes.is_some() => {
                    let message = "a step takes one event: an enum of several with `#[derive(OneOf)]`, or `ctx.collect` for several at once";
                    faults.add(input.span(), message);
                }
                Ok(parameter) => {
                    if let (Parameter::Event, FnArg::Typed(event)) = (&parameter, input) {
                        takes = Some((*event.ty).clone());
                    }
                    parameters.push(parameter);
                }
                Err(error) => faults.add_error(error),
            }
        }
        if takes.is_none() {
            faults.add(signature.ident.span(), "a step takes an event: add a parameter of its type");
        }
        faults.into_result()?;
        let sends = match &signature.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, kind) => (**kind).clone(),
        };
        Ok(Self {
            ident: signature.ident.clone(),
            description: description::read(&method.attrs),
            marks,
            is_async: signature.asyncness.is_some(),
            parameters,
            takes: takes.unwrap_or_else(|| parse_quote!(())),
            sends,
        })
    }

    pub(super) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    pub(super) fn span(&self) -> Span {
        self.ident.span()
    }

    /// Writes the expression of type `StepShape`.
    pub(super) fn shape(&self, support: &TokenStream) -> TokenStream {
        let (name, Self { description, takes, sends, .. }) = (self.name(), self);
        let takes = quote_spanned!(takes.span()=> <#takes as #support::OneOf>::SHAPE);
        let sends = quote_spanned!(sends.span()=> <#sends as #support::Outcome>::SHAPE);
        let at_most = self.marks.at_most.as_ref().map_or_else(
            || quote!(::std::option::Option::None),
            |rounds| quote!(::std::option::Option::Some(#rounds)),
        );
        quote! {
            #support::StepShape {
                name: #name,
                description: #description,
                takes: #takes,
                sends: #sends,
                at_most: #at_most,
            }
        }
    }

    /// Writes the expression of type `Step<Self>`.
    pub(super) fn expression(&self, support: &TokenStream) -> TokenStream {
        let Self { ident, takes, .. } = self;
        let arguments = self.parameters.iter().map(|parameter| match parameter {
            Parameter::Flow => quote!(__flow),
            Parameter::Event => quote!(__event),
            Parameter::Context => quote!(__context),
        });
        let call = quote!(Self::#ident(#(#arguments),*));
        let returned = if self.is_async { quote!(#call.await) } else { call };
        let workers = self.marks.workers.as_ref().map(|workers| quote!(.with_workers(#workers)));
        let time_limit = self.marks.time_limit.as_ref().map(|limit| {
            let from = if matches!(limit, Lit::Float(_)) { quote!(from_secs_f64) } else { quote!(from_secs) };
            quote!(.with_time_limit(::std::time::Duration::#from(#limit)))
        });
        let retry =
            self.marks.retry.as_ref().map(|policy| quote_spanned!(policy.span()=> .with_retry(#policy)));
        quote! {
            #support::Step::new(|__flow, __payload, __context| {
                let _ = (__flow, __context);
                ::std::boxed::Box::pin(async move {
                    let __event = #support::take::<#takes>(__payload)?;
                    #support::settle(#returned)
                })
            })
            #workers
            #time_limit
            #retry
        }
    }
}

fn refuse_forms(signature: &Signature, faults: &mut Faults) {
    if !signature.generics.params.is_empty() {
        let message = "a step has no generics: the flow has to know the type of each event";
        faults.add(signature.generics.span(), message);
    }
    if !matches!(signature.safety, Safety::Default) {
        faults.add(signature.safety.span(), "a step is not `unsafe`: a flow runs it with any event");
    }
    if let ReturnType::Type(_, kind) = &signature.output
        && matches!(**kind, Type::ImplTrait(_))
    {
        faults.add(kind.span(), "name the type: the flow has to know what the step sends");
    }
}

fn read_parameter(input: &FnArg) -> Result<Parameter> {
    let parameter = match input {
        FnArg::Receiver(receiver) => return read_receiver(receiver),
        FnArg::Typed(parameter) => parameter,
    };
    let kind = &*parameter.ty;
    match kind {
        Type::Reference(TypeReference { elem, mutability, .. }) if is_context(elem) => match mutability {
            None => Ok(Parameter::Context),
            Some(_) => Err(Error::new(kind.span(), "take `&Context<Self>`: it is changed by its methods")),
        },
        Type::Reference(_) => {
            Err(Error::new(kind.span(), "take the event by value: nobody keeps it for you to borrow"))
        }
        Type::ImplTrait(_) => {
            Err(Error::new(kind.span(), "name a type: the flow has to know what the step takes"))
        }
        _ if is_context(kind) => Err(Error::new(kind.span(), "take `&Context<Self>`")),
        _ => Ok(Parameter::Event),
    }
}

fn read_receiver(receiver: &Receiver) -> Result<Parameter> {
    if matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) {
        return Ok(Parameter::Flow);
    }
    let message =
        "take `&self`: steps and runs go side by side; what a run changes goes into its state (`ctx.update`)";
    Err(Error::new(receiver.span(), message))
}

fn is_context(kind: &Type) -> bool {
    match kind {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Context"),
        _ => false,
    }
}
