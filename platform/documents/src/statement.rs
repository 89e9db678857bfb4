//! A statement: the bills of a period, of a client or a haulier, and the deliveries behind them.

mod pdf;

pub use pdf::pdf;

use chrono::{NaiveDate, NaiveDateTime};

/// The bills of a period.
#[derive(Debug, Clone, Default)]
pub struct Statement {
    /// `Client` or `Haulier`.
    pub party_kind: &'static str,
    /// Whose bills they are.
    pub party: String,
    /// Number and address of a client.
    pub address: Option<String>,
    /// First day.
    pub from: NaiveDate,
    /// Last day.
    pub until: NaiveDate,
    /// The runs, in the order of their days.
    pub runs: Vec<BilledRun>,
    /// Runs of the period that are not validated and therefore not here.
    pub pending: usize,
    /// Stops that were visited, in the order of their days.
    pub deliveries: Vec<Delivery>,
}

/// One run as its bill has it, or the party's share of it.
#[derive(Debug, Clone, Default)]
pub struct BilledRun {
    /// Its day.
    pub date: NaiveDate,
    /// Its code.
    pub run: String,
    /// Its driver.
    pub driver: String,
    /// Its vehicle.
    pub vehicle: Option<String>,
    /// Name of the rate.
    pub rate: Option<String>,
    /// Version of the bill.
    pub version: i32,
    /// Stops that are the party's.
    pub stops: i64,
    /// All stops of the run.
    pub of_stops: i64,
    /// Metres billed, of the whole run.
    pub metres: f64,
    /// Hours billed, of the whole run.
    pub hours: f64,
    /// Drops billed, of the whole run.
    pub drops: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// For the run, for distance, for hours, for drops and together, in hundredths; the party's share.
    pub cents: [i64; 5],
}

/// A stop that was visited.
#[derive(Debug, Clone, Default)]
pub struct Delivery {
    /// Day of the run.
    pub date: NaiveDate,
    /// Code of the run.
    pub run: String,
    /// Code of the job.
    pub job: String,
    /// The customer.
    pub customer: String,
    /// Address.
    pub address: String,
    /// When it was recorded, in the organisation's timezone.
    pub at: Option<NaiveDateTime>,
    /// Whether it succeeded.
    pub success: bool,
    /// Where its proof can be seen.
    pub proof: String,
}

impl BilledRun {
    /// The share of a party with `stops` of the `of_stops` stops: each part to the cent, half up; together they are the sum of
    /// the parts.
    #[must_use]
    pub fn share(cents: [i64; 4], stops: i64, of_stops: i64) -> [i64; 5] {
        let of = |part: i64| {
            if of_stops <= 0 || stops >= of_stops {
                return part;
            }
            let (twice, whole) = (2 * i128::from(part) * i128::from(stops), 2 * i128::from(of_stops));
            i64::try_from((twice + i128::from(of_stops)).div_euclid(whole)).unwrap_or(part)
        };
        let [run, distance, hours, drops] = cents.map(of);
        [run, distance, hours, drops, run + distance + hours + drops]
    }
}

#[cfg(test)]
mod tests {
    use super::BilledRun;

    /// W-066: what is shared is divided by stops, to the cent.
    #[test]
    fn a_shared_run_is_divided_by_stops() {
        assert_eq!(BilledRun::share([1_000, 500, 250, 100], 4, 4), [1_000, 500, 250, 100, 1_850]);
        assert_eq!(BilledRun::share([1_000, 500, 250, 100], 1, 3), [333, 167, 83, 33, 616]);
        assert_eq!(BilledRun::share([1, 1, 1, 1], 1, 2), [1, 1, 1, 1, 4], "half a cent goes up");
        assert_eq!(BilledRun::share([700, 0, 0, 0], 0, 0), [700, 0, 0, 0, 700], "a run without stops");
    }
}
