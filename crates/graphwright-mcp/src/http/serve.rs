//! Runs a server for the service.

use std::{sync::Arc, time::Duration};

use graphwright::CancellationToken;
use hyper::{Request, StatusCode, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};

use super::{HttpOptions, HttpService, refuse};
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
        let places = Arc::new(Semaphore::new(options.connections));
        let read_time = options.read_time;
        let service = self.http(options, cancellation.clone());
        let mut connections = JoinSet::new();
        let accept = async {
            // The semaphore is never closed, so the loop ends only by cancellation.
            while let Ok(place) = Arc::clone(&places).acquire_owned().await {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let (service, stop) = (service.clone(), cancellation.clone());
                        connections.spawn(async move {
                            serve_connection(stream, service, read_time, stop).await;
                            drop(place);
                        });
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
    service: HttpService,
    read_time: Duration,
    stop: CancellationToken,
) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let service = service.clone();
        async move {
            if request.uri().path() == HTTP_PATH {
                return Ok(service.answer(request).await);
            }
            Ok::<_, std::convert::Infallible>(refuse(
                StatusCode::NOT_FOUND,
                format!("there is nothing here; the service is at {HTTP_PATH}"),
            ))
        }
    });
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(read_time)
            .serve_connection(TokioIo::new(stream), answer)
    );
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        // A client may leave at any time.
        tracing::debug!(%error, "a connection broke off");
    }
}
