//! Sets up the log on standard error, and sends spans of model calls to a collector if one is
//! named.

use std::io::IsTerminal;

use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

/// OpenTelemetry's variable for the address of the collector.
const COLLECTOR: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Spans to send before the command ends. Dropping it sends them.
pub(crate) struct Log {
    #[cfg(feature = "opentelemetry")]
    spans: Option<spans::Spans>,
}

/// Starts logging to standard error, so that programs can read standard output.
pub(crate) fn start(verbose: u8) -> Log {
    // The providers' client library logs whole bodies, which may hold anything. Our own errors and
    // traces tell what matters.
    let default = match verbose {
        0 => "warn,genai=off",
        1 => "info,graphwright=debug,genai=off",
        _ => "debug,graphwright=trace,genai=off",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| default.into());
    // See https://no-color.org.
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colours = std::io::stderr().is_terminal() && !plain;
    let lines =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colours).without_time();
    // The filter is for the lines alone: spans are sent whatever the log shows.
    let log = tracing_subscriber::registry().with(lines.with_filter(filter));
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
