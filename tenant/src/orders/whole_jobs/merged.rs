//! What becomes of the values of jobs that are merged (S-29). Pure.

use std::collections::BTreeMap;

use geo::{Distance, Haversine, Point};
use routewright_core::Error;
use routewright_solver::Size;
use routewright_solver::size::{Clause, Part};

use crate::orders::jobs::Job;

/// Merged jobs are for one stop: farther apart than this many metres they are two.
const FARTHEST: f64 = 200.0;

/// Values of the destination after the merge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Merged {
    /// Minutes.
    pub duration: f64,
    pub arrive_after: Option<String>,
    pub leave_by: Option<String>,
    pub size: Option<String>,
    pub spec_type: Option<String>,
    pub priority: bool,
    pub comments: Option<String>,
    pub invoice: Option<String>,
    pub reference: Option<String>,
    pub extra_fields: BTreeMap<String, String>,
}

impl Merged {
    /// The destination as it is.
    pub(super) fn of(job: &Job) -> Self {
        Self {
            duration: job.duration,
            arrive_after: job.arrive_after.clone(),
            leave_by: job.leave_by.clone(),
            size: job.size.clone(),
            spec_type: job.spec_type.clone(),
            priority: job.priority,
            comments: job.comments.clone(),
            invoice: job.invoice.clone(),
            reference: job.reference.clone(),
            extra_fields: job.extra_fields.0.clone(),
        }
    }

    /// Takes in a source.
    ///
    /// # Errors
    /// 400 when the two are not one stop or their windows do not meet.
    pub(super) fn take(&mut self, destination: &Job, source: &Job) -> Result<(), Error> {
        let place = |job: &Job| Point::new(job.location.lon, job.location.lat);
        if Haversine.distance(place(destination), place(source)) > FARTHEST {
            return Err(Error::bad_request(format!(
                "Job {} is more than 200 m away from job {}",
                source.uid, destination.uid
            )));
        }
        self.duration += source.duration;
        // `HH:mm` texts compare as times do.
        self.arrive_after = self.arrive_after.take().max(source.arrive_after.clone());
        self.leave_by = match (self.leave_by.take(), source.leave_by.clone()) {
            (Some(mine), Some(other)) => Some(mine.min(other)),
            (mine, other) => mine.or(other),
        };
        if let (Some(from), Some(to)) = (&self.arrive_after, &self.leave_by)
            && from > to
        {
            return Err(Error::bad_request(format!(
                "The time windows of job {} and job {} do not overlap",
                destination.uid, source.uid
            )));
        }
        self.size = add_sizes(self.size.as_deref(), source.size.as_deref())?;
        self.spec_type = join(self.spec_type.take(), source.spec_type.as_deref(), ",");
        self.priority |= source.priority;
        self.comments = join(self.comments.take(), source.comments.as_deref(), "; ");
        self.invoice = join(self.invoice.take(), source.invoice.as_deref(), "; ");
        self.reference = join(self.reference.take(), source.reference.as_deref(), "; ");
        for (name, value) in source.extra_fields.iter() {
            self.extra_fields.entry(name.clone()).or_insert_with(|| value.clone());
        }
        Ok(())
    }
}

/// Joins two lists without repeating what is there.
fn join(mine: Option<String>, other: Option<&str>, separator: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in mine.as_deref().into_iter().chain(other).flat_map(|text| text.split(separator)) {
        let part = part.trim();
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    (!parts.is_empty()).then(|| parts.join(separator))
}

/// Adds sizes per key. Alternatives of one size meet those of the other one by one, or each with each when their
/// numbers differ.
fn add_sizes(mine: Option<&str>, other: Option<&str>) -> Result<Option<String>, Error> {
    let (Some(mine), Some(other)) = (mine, other) else {
        return Ok(mine.or(other).map(str::to_owned));
    };
    let wrong = |_| Error::field("size", "Value is not a valid size");
    let (mine, other): (Size, Size) = (mine.parse().map_err(wrong)?, other.parse().map_err(wrong)?);
    let mut clauses: Vec<Clause> = Vec::new();
    if mine.0.len() == other.0.len() {
        clauses.extend(mine.0.iter().zip(&other.0).map(|(mine, other)| add(mine, other)));
    } else {
        for mine in &mine.0 {
            clauses.extend(other.0.iter().map(|other| add(mine, other)));
        }
    }
    let sum = Size(clauses).to_string();
    // A sum may have more digits than a size can have.
    sum.parse::<Size>().map_err(wrong)?;
    Ok(Some(sum))
}

fn add(mine: &Clause, other: &Clause) -> Clause {
    let mut parts: Vec<Part> = Vec::new();
    for part in mine.0.iter().chain(&other.0) {
        match parts.iter_mut().find(|known| known.key == part.key) {
            Some(known) => known.amount += part.amount,
            None => parts.push(part.clone()),
        }
    }
    Clause(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_add_per_key() {
        let sum = |mine, other| add_sizes(mine, other).unwrap();
        assert_eq!(sum(Some("pallets:2&weight:350.5"), Some("weight:10")).unwrap(), "pallets:2&weight:360.5");
        assert_eq!(sum(Some("pallets:2|3"), Some("pallets:1|1")).unwrap(), "pallets:3|4");
        assert_eq!(sum(Some("pallets:2|3"), Some("1")).unwrap(), "pallets:2&1|4");
        assert_eq!(sum(None, Some("2")).unwrap(), "2");
        assert_eq!(sum(None, None), None);
        assert!(add_sizes(Some("99999999999"), Some("1")).is_err());
    }

    #[test]
    fn texts_are_joined_without_repeats() {
        let joined = |mine: &str, other: &str| join(Some(mine.to_owned()), Some(other), "; ");
        assert_eq!(joined("Ring", "Ring; Gate 2").unwrap(), "Ring; Gate 2");
        assert_eq!(join(None, Some("A"), "; ").unwrap(), "A");
        assert_eq!(join(None, None, "; "), None);
    }
}
