//! The cost of a run (S-02). Pure; money is decimal and rounded once, half up, at the end.

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, RoundingStrategy};

/// What a rate charges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Per run.
    pub run: Decimal,
    /// Per kilometre.
    pub km: Decimal,
    /// Per hour.
    pub hour: Decimal,
    /// Per drop.
    pub drop: Decimal,
}

/// What was planned and what was recorded of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    /// Odometer at the start, km.
    pub start_odometer: Option<Decimal>,
    /// Odometer at the end, km.
    pub end_odometer: Option<Decimal>,
    /// Billed beyond the odometers, km.
    pub additional_km: Decimal,
    /// Hours are billed at least so long.
    pub min_hours: Decimal,
    /// Seconds from the start of billing to the end of the run.
    pub billed_seconds: Option<i64>,
    /// Whether both odometers and both actual times are there.
    pub closed: bool,
    /// Planned distance, metres.
    pub planned_metres: i64,
    /// Planned driving and service, seconds.
    pub planned_seconds: i64,
    /// Stops made once closed, else all stops.
    pub drops: i64,
}

impl Usage {
    /// Billed kilometres; none without both odometers.
    #[must_use]
    pub(crate) fn billing_km(&self) -> Option<Decimal> {
        Some(self.end_odometer? - self.start_odometer? + self.additional_km)
    }

    /// Billed hours; none without start of billing and end.
    #[must_use]
    pub(crate) fn billing_hours(&self) -> Option<Decimal> {
        let hours = Decimal::from(self.billed_seconds?) / Decimal::from(3600);
        Some(hours.max(self.min_hours))
    }

    /// Kilometres and hours that the cost is computed with: recorded ones of a closed run, planned ones before.
    #[must_use]
    pub(crate) fn charged(&self) -> (Decimal, Decimal) {
        let planned_km = Decimal::from(self.planned_metres) / Decimal::from(1000);
        let planned_hours = (Decimal::from(self.planned_seconds) / Decimal::from(3600)).max(self.min_hours);
        if self.closed {
            (self.billing_km().unwrap_or(planned_km), self.billing_hours().unwrap_or(planned_hours))
        } else {
            (planned_km, planned_hours)
        }
    }

    /// `cost_per_run + km * cost_per_km + hours * cost_per_hour + drops * cost_per_drop`, to 2 decimals.
    #[must_use]
    pub(crate) fn cost(&self, rate: &Rate) -> Decimal {
        let (km, hours) = self.charged();
        let cost = rate.run + km * rate.km + hours * rate.hour + Decimal::from(self.drops) * rate.drop;
        cost.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
    }
}

/// Rounds an amount of money half up to 2 decimals.
#[must_use]
pub(crate) fn round(amount: f64) -> f64 {
    use rust_decimal::prelude::ToPrimitive;
    Decimal::from_f64(amount)
        .map(|amount| amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero))
        .and_then(|amount| amount.to_f64())
        .unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("a number")
    }

    /// cost = run + km + hours + drops; billed time is at least the minimum.
    #[test]
    fn a_closed_run_is_charged_as_recorded() {
        let rate =
            Rate { run: decimal("20"), km: decimal("0.455"), hour: decimal("18"), drop: decimal("1.5") };
        let usage = Usage {
            start_odometer: Some(decimal("1000.5")),
            end_odometer: Some(decimal("1043.8")),
            additional_km: decimal("2"),
            min_hours: decimal("4"),
            billed_seconds: Some(3 * 3600),
            closed: true,
            planned_metres: 40_000,
            planned_seconds: 10_000,
            drops: 7,
        };
        assert_eq!(usage.billing_km(), Some(decimal("45.3")));
        assert_eq!(usage.billing_hours(), Some(decimal("4")));
        // 20 + 45.3 * 0.455 + 4 * 18 + 7 * 1.5 = 123.1115
        assert_eq!(usage.cost(&rate), decimal("123.11"));
    }

    #[test]
    fn before_it_is_closed_the_plan_stands_in() {
        let rate = Rate { run: decimal("0"), km: decimal("1"), hour: decimal("36"), drop: decimal("0") };
        let usage = Usage { planned_metres: 12_345, planned_seconds: 3600, ..Usage::default() };
        assert_eq!(usage.billing_km(), None);
        // 12.345 + 36, half up.
        assert_eq!(usage.cost(&rate), decimal("48.35"));
    }
}
