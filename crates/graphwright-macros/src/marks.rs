//! The marks in the brackets of `#[tool(…)]` and `#[toolbox(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Error, Ident, LitBool, LitInt, LitStr, Path, Result, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    parse_quote,
};

/// The longest name that providers take.
const LONGEST_NAME: usize = 64;

/// The marks of a tool or a toolbox.
#[derive(Clone, Default)]
pub(crate) struct Marks {
    pub(crate) name: Option<LitStr>,
    support: Option<Path>,
    time_limit: Option<LitInt>,
    read_only: Option<Flag>,
    destructive: Option<Flag>,
    idempotent: Option<Flag>,
    needs_approval: Option<Flag>,
    blocking: Option<Flag>,
}

#[derive(Clone, Copy)]
struct Flag {
    value: bool,
    span: Span,
}

impl Parse for Marks {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut marks = Self::default();
        while !input.is_empty() {
            marks.parse_one(input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(marks)
    }
}

impl Marks {
    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        let mark = input.call(Ident::parse_any)?;
        let flag = match mark.to_string().as_str() {
            "name" => {
                let name = parse_value(input, &mark, "give the name: `name = \"…\"`")?;
                return self.set_name(name);
            }
            "crate" => {
                input.parse::<Token![=]>()?;
                self.support = Some(input.call(Path::parse_mod_style)?);
                return Ok(());
            }
            "time_limit" => {
                self.time_limit = Some(parse_value(input, &mark, "give the seconds: `time_limit = 120`")?);
                return Ok(());
            }
            "read_only" => &mut self.read_only,
            "destructive" => &mut self.destructive,
            "idempotent" => &mut self.idempotent,
            "needs_approval" => &mut self.needs_approval,
            "blocking" => &mut self.blocking,
            _ => {
                return Err(Error::new(
                    mark.span(),
                    "no such mark: there are `read_only`, `destructive`, `idempotent`, `needs_approval`, `blocking`, \
                     `name = \"…\"`, `time_limit = …` and `crate = …`",
                ));
            }
        };
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            input.parse::<LitBool>()?.value
        } else {
            true
        };
        if flag.replace(Flag { value, span: mark.span() }).is_some() {
            return Err(Error::new(mark.span(), "this mark is there twice: leave one out"));
        }
        Ok(())
    }

    fn set_name(&mut self, name: LitStr) -> Result<()> {
        let text = name.value();
        let fits = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
        if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(fits) {
            let message = format!(
                "providers refuse this name: use letters of English, digits, `_` and `-`, at most {LONGEST_NAME} together"
            );
            return Err(Error::new(name.span(), message));
        }
        self.name = Some(name);
        Ok(())
    }

    /// Fills the marks that are not set with those of the toolbox.
    pub(crate) fn within(self, toolbox: &Self) -> Result<Self> {
        let marks = Self {
            name: self.name,
            support: self.support.or_else(|| toolbox.support.clone()),
            time_limit: self.time_limit.or_else(|| toolbox.time_limit.clone()),
            read_only: self.read_only.or(toolbox.read_only),
            destructive: self.destructive.or(toolbox.destructive),
            idempotent: self.idempotent.or(toolbox.idempotent),
            needs_approval: self.needs_approval.or(toolbox.needs_approval),
            blocking: self.blocking.or(toolbox.blocking),
        };
        match marks.destructive {
            Some(flag) if flag.value && is_set(marks.read_only) => {
                let message = "what is `read_only` cannot be `destructive`: leave one out";
                Err(Error::new(flag.span, message))
            }
            _ => Ok(marks),
        }
    }

    /// Returns the path of the module with the support code.
    pub(crate) fn support(&self) -> TokenStream {
        let support = self.support.clone().unwrap_or_else(|| parse_quote!(::graphwright));
        quote!(#support::tool_support)
    }

    /// Returns where `blocking` is set: calls get a thread of their own.
    pub(crate) fn blocking(&self) -> Option<Span> {
        self.blocking.filter(|flag| flag.value).map(|flag| flag.span)
    }

    /// Returns the longest time of a call, in seconds.
    pub(crate) fn time_limit(&self) -> Option<&LitInt> {
        self.time_limit.as_ref()
    }

    /// Writes the expression of type `ToolHints`.
    pub(crate) fn hints(&self) -> TokenStream {
        let support = self.support();
        let read_only = is_set(self.read_only);
        // Unless a mark says otherwise, a tool that writes may destroy, and one that only reads may
        // be repeated.
        let destructive = self.destructive.map_or(!read_only, |flag| flag.value);
        let idempotent = self.idempotent.map_or(read_only, |flag| flag.value);
        let needs_approval = is_set(self.needs_approval);
        quote! {
            #support::ToolHints {
                read_only: #read_only,
                destructive: #destructive,
                idempotent: #idempotent,
                needs_approval: #needs_approval,
            }
        }
    }
}

fn is_set(flag: Option<Flag>) -> bool {
    flag.is_some_and(|flag| flag.value)
}

fn parse_value<T: Parse>(input: ParseStream<'_>, mark: &Ident, message: &str) -> Result<T> {
    if !input.peek(Token![=]) {
        return Err(Error::new(mark.span(), message));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}
