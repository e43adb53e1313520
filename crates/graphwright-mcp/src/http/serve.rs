//! Runs a server for the service.

use std::{sync::Arc, time::Duration};

use graphwright::CancellationToken;
use hyper::{
    Request, StatusCode,
    body::Incoming,
    header::{CONNECTION, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

use super::{
    HttpOptions, HttpService,
    places::{Place, Places},
    refuse,
};
use crate::{McpError, McpServer, Result};

/// Path at which [`McpServer::serve_http`] serves.
pub const HTTP_PATH: &str = "/mcp";

/// Time that connections have to end when the service ends.
const GRACE: Duration = Duration::from_secs(3);

/// Pause after a connection could not be accepted, for example because the system has no file
/// descriptors left.
const RECOVERY: Duration = Duration::from_millis(100);

impl McpServer {
    /// Serves the clients of a listener at the path [`HTTP_PATH`], until `cancellation` is
    /// triggered.
    ///
    /// There is no encryption. For clients on other machines, put a server with TLS in front.
    ///
    /// # Errors
    /// [`McpError::NeedsToken`] if the listener is open to other machines and the options have no
    /// token.
    pub async fn serve_http(
        self,
        listener: TcpListener,
        options: HttpOptions,
        cancellation: CancellationToken,
    ) -> Result<()> {
        let address =
            listener.local_addr().map_err(|error| McpError::Broken { message: error.to_string() })?;
        if options.token.is_none() && !address.ip().is_loopback() {
            return Err(McpError::NeedsToken { address });
        }
        let places = Places::new(options.connections);
        let head_time = options.head_time;
        let service = self.http(options, cancellation.clone());
        let mut connections = JoinSet::new();
        let accept = async {
            loop {
                match listener.accept().await {
                    Ok((stream, peer)) => {
                        let place = Arc::new(places.take(peer.ip()).await);
                        let (service, stop) = (service.clone(), cancellation.clone());
                        connections.spawn(serve_connection(stream, place, service, head_time, stop));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection is not accepted");
                        tokio::time::sleep(RECOVERY).await;
                    }
                }
                // Forgets connections that have ended; the set keeps them until they are asked for.
                while connections.try_join_next().is_some() {}
            }
        };
        cancellation.run_until_cancelled(accept).await;
        // New clients are refused at once, instead of waiting for a service that ends.
        drop(listener);
        let ended = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, ended).await.is_err() {
            tracing::debug!(open = connections.len(), "connections are cut");
        }
        Ok(())
    }
}

async fn serve_connection(
    stream: TcpStream,
    place: Arc<Place>,
    service: HttpService,
    head_time: Duration,
    stop: CancellationToken,
) {
    let of_request = Arc::clone(&place);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        let (service, place) = (service.clone(), Arc::clone(&of_request));
        async move {
            request.extensions_mut().insert(place);
            let mut response = if request.uri().path() == HTTP_PATH {
                service.answer(request).await
            } else {
                let why = format!("there is nothing here; the service is at {HTTP_PATH}");
                refuse(StatusCode::NOT_FOUND, why)
            };
            // A stranger does not keep a connection.
            if response.status() == StatusCode::UNAUTHORIZED {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, std::convert::Infallible>(response)
        }
    });
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head_time)
            .serve_connection(TokioIo::new(stream), answer)
    );
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = place.lost() => return,
    };
    if let Err(error) = result {
        // A client may leave at any time.
        tracing::debug!(%error, "a connection broke off");
    }
}
