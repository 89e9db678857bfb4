//! Sums and averages per day. What is compared is compared over the same runs; money of several currencies, or billed and
//! not yet billed, is never added up.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use routewright_documents::FuelUnit;
use routewright_documents::sheet::{Cell, Column, Sheet};

use super::fuel_heading;
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
    /// Currency and status of each cost.
    kinds_of_cost: BTreeSet<(String, &'static str)>,
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
    fn add(&mut self, run: &Figures, own_currency: &str) {
        if run.cost.is_some() {
            self.kinds_of_cost.insert((run.currency_or(own_currency).to_owned(), run.billing_status()));
        }
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

    /// What does not cover all runs of the day.
    fn note(&self) -> String {
        let mut notes = Vec::new();
        let runs = u32::try_from(self.runs).unwrap_or(u32::MAX);
        for (what, count) in [("km", self.actual_km.count), ("h", self.actual_hours.count)] {
            if count < runs {
                notes.push(format!("{what} deviation over {count} of {runs} runs, which have actual {what}"));
            }
        }
        if self.cost.count < runs {
            notes.push(format!("cost of {} of {runs} runs, which have a rate", self.cost.count));
        }
        if self.kinds_of_cost.len() > 1 {
            notes.push("costs of several currencies or states are in the sheet Costs".to_owned());
        }
        notes.join("; ")
    }

    fn cells(&self, date: NaiveDate, fuel: FuelUnit) -> Vec<(&'static str, Cell)> {
        let number = |value: Option<f64>, places: u8| Cell::some(value, |value| Cell::rounded(value, places));
        let one_kind = self.kinds_of_cost.first().filter(|_| self.kinds_of_cost.len() == 1);
        let cost = if one_kind.is_some() { self.cost } else { Sum::default() };
        vec![
            ("date", Cell::Date(date)),
            ("runs", Cell::Whole(self.runs)),
            ("jobs", Cell::Whole(self.jobs)),
            ("visited", Cell::Whole(self.visited)),
            ("successful", Cell::Whole(self.successful)),
            ("failed", Cell::Whole(self.visited - self.successful)),
            ("on time %", number(percent(self.on_time, self.visited), 1)),
            ("planned km", Cell::rounded(self.planned_km, 2)),
            ("actual km", number(self.actual_km.total(), 2)),
            ("km deviation %", number(deviation(self.compared_km, self.actual_km.total()), 1)),
            ("planned h", Cell::rounded(self.planned_hours, 2)),
            ("actual h", number(self.actual_hours.total(), 2)),
            ("h deviation %", number(deviation(self.compared_hours, self.actual_hours.total()), 1)),
            ("load factor %", number(self.load_factor.average(), 1)),
            (fuel_heading(fuel), number(self.fuel.total().map(|litres| fuel.of_litres(litres)), 2)),
            ("CO2 kg", number(self.co2_kg.total(), 2)),
            ("cost", number(cost.total(), 2)),
            ("cost per run", number(cost.average(), 2)),
            ("currency", one_kind.map_or(Cell::Empty, |(currency, _)| Cell::text(currency))),
            ("status", one_kind.map_or(Cell::Empty, |(_, status)| Cell::text(*status))),
            ("runs with actual km", Cell::Whole(self.actual_km.count.into())),
            ("runs with actual h", Cell::Whole(self.actual_hours.count.into())),
            ("note", Cell::text(self.note())),
        ]
    }
}

/// Sheet `Costs`: per day, currency and status.
pub(super) fn costs(figures: &[Figures], own_currency: &str) -> Sheet {
    let mut sums: BTreeMap<(NaiveDate, &str, &str), Sum> = BTreeMap::new();
    for run in figures {
        let kind = (run.date, run.currency_or(own_currency), run.billing_status());
        sums.entry(kind).or_default().add(run.cost);
    }
    sums.retain(|_, sum| sum.count > 0);
    let headings = ["date", "currency", "status", "runs", "cost", "cost per run"];
    Sheet {
        name: "Costs".to_owned(),
        columns: headings.map(|heading| Column::new(heading, 14.0)).into(),
        rows: sums
            .into_iter()
            .map(|((date, currency, status), sum)| {
                vec![
                    Cell::Date(date),
                    Cell::text(currency),
                    Cell::text(status),
                    Cell::Whole(sum.count.into()),
                    Cell::some(sum.total(), |total| Cell::rounded(total, 2)),
                    Cell::some(sum.average(), |average| Cell::rounded(average, 2)),
                ]
            })
            .collect(),
    }
}

/// Sheet `Summary`.
pub(super) fn sheet(figures: &[Figures], fuel: FuelUnit, own_currency: &str) -> Sheet {
    let mut days: BTreeMap<NaiveDate, Day> = BTreeMap::new();
    for run in figures {
        days.entry(run.date).or_default().add(run, own_currency);
    }
    let headings = Day::default().cells(NaiveDate::MIN, fuel);
    Sheet {
        name: "Summary".to_owned(),
        columns: headings.into_iter().map(|(heading, _)| Column::new(heading, 14.0)).collect(),
        rows: days
            .iter()
            .map(|(date, day)| day.cells(*date, fuel).into_iter().map(|(_, cell)| cell).collect())
            .collect(),
    }
}
