//! Every fixed SQL statement of the service is prepared against a freshly migrated schema, so that a column that is gone
//! is found without a test for the path that uses it.

use std::path::Path;

use sqlx::{AssertSqlSafe, Executor};

use crate::support::tenant;

/// The literal that begins at a quote, unescaped as Rust does it; nothing for anything but a plain literal.
fn literal(source: &str) -> Option<String> {
    let mut characters = source.strip_prefix('"')?.chars().peekable();
    let mut text = String::new();
    while let Some(character) = characters.next() {
        match character {
            '"' => return Some(text),
            '\\' => match characters.next()? {
                '\n' => {
                    while characters.peek().is_some_and(|next| next.is_whitespace()) {
                        characters.next();
                    }
                }
                'n' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    None
}

fn statements(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            statements(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).expect("a source file");
            for (at, _) in source.match_indices("sqlx::query") {
                let Some(open) = source[at..].find('(') else { continue };
                let argument = source[at + open + 1..].trim_start();
                if let Some(sql) = literal(argument) {
                    found.push((path.display().to_string(), sql));
                }
            }
        }
    }
}

/// Statements that steer a transaction or session cannot be prepared.
fn unprepared(sql: &str) -> bool {
    ["set ", "savepoint ", "rollback to savepoint ", "release savepoint ", "lock table "]
        .iter()
        .any(|start| sql.starts_with(start))
}

#[tokio::test]
async fn every_fixed_statement_fits_the_schema() {
    let tenant = tenant().await;
    let mut connection = tenant.organisation.database().await;
    let mut found = Vec::new();
    statements(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 50, "only {} statements were found", found.len());
    let mut faults = Vec::new();
    for (number, (file, sql)) in found.iter().enumerate() {
        let prepared = connection.execute(AssertSqlSafe(format!("prepare s{number} as {sql}"))).await;
        // A parameter whose type only the program knows (42P18, 42883 on such a one) says nothing about the schema.
        if let Err(error) = prepared {
            let code =
                error.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned();
            if !["42P18", "42725"].contains(&code.as_str()) && !unprepared(sql) {
                faults.push(format!("{file}: {error}\n{sql}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
