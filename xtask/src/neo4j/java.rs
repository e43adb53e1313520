//! Finds Java, and fetches Neo4j's jars from Maven Central.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};

/// A Java installation that can run the server.
#[derive(Debug)]
pub(super) struct Java {
    /// Folder that holds `bin/java`.
    pub(super) home: PathBuf,
    major: u32,
}

impl Java {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(self.home.join("bin/java"));
        command.stdin(Stdio::null());
        command
    }
}

/// Returns the oldest Java that a version of Neo4j runs on: 17 for 5.x, 21 since versions are named
/// by years.
pub(super) fn least_version(neo4j: &str) -> u32 {
    if neo4j.starts_with("5.") { 17 } else { 21 }
}

/// Finds the oldest Java on this machine that is new enough, since Neo4j is tested with those of
/// its time.
pub(super) fn find(least: u32) -> Result<Java> {
    let found = candidates().into_iter().filter_map(|home| Some(Java { major: major(&home)?, home }));
    found.filter(|java| java.major >= least).min_by_key(|java| java.major).with_context(|| {
        format!(
            "this needs Java {least} or newer with its compiler, and none was found\n\
             hint: install a JDK (Debian: apt-get install openjdk-{least}-jdk-headless), or name its folder in JAVA_HOME"
        )
    })
}

fn candidates() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&on_path) {
        let real = fs::canonicalize(folder.join("java")).ok();
        homes.extend(real.and_then(|java| Some(java.parent()?.parent()?.to_owned())));
    }
    let mut parents = vec![PathBuf::from("/usr/lib/jvm"), PathBuf::from("/opt")];
    parents.extend(std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".sdkman/candidates/java")));
    for parent in parents {
        let entries = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
        homes.extend(entries.map(|entry| entry.path()));
    }
    homes.retain(|home| home.join("bin/javac").exists());
    homes
}

/// Returns the major version that `java -version` prints, such as 17.
fn major(home: &Path) -> Option<u32> {
    let output = Command::new(home.join("bin/java")).arg("-version").output().ok()?;
    major_in(&String::from_utf8_lossy(&output.stderr))
}

fn major_in(text: &str) -> Option<u32> {
    let version = text.split('"').nth(1)?;
    version.split(['.', '-', '+']).next()?.parse().ok()
}

/// Returns the folder with the jars of a version. Fetches them the first time (about 120 MB).
pub(super) fn fetch_jars(java: &Java, version: &str, target: &Path) -> Result<PathBuf> {
    ensure!(
        version.chars().all(|character| character.is_ascii_alphanumeric() || ".-".contains(character)),
        "`{version}` is no version of Neo4j; one is 5.26.12"
    );
    let folder = target.join("neo4j-jars").join(version);
    let complete = folder.join("complete");
    if complete.exists() {
        return Ok(folder);
    }
    fs::create_dir_all(&folder)?;
    let project = folder.join("pom.xml");
    fs::write(&project, project_of(version))?;
    println!("fetching Neo4j {version} from Maven Central");
    let output = Command::new("mvn")
        .args(["--quiet", "--batch-mode", "--file"])
        .arg(&project)
        // Names the plugin's version because Maven's default is too old.
        .arg("org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies")
        .arg("-DincludeScope=runtime")
        .arg(format!("-DoutputDirectory={}", folder.display()))
        .env("JAVA_HOME", &java.home)
        .stdin(Stdio::null())
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "this needs Maven to fetch Neo4j, and there is no `mvn`\n\
             hint: install it (Debian: apt-get install maven)"
        ),
        Err(error) => return Err(error).context("cannot run mvn"),
    };
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout);
        bail!("Maven could not fetch Neo4j {version}:\n{}", last_lines(&text, 15));
    }
    // A fetch that was interrupted leaves no such mark and is repeated.
    fs::write(complete, "")?;
    Ok(folder)
}

fn project_of(version: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion>\
         <groupId>graphwright</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version>\n\
         <dependencies><dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId>\
         <version>{version}</version></dependency></dependencies></project>\n"
    )
}

/// Returns the end of a log.
pub(super) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines.get(lines.len().saturating_sub(count)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_java_is_read() {
        assert_eq!(major_in("openjdk version \"17.0.15\" 2025-04-15"), Some(17));
        assert_eq!(major_in("openjdk version \"25\" 2025-09-16 LTS"), Some(25));
        assert_eq!(major_in("openjdk version \"24-ea\" 2025-03-18"), Some(24));
        assert_eq!(major_in("command not found"), None);
    }

    #[test]
    fn a_missing_java_is_told_with_a_way_to_get_it() {
        let message = find(9999).unwrap_err().to_string();
        assert!(message.starts_with("this needs Java 9999 or newer with its compiler"), "{message}");
        assert!(message.contains("openjdk-9999-jdk-headless"), "{message}");
    }

    #[test]
    fn newer_versions_need_newer_java() {
        assert_eq!((least_version("5.26.12"), least_version("2025.10.1")), (17, 21));
    }

    #[test]
    fn the_end_of_a_log() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a\n", 2), "a");
    }
}
