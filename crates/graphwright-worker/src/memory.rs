//! The memory of this process and of the machine.

/// Limits the memory that this process may have from now on to `bytes` of data (heap, stacks and other private pages);
/// `None` lifts the limit. An allocation beyond it ends the process.
///
/// Does nothing but on Linux.
pub fn limit_memory(bytes: Option<u64>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};

        let mut limit = getrlimit(Resource::Data);
        limit.current = match (bytes, limit.maximum) {
            (Some(bytes), Some(most)) => Some(bytes.min(most)),
            (bytes, most) => bytes.or(most),
        };
        // Fails only for a limit above the maximum.
        let _ = setrlimit(Resource::Data, limit);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

/// Returns what of [`limit_memory`] this process uses now, in bytes; 0 where that is not known.
pub fn used_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    kilobytes(&status, "VmData:")
}

/// Returns the memory of the machine in bytes, or of the container that this process runs in; `None` where that is not
/// known.
pub fn machine_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let machine = kilobytes(&read("/proc/meminfo"), "MemTotal:");
    let container = read("/sys/fs/cgroup/memory.max").trim().parse().unwrap_or(u64::MAX);
    Some(machine.min(container)).filter(|bytes| *bytes > 0)
}

/// Returns the value in bytes of a line as `VmData:   1234 kB`.
fn kilobytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_what_the_kernel_says() {
        assert_eq!(kilobytes("VmPeak:\t 9 kB\nVmData:\t  1234 kB\n", "VmData:"), 1234 * 1024);
        assert_eq!(kilobytes("", "VmData:"), 0);
    }
}
