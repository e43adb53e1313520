//! The marks in the brackets of `#[flow(…)]` and `#[step(…)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Error, Expr, Ident, Lit, LitInt, Path, Result, Token, Type,
    ext::IdentExt,
    parenthesized,
    parse::{Parse, ParseStream},
    parse_quote,
};

/// The marks of a flow.
pub(super) struct FlowMarks {
    pub(super) start: Type,
    pub(super) stop: Type,
    pub(super) state: Type,
    pub(super) reports: Type,
    /// What people are asked, and what they answer.
    pub(super) asks: Vec<(Type, Type)>,
    support: Option<Path>,
}

impl Parse for FlowMarks {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut start, mut stop, mut state, mut reports, mut asks, mut support) = Default::default();
        while !input.is_empty() {
            let mark = input.call(Ident::parse_any)?;
            match mark.to_string().as_str() {
                "start" => set(&mut start, &mark, value(input, &mark, "start = Order")?)?,
                "stop" => set(&mut stop, &mark, value(input, &mark, "stop = Receipt")?)?,
                "state" => set(&mut state, &mark, value(input, &mark, "state = Tally")?)?,
                "reports" => set(&mut reports, &mark, value(input, &mark, "reports = Progress")?)?,
                "asks" => set(&mut asks, &mark, parse_asks(input)?)?,
                "crate" => {
                    input.parse::<Token![=]>()?;
                    set(&mut support, &mark, input.call(Path::parse_mod_style)?)?;
                }
                _ => {
                    let message = "no such mark: there are `start = …`, `stop = …`, `state = …`, `reports = …`, \
                                   `asks(Question => Answer)` and `crate = …`";
                    return Err(Error::new(mark.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |what| input.error(format!("say what a run {what}"));
        Ok(Self {
            start: start.ok_or_else(|| missing("starts with: `start = …`, the type of an event"))?,
            stop: stop.ok_or_else(|| missing("stops with: `stop = …`, the type of an event"))?,
            state: state.unwrap_or_else(|| parse_quote!(())),
            reports: reports.unwrap_or_else(|| parse_quote!(())),
            asks: asks.unwrap_or_default(),
            support,
        })
    }
}

impl FlowMarks {
    /// Returns the path of the module with the support code.
    pub(super) fn support(&self) -> TokenStream {
        support(self.support.as_ref())
    }
}

/// The path of the module with the support code.
pub(crate) fn support(path: Option<&Path>) -> TokenStream {
    let path = path.cloned().unwrap_or_else(|| parse_quote!(::graphwright_flow));
    quote!(#path::support)
}

/// `(Confirm => Approval, …)`
fn parse_asks(input: ParseStream<'_>) -> Result<Vec<(Type, Type)>> {
    let content;
    parenthesized!(content in input);
    let ask = |input: ParseStream<'_>| {
        let question = input.parse()?;
        input.parse::<Token![=>]>()?;
        Ok((question, input.parse()?))
    };
    Ok(content.parse_terminated(ask, Token![,])?.into_iter().collect())
}

/// The marks of a step.
#[derive(Default)]
pub(super) struct StepMarks {
    pub(super) workers: Option<LitInt>,
    pub(super) at_most: Option<LitInt>,
    /// In seconds.
    pub(super) time_limit: Option<Lit>,
    pub(super) retry: Option<Expr>,
}

impl Parse for StepMarks {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut marks = Self::default();
        while !input.is_empty() {
            let mark = input.call(Ident::parse_any)?;
            match mark.to_string().as_str() {
                "workers" => {
                    let workers = value(input, &mark, "workers = 8")?;
                    set(&mut marks.workers, &mark, one_or_more(workers)?)?;
                }
                "at_most" => {
                    let rounds = value(input, &mark, "at_most = 3")?;
                    set(&mut marks.at_most, &mark, one_or_more(rounds)?)?;
                }
                "time_limit" => {
                    let limit = value(input, &mark, "time_limit = 30")?;
                    set(&mut marks.time_limit, &mark, seconds(limit)?)?;
                }
                "retry" => {
                    set(&mut marks.retry, &mark, value(input, &mark, "retry = RetryPolicy::attempts(3)")?)?;
                }
                _ => {
                    let message = "no such mark: there are `workers = …`, `at_most = …`, `time_limit = …` and `retry = …`";
                    return Err(Error::new(mark.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(marks)
    }
}

fn one_or_more(number: LitInt) -> Result<LitInt> {
    match number.base10_parse::<u32>()? {
        0 => Err(Error::new(number.span(), "with 0 the step would never run: give 1 or more")),
        _ => Ok(number),
    }
}

/// The longest time limit in seconds, some thirty years.
const LONGEST: f64 = 1e9;

fn seconds(limit: Lit) -> Result<Lit> {
    let number = match &limit {
        Lit::Int(number) => number.base10_parse::<u32>().map(f64::from),
        Lit::Float(number) => number.base10_parse::<f64>(),
        _ => Ok(0.0),
    };
    if number.is_ok_and(|number| number > 0.0 && number <= LONGEST) {
        return Ok(limit);
    }
    Err(Error::new(limit.span(), "give the seconds: `time_limit = 30`, `time_limit = 0.5`"))
}

fn value<T: Parse>(input: ParseStream<'_>, mark: &Ident, example: &str) -> Result<T> {
    if !input.peek(Token![=]) {
        return Err(Error::new(mark.span(), format!("give the value: `{example}`")));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

fn set<T>(place: &mut Option<T>, mark: &Ident, value: T) -> Result<()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::new(mark.span(), "this mark is there twice: leave one out")),
    }
}
