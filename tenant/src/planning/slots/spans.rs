//! The times of a day. Pure.

use chrono::{NaiveDate, NaiveTime};
use routewright_solver::TimeWindow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Wish;

/// Hours that one span is long.
const HOURS: u32 = 2;
const HOUR: i64 = 3600;

/// A part of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    /// Not before.
    pub(crate) from: NaiveTime,
    /// Not after.
    pub(crate) to: NaiveTime,
}

/// A day that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FreeDay {
    /// The day.
    pub(crate) date: NaiveDate,
    /// Nothing is planned yet: any time can be asked for.
    pub(crate) open: bool,
    /// Otherwise the times at which a run has room.
    pub(crate) spans: Vec<Span>,
}

/// A time that could be asked for instead; without times any of the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "FreeSpan")]
pub(crate) struct Near {
    /// The day.
    date: NaiveDate,
    /// Not before, `HH:mm`.
    time_from: Option<String>,
    /// Not after, `HH:mm`.
    time_to: Option<String>,
}

/// The spans of a day in which somebody works, by the seconds of their shifts.
pub(super) fn between(working: &[TimeWindow]) -> Vec<Span> {
    let begins = |hour: u32| i64::from(hour) * HOUR;
    let worked = |hour: u32| {
        working.iter().any(|shift| begins(hour) < shift.latest && shift.earliest < begins(hour + HOURS))
    };
    let time = |hour: u32| NaiveTime::from_hms_opt(hour, 0, 0);
    let last = NaiveTime::from_hms_opt(23, 59, 0);
    (0..24)
        .step_by(HOURS as usize)
        .filter(|hour| worked(*hour))
        .filter_map(|hour| Some(Span { from: time(hour)?, to: time(hour + HOURS).or(last)? }))
        .collect()
}

/// The spans that are nearest to a wish, at most so many: those of its day, then those of the days beside it.
pub(crate) fn nearest(wish: Wish, days: &[FreeDay], most: usize) -> Vec<Near> {
    let mut all: Vec<(i64, i64, Near)> = Vec::new();
    for day in days {
        let away = (day.date - wish.date).num_days().abs();
        if day.open {
            all.push((away, 0, Near { date: day.date, time_from: None, time_to: None }));
        }
        for span in &day.spans {
            let middle = |from: NaiveTime, to: NaiveTime| from + (to - from) / 2;
            let (from, to) =
                (wish.from.unwrap_or(NaiveTime::MIN), wish.to.unwrap_or(wish.from.unwrap_or(span.to)));
            let apart = (middle(span.from, span.to) - middle(from, to)).num_minutes().abs();
            let text = |time: NaiveTime| Some(time.format("%H:%M").to_string());
            all.push((
                away,
                apart,
                Near { date: day.date, time_from: text(span.from), time_to: text(span.to) },
            ));
        }
    }
    all.sort_by_key(|(away, apart, near)| (*away, *apart, near.date));
    all.into_iter().take(most).map(|(_, _, near)| near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> NaiveTime {
        text.parse().expect("a time")
    }

    fn day(date: u32, open: bool, spans: &[(&str, &str)]) -> FreeDay {
        let spans = spans.iter().map(|(from, to)| Span { from: time(from), to: time(to) }).collect();
        FreeDay { date: NaiveDate::from_ymd_opt(2026, 11, date).expect("a date"), open, spans }
    }

    /// Issue 13.4: spans of two hours where somebody works, to the end of the day at most.
    #[test]
    fn spans_are_those_in_which_somebody_works() {
        let shift = |from: i64, to: i64| TimeWindow { earliest: from * HOUR, latest: to * HOUR };
        let text = |shifts: &[TimeWindow]| {
            between(shifts)
                .iter()
                .map(|span| span.from.format("%H").to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(text(&[shift(9, 12)]), "08 10");
        assert_eq!(text(&[shift(8, 10), shift(14, 16)]), "08 14");
        assert_eq!(text(&[shift(22, 30)]), "22");
        assert_eq!(between(&[shift(22, 30)])[0].to, time("23:59"));
        assert_eq!(text(&[]), "");
    }

    /// Issue 13.4: who is refused is told the nearest times, of his day first.
    #[test]
    fn the_nearest_come_first() {
        let wish = Wish {
            date: NaiveDate::from_ymd_opt(2026, 11, 25).expect("a date"),
            from: Some(time("09:00")),
            to: Some(time("10:00")),
        };
        let days = [
            day(24, true, &[]),
            day(25, false, &[("08:00", "10:00"), ("16:00", "18:00")]),
            day(27, false, &[("08:00", "10:00")]),
        ];
        let told: Vec<_> =
            nearest(wish, &days, 3).into_iter().map(|near| (near.date, near.time_from)).collect();
        let at = |text: &str| Some(text.to_owned());
        assert_eq!(told, [(days[1].date, at("08:00")), (days[1].date, at("16:00")), (days[0].date, None)]);
    }
}
