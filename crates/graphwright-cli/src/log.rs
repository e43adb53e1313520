//! Sets up the log on standard error, and sends spans of model calls to a collector if one is
//! named.

use std::fmt;

use graphwright::text::{visible, without_credentials};
use tracing::{Metadata, field::Field};
use tracing_subscriber::{
    EnvFilter, Layer,
    field::MakeExt,
    filter::{FilterExt, filter_fn},
    fmt::format::{Writer, debug_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::output;

/// The variable that says what to log, in the form of `tracing_subscriber`'s `EnvFilter`.
const FILTER: &str = "RUST_LOG";
/// OpenTelemetry's variable for the address of the collector.
const COLLECTOR: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Spans to send before the command ends. Dropping it sends them.
pub(crate) struct Log {
    #[cfg(feature = "opentelemetry")]
    spans: Option<spans::Spans>,
}

/// Starts logging to standard error, so that programs can read standard output.
pub(crate) fn start(verbose: u8) -> Log {
    // See https://no-color.org.
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let (place, is_watched) = output::log_lines();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(place)
        .with_ansi(is_watched && !plain)
        .without_time()
        .fmt_fields(debug_fn(field).delimited(" "));
    // The filter is for the lines alone: spans are sent whatever the log shows.
    let log = tracing_subscriber::registry().with(lines.with_filter(chosen(verbose).and(filter_fn(is_ours))));
    let wanted = std::env::var_os(COLLECTOR).is_some_and(|address| !address.is_empty());

    #[cfg(feature = "opentelemetry")]
    {
        let opened = wanted.then(spans::Spans::open);
        let (spans, failure) = match opened {
            Some(Ok(spans)) => (Some(spans), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        log.with(spans.as_ref().map(spans::Spans::layer)).init();
        // Until now there was no log to say it in.
        if let Some(error) = failure {
            tracing::warn!(error, "no spans are sent to {COLLECTOR}");
        }
        Log { spans }
    }
    #[cfg(not(feature = "opentelemetry"))]
    {
        log.init();
        if wanted {
            tracing::info!("no spans are sent: this program was built without the feature opentelemetry");
        }
        Log {}
    }
}

/// Returns what `RUST_LOG` or else `-v` asks for.
fn chosen(verbose: u8) -> EnvFilter {
    let default = || match verbose {
        0 => EnvFilter::new("warn"),
        1 => EnvFilter::new("info,graphwright=debug"),
        _ => EnvFilter::new("debug,graphwright=trace"),
    };
    let Some(asked) = std::env::var_os(FILTER).filter(|asked| !asked.is_empty()) else { return default() };
    let asked = asked.to_string_lossy();
    EnvFilter::try_new(&asked).unwrap_or_else(|error| {
        let what = format!("{FILTER} is left aside: {asked:?} is no filter: {error}");
        output::remark(&crate::failure::labelled("warning", &what));
        default()
    })
}

/// Returns whether something is said by our own crates. Nothing else is logged, whatever is asked
/// for: client libraries log whole requests and replies, in which a key may stand.
fn is_ours(said: &Metadata<'_>) -> bool {
    said.target().starts_with("graphwright")
}

/// Writes a field of an event. Its further lines are indented, so that none looks like an event.
fn field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let value = format!("{value:?}");
    let value = without_credentials(&value);
    let value = visible(&value).replace('\n', "\n    ");
    if field.name() == "message" { write!(writer, "{value}") } else { write!(writer, "{field}={value}") }
}

#[cfg(feature = "opentelemetry")]
impl Drop for Log {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.spans.as_ref().map(spans::Spans::send) {
            tracing::warn!(error, "not all spans reached {COLLECTOR}");
        }
    }
}

#[cfg(feature = "opentelemetry")]
mod spans {
    use opentelemetry::trace::TracerProvider;
    use opentelemetry_otlp::SpanExporter;
    use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
    use tracing::Subscriber;
    use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};

    /// Spans on their way to a collector. OpenTelemetry's variables configure it.
    pub(super) struct Spans(SdkTracerProvider);

    impl Spans {
        pub(super) fn open() -> Result<Self, String> {
            let exporter = SpanExporter::builder().with_http().build().map_err(|error| error.to_string())?;
            // `OTEL_SERVICE_NAME` overrides the name.
            let named = std::env::var_os("OTEL_SERVICE_NAME").is_some();
            let resource = Resource::builder();
            let resource = if named { resource } else { resource.with_service_name("graphwright") };
            let provider = SdkTracerProvider::builder()
                .with_resource(resource.build())
                .with_batch_exporter(exporter)
                .build();
            Ok(Self(provider))
        }

        /// Creates a layer for our spans only, without source locations.
        pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
        where
            S: Subscriber + for<'span> LookupSpan<'span>,
        {
            tracing_opentelemetry::layer()
                .with_tracer(self.0.tracer("graphwright"))
                .with_location(false)
                .with_threads(false)
                .with_target(false)
                .with_filter(Targets::new().with_target("graphwright", tracing::Level::INFO))
        }

        pub(super) fn send(&self) -> Result<(), String> {
            let sent = self.0.force_flush().map_err(|error| error.to_string());
            let ended = self.0.shutdown().map_err(|error| error.to_string());
            sent.and(ended)
        }
    }
}
