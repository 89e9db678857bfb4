//! What is printed.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;

/// A line for whoever started it.
pub(crate) fn line(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// A ratio: how many times the baseline's time the product takes.
pub(crate) fn ratio(what: &str, product: Duration, baseline: &str, bare: Duration) -> Result<()> {
    let times = product.as_secs_f64() / bare.as_secs_f64().max(1e-9);
    line(&format!("{what:44} {:>10} | {baseline:44} {:>10} | {times:6.2} x", shown(product), shown(bare)))
}

fn shown(time: Duration) -> String {
    if time.as_millis() >= 100 {
        format!("{:.2} s", time.as_secs_f64())
    } else {
        format!("{:.3} ms", time.as_secs_f64() * 1000.0)
    }
}

/// The middle one of several times.
pub(crate) fn median(times: Vec<Duration>) -> Duration {
    percentile(&times, 50)
}

/// The time that so many of a hundred do not exceed.
pub(crate) fn percentile(times: &[Duration], part: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times.get(times.len() * part / 100).copied().unwrap_or_default()
}
