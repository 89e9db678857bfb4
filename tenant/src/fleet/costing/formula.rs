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
        self.amounts(rate).total
    }

    /// The cost and what it is made of. Only the total is rounded, half up; the parts are told so that they add up to it:
    /// each rounded down to the cent, and the cents left over go to those that lost most.
    #[must_use]
    pub(crate) fn amounts(&self, rate: &Rate) -> Amounts {
        let (km, _) = self.charged();
        let parts =
            [rate.run, km * rate.km, self.hour_amount(rate.hour), Decimal::from(self.drops) * rate.drop];
        let total = rounded(parts.iter().sum());
        let mut told = parts.map(|part| part.round_dp_with_strategy(2, RoundingStrategy::ToNegativeInfinity));
        let mut by_loss = [0, 1, 2, 3];
        by_loss.sort_by_key(|at| std::cmp::Reverse(parts[*at] - told[*at]));
        let mut left = total - told.iter().sum::<Decimal>();
        for at in by_loss {
            if left >= CENT {
                told[at] += CENT;
                left -= CENT;
            }
        }
        let [run, km, hour, drop] = told;
        Amounts { run, km, hour, drop, total }
    }

    /// Hours at their rate, by the second: a third of an hour is no decimal number.
    fn hour_amount(&self, rate: Decimal) -> Decimal {
        let seconds = match self.billed_seconds.filter(|_| self.closed) {
            Some(billed) => billed,
            None => self.planned_seconds,
        };
        let by_seconds = Decimal::from(seconds) * rate / Decimal::from(3600);
        by_seconds.max(self.min_hours * rate)
    }
}

/// A cent.
const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// What a run costs, and the parts of it, which add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amounts {
    /// For the run.
    pub run: Decimal,
    /// For its kilometres.
    pub km: Decimal,
    /// For its hours.
    pub hour: Decimal,
    /// For its drops.
    pub drop: Decimal,
    /// Together.
    pub total: Decimal,
}

fn rounded(amount: Decimal) -> Decimal {
    amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// Rounds an amount of money half up to 2 decimals.
#[must_use]
pub(crate) fn round(amount: f64) -> f64 {
    use rust_decimal::prelude::ToPrimitive;
    Decimal::from_f64(amount).map(rounded).and_then(|amount| amount.to_f64()).unwrap_or(amount)
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

    /// W-060: whatever was driven at whatever rate, the parts add up to the total, none is off by a cent or more, and the
    /// total is the exact sum, rounded once.
    #[test]
    fn the_parts_add_up() {
        use proptest::prelude::*;
        use proptest::test_runner::{Config, TestRunner};

        let money = || (0_i64..1_000_000_000).prop_map(|n| Decimal::new(n, 4));
        let rates = (money(), money(), money(), money());
        let usages = (
            0_i64..100_000_000,
            0_i64..10_000_000,
            -100_000_i64..100_000,
            0_i64..2_000,
            0_i64..200_000,
            0_i64..500,
            any::<bool>(),
        );
        let mut runner = TestRunner::new(Config::with_cases(10_000));
        runner
            .run(
                &(rates, usages),
                |((run, km, hour, drop), (start, way, more, least, seconds, drops, closed))| {
                    let rate = Rate { run, km, hour, drop };
                    let usage = Usage {
                        start_odometer: Some(Decimal::new(start, 2)),
                        end_odometer: Some(Decimal::new(start + way, 2)),
                        additional_km: Decimal::new(more, 2),
                        min_hours: Decimal::new(least, 2),
                        billed_seconds: Some(seconds),
                        closed,
                        planned_metres: way,
                        planned_seconds: seconds,
                        drops,
                    };
                    let told = usage.amounts(&rate);
                    prop_assert_eq!(told.run + told.km + told.hour + told.drop, told.total);
                    let (kilometres, _) = usage.charged();
                    // By the second, so that nothing is rounded before the end.
                    let hours =
                        (Decimal::from(seconds) * hour).max(usage.min_hours * hour * Decimal::from(3600));
                    let exact =
                        (run + kilometres * km + Decimal::from(drops) * drop) * Decimal::from(3600) + hours;
                    let off = (told.total * Decimal::from(3600) - exact).abs();
                    prop_assert!(off <= Decimal::from(18), "half a cent at most: {} of {}", off, exact);
                    let exact_parts =
                        [run, kilometres * km, hours / Decimal::from(3600), Decimal::from(drops) * drop];
                    for (part, exact) in
                        [told.run, told.km, told.hour, told.drop].into_iter().zip(exact_parts)
                    {
                        prop_assert!((part - exact).abs() < CENT);
                        prop_assert!(part.scale() <= 2);
                    }
                    Ok(())
                },
            )
            .expect("all add up");
    }
}
