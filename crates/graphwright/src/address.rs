//! Whose an address is.

use std::net::IpAddr;

use graphwright_llm::Provider;
use url::Url;

/// Returns whether an address (`http://…`, `bolt://…`) is of this machine itself, by its name or number.
///
/// ```
/// use graphwright::is_this_machine;
///
/// assert!(is_this_machine("http://127.0.0.1:8080/v1/") && is_this_machine("bolt://localhost"));
/// assert!(!is_this_machine("https://localhost.example/"));
/// ```
pub fn is_this_machine(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let host = url.host_str().unwrap_or_default();
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || plain.parse::<IpAddr>().is_ok_and(|host| host.is_loopback())
}

/// Returns whether an address is at the provider's own host, encrypted as its own is.
pub(crate) fn is_of_provider(provider: Provider, address: &str) -> bool {
    let origin = |address: &str| Url::parse(address).ok().map(|url| url.origin());
    let own = provider.default_address().and_then(origin);
    own.is_some() && own == origin(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_host_is_the_provider() {
        for address in ["https://api.openai.com/v1/", "https://api.openai.com:443/v2"] {
            assert!(is_of_provider(Provider::OpenAi, address), "{address}");
        }
        for address in [
            "http://api.openai.com/v1/",
            "https://api.openai.com@evil.example/v1/",
            "https://api.openai.com.evil.example/",
            "https://api.anthropic.com/v1/",
            "api.openai.com",
            "",
        ] {
            assert!(!is_of_provider(Provider::OpenAi, address), "{address}");
        }
        assert!(!is_of_provider(Provider::Azure, "https://name.openai.azure.com"), "anybody may have one");
    }

    #[test]
    fn only_loopback_is_this_machine() {
        for address in
            ["http://localhost:8080/v1/", "http://127.0.0.1:1/", "http://[::1]:1/", "neo4j+s://127.0.0.1"]
        {
            assert!(is_this_machine(address), "{address}");
        }
        for address in [
            "https://localhost.evil.example/",
            "https://127.0.0.1.evil.example/",
            "https://localhost@evil.example/",
            "bolt://graph.example",
            "http://10.0.0.1/",
        ] {
            assert!(!is_this_machine(address), "{address}");
        }
    }
}
