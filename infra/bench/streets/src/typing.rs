//! How long the search for addresses takes while somebody types them.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use routewright_addresses::AddressBook;
use routewright_roads::Geocoder as _;

use crate::line;

/// Addresses that are typed, of the demonstration's jobs.
const TYPED: usize = 60;
/// Letters before the search begins, and between two searches.
const LETTERS: usize = 3;
/// Of twenty searches, nineteen must take less.
const BAR: Duration = Duration::from_millis(30);
/// Longest wait for the index.
const PATIENCE: Duration = Duration::from_secs(120);

/// Types addresses and measures every search.
pub(crate) async fn run(checkout: &Path, folder: &Path) -> Result<()> {
    let porto = checkout.join("infra/local/data/porto");
    let began = Instant::now();
    let book = AddressBook::open(vec![porto.clone()], folder.join("addresses"));
    while !book.is_ready() {
        ensure!(began.elapsed() < PATIENCE, "the index of addresses is not made");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    line(&format!("Addresses of Porto: made in {:.2} s", began.elapsed().as_secs_f64()))?;
    let mut times = Vec::new();
    for address in addresses(&porto.join("jobs.csv"))? {
        let letters: Vec<char> = address.chars().collect();
        for end in (LETTERS..=letters.len()).step_by(LETTERS) {
            let text: String = letters[..end].iter().collect();
            let began = Instant::now();
            book.search(&text, 5, None).await?;
            times.push(began.elapsed());
        }
    }
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    let (middle, most) = (at(50), at(95));
    line(&format!(
        "{} searches while typing: {:.1} ms in the middle, {:.1} ms for 95 of 100, {:.1} ms at most",
        times.len(),
        middle.as_secs_f64() * 1e3,
        most.as_secs_f64() * 1e3,
        times.last().copied().unwrap_or_default().as_secs_f64() * 1e3
    ))?;
    ensure!(most < BAR, "searches while typing take longer than {} ms", BAR.as_millis());
    Ok(())
}

/// Addresses of some of the demonstration's jobs, from all over the file.
fn addresses(file: &Path) -> Result<Vec<String>> {
    let mut rows = csv::Reader::from_path(file)?;
    let column = rows.headers()?.iter().position(|name| name == "address").context("a column `address`")?;
    let all: Vec<String> = rows
        .records()
        .map(|row| Ok(row?.get(column).unwrap_or_default().to_owned()))
        .collect::<Result<_>>()?;
    Ok(all.iter().step_by(all.len().div_ceil(TYPED).max(1)).cloned().collect())
}
