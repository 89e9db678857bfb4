//! Sums and averages per day.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use routewright_documents::sheet::{Cell, Column, Sheet};

use super::internal::{Figures, deviation, percent};

/// A day's sums; averages are over the runs that have the value.
#[derive(Default)]
struct Day {
    runs: i64,
    jobs: i64,
    visited: i64,
    successful: i64,
    on_time: i64,
    planned_km: f64,
    actual_km: Sum,
    /// Plans of the runs whose actual value is known.
    compared_km: f64,
    planned_hours: f64,
    actual_hours: Sum,
    compared_hours: f64,
    load_factor: Sum,
    fuel: Sum,
    co2_kg: Sum,
    cost: Sum,
}

#[derive(Default, Clone, Copy)]
struct Sum {
    value: f64,
    count: u32,
}

impl Sum {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.value += value;
            self.count += 1;
        }
    }

    fn total(self) -> Option<f64> {
        (self.count > 0).then_some(self.value)
    }

    fn average(self) -> Option<f64> {
        self.total().map(|total| total / f64::from(self.count))
    }
}

impl Day {
    fn add(&mut self, run: &Figures) {
        self.runs += 1;
        self.jobs += run.jobs;
        self.visited += run.visited;
        self.successful += run.successful;
        self.on_time += run.on_time;
        self.planned_km += run.planned_km;
        self.planned_hours += run.planned_hours;
        if run.actual_km.is_some() {
            self.compared_km += run.planned_km;
        }
        if run.actual_hours.is_some() {
            self.compared_hours += run.planned_hours;
        }
        for (sum, value) in [
            (&mut self.actual_km, run.actual_km),
            (&mut self.actual_hours, run.actual_hours),
            (&mut self.load_factor, run.load_factor),
            (&mut self.fuel, run.fuel),
            (&mut self.co2_kg, run.co2_kg),
            (&mut self.cost, run.cost),
        ] {
            sum.add(value);
        }
    }

    fn cells(&self, date: NaiveDate) -> Vec<(&'static str, Cell)> {
        let number = |value: Option<f64>, places: u8| Cell::some(value, |value| Cell::Decimal(value, places));
        vec![
            ("date", Cell::Date(date)),
            ("runs", Cell::Whole(self.runs)),
            ("jobs", Cell::Whole(self.jobs)),
            ("visited", Cell::Whole(self.visited)),
            ("successful", Cell::Whole(self.successful)),
            ("failed", Cell::Whole(self.visited - self.successful)),
            ("on time %", number(percent(self.on_time, self.visited), 1)),
            ("planned km", Cell::Decimal(self.planned_km, 2)),
            ("actual km", number(self.actual_km.total(), 2)),
            ("km deviation %", number(deviation(self.compared_km, self.actual_km.total()), 1)),
            ("planned h", Cell::Decimal(self.planned_hours, 2)),
            ("actual h", number(self.actual_hours.total(), 2)),
            ("h deviation %", number(deviation(self.compared_hours, self.actual_hours.total()), 1)),
            ("load factor %", number(self.load_factor.average(), 1)),
            ("fuel l", number(self.fuel.total(), 2)),
            ("CO2 kg", number(self.co2_kg.total(), 2)),
            ("cost", number(self.cost.total(), 2)),
            ("cost per run", number(self.cost.average(), 2)),
        ]
    }
}

/// Sheet `Summary`.
pub(super) fn sheet(figures: &[Figures]) -> Sheet {
    let mut days: BTreeMap<NaiveDate, Day> = BTreeMap::new();
    for run in figures {
        days.entry(run.date).or_default().add(run);
    }
    let headings = Day::default().cells(NaiveDate::MIN);
    Sheet {
        name: "Summary".to_owned(),
        columns: headings.into_iter().map(|(heading, _)| Column::new(heading, 14.0)).collect(),
        rows: days
            .iter()
            .map(|(date, day)| day.cells(*date).into_iter().map(|(_, cell)| cell).collect())
            .collect(),
    }
}
