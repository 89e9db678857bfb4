//! One delivery as HTML.

use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use maud::{Markup, html};

use super::super::carried::{CarriedReturn, CarriedUnit};
use super::super::delivery::Delivery;
use super::super::state::State;
use super::{forms, texts};
use crate::execution::proofs::{Collections, Proof};
use crate::orders::customers::Range;
use crate::setup::files::FileLink;

/// The way of a delivery that goes well.
const WAY: [State; 4] = [State::Planned, State::OutForDelivery, State::Arrived, State::Delivered];

/// A delivery with what was recorded about it.
pub(super) struct Card {
    pub(super) token: String,
    /// Whether it is one of a rehearsal.
    pub(super) rehearsal: bool,
    pub(super) delivery: Delivery,
    pub(super) proofs: Collections,
    pub(super) units: Vec<CarriedUnit>,
    pub(super) returns: Vec<CarriedReturn>,
    /// What the map is drawn with, JSON.
    pub(super) map: String,
}

/// What a token that opens nothing shows.
pub(super) fn unknown(token: &str) -> Markup {
    html! { article { h2 { (token) } p class="error" role="alert" { (texts::UNKNOWN) } } }
}

impl Card {
    pub(super) fn markup(&self) -> Markup {
        let delivery = &self.delivery;
        let tone = match delivery.state {
            State::Delivered => "good",
            State::NotDelivered => "bad",
            _ if delivery.delayed => "warn",
            _ => "plain",
        };
        html! {
            article aria-label=(delivery.uid) data-token=(self.token) style=[accent(delivery)] {
                @if self.rehearsal { p class="rehearsal" role="note" { (texts::REHEARSAL) } }
                div class="head" {
                    @if let Some(logo) = &delivery.organisation.logo {
                        img src={ "/api" (logo) } alt=(delivery.organisation.name) height="32";
                    }
                    div {
                        h2 { (delivery.organisation.name) }
                        p class="quiet" {
                            (delivery.uid)
                            @if let Some(date) = delivery.scheduled_date { " · " (date.format("%Y/%m/%d").to_string()) }
                        }
                    }
                    strong class="state" data-tone=(tone) { (texts::name(delivery.state)) }
                }
                (self.way())
                p { (texts::meaning(delivery.state)) }
                (self.expected())
                (self.facts())
                (self.place())
                (self.carried())
                (self.proof())
                (self.foot())
            }
        }
    }

    fn zone(&self) -> Tz {
        self.delivery.timezone.parse().unwrap_or(Tz::UTC)
    }

    fn clock(&self, at: DateTime<Utc>) -> String {
        at.with_timezone(&self.zone()).format("%H:%M").to_string()
    }

    /// The moment of a proof, which is written in UTC.
    fn moment(&self, record_time: &str) -> String {
        NaiveDateTime::parse_from_str(record_time, "%Y-%m-%d %H:%M:%S").map_or_else(
            |_| record_time.to_owned(),
            |time| time.and_utc().with_timezone(&self.zone()).format("%Y/%m/%d %H:%M").to_string(),
        )
    }

    /// The steps, with the one that it has reached.
    fn way(&self) -> Markup {
        let state = self.delivery.state;
        let reached = match state {
            State::Received | State::NotPlanned => 0,
            State::Planned => 1,
            State::OutForDelivery | State::Next => 2,
            State::Arrived => 3,
            State::Delivered | State::NotDelivered => 4,
        };
        html! {
            ol class="way" {
                @for (at, step) in WAY.into_iter().enumerate() {
                    @let shown = if at == 3 && state == State::NotDelivered { state } else { step };
                    li data-done=[(at < reached).then_some("true")] aria-current=[(at + 1 == reached).then_some("step")] {
                        (texts::name(shown))
                    }
                }
            }
        }
    }

    fn expected(&self) -> Markup {
        let Delivery { eta_range, delayed, stops_before, not_heard_since, .. } = &self.delivery;
        html! {
            @if let Some(range) = eta_range {
                p {
                    span class="quiet" { (if *delayed { texts::DELAYED } else { texts::EXPECTED }) }
                    br;
                    strong class="time" { (self.span(range)) }
                }
            } @else if *delayed {
                p class="late" { (texts::DELAYED_UNKNOWN) }
            }
            @if let Some(since) = not_heard_since { p class="late" { (texts::not_heard_since(&self.clock(*since))) } }
            @if let Some(stops) = stops_before { p { (texts::stops_before(*stops)) } }
            @if let Some(asked) = &self.delivery.reschedule.requested {
                p class="late" { (texts::ASKED) ": " (asked.text()) }
            }
        }
    }

    /// When it comes: while the driver is on the road by how the run goes, before by the plan.
    fn span(&self, range: &Range) -> String {
        let (from, to) = (self.clock(range.from), self.clock(range.to));
        match self.delivery.state {
            State::OutForDelivery | State::Next if from == to => texts::about(&from),
            State::OutForDelivery | State::Next => texts::between(&from, &to),
            _ => format!("{from} – {to}"),
        }
    }

    fn facts(&self) -> Markup {
        let Delivery {
            customer_name, location, driver, comments, units_count, returns_count, wishes, ..
        } = &self.delivery;
        let count = |count: i64| (count > 0).then(|| count.to_string());
        let facts = [
            ("Customer name", customer_name.clone()),
            ("Address", Some(location.address.clone())),
            ("Your driver", driver.as_ref().map(|driver| driver.first_name.clone())),
            ("Comments", comments.clone()),
            (texts::INSTRUCTIONS, wishes.instructions.clone()),
            (texts::SAFE_PLACE, wishes.safe_place.clone()),
            ("Units", count(*units_count)),
            ("Returns", count(*returns_count)),
        ];
        html! {
            dl {
                @for (name, value) in facts {
                    @if let Some(value) = value { div { dt { (name) } dd { (value) } } }
                }
            }
        }
    }

    /// Where it goes and, when it is this customer's turn, where the vehicle is; drawn by the app.
    fn place(&self) -> Markup {
        let Delivery { location, vehicle_position, .. } = &self.delivery;
        let vehicle = vehicle_position.as_ref();
        html! {
            div class="map scripted" data-lat=(location.lat) data-lon=(location.lon) data-address=(location.address) data-config=(self.map)
                data-vehicle-lat=[vehicle.map(|at| at.lat)] data-vehicle-lon=[vehicle.map(|at| at.lon)] {
                button type="button" { (texts::SHOW_MAP) }
            }
        }
    }

    fn carried(&self) -> Markup {
        let units = self.units.iter().map(|unit| {
            (unit.uid.as_str(), unit.name.as_deref(), unit.unit_proofs.first().map(|found| &found.proof))
        });
        let returns = self
            .returns
            .iter()
            .map(|item| (item.uid.as_str(), None, item.return_proofs.first().map(|found| &found.proof)));
        let all: Vec<(&str, Option<&str>, Option<&Proof>)> = units.chain(returns).collect();
        html! {
            @if !all.is_empty() {
                details {
                    summary { (texts::ATTACHMENTS) }
                    ul {
                        @for (uid, name, proof) in all {
                            li {
                                (uid)
                                @if let Some(name) = name { " · " (name) }
                                @if let Some(proof) = proof {
                                    " · " (texts::mode(proof.mode.as_deref())) " " (self.moment(&proof.record_time))
                                    (pictures(proof))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn proof(&self) -> Markup {
        let Some(outcome) = &self.delivery.proof else { return html! {} };
        let latest = self.proofs.job_proofs.first().map(|found| &found.proof);
        html! {
            section {
                h3 { (texts::PROOF) }
                dl {
                    div { dt { "Recorded" } dd { (self.moment(&outcome.record_time)) } }
                    @if let Some(reason) = &outcome.reason { div { dt { "Reason" } dd { (reason) } } }
                    @if let Some(name) = &outcome.signature_name { div { dt { "Signed by" } dd { (name) } } }
                }
                @if let Some(proof) = latest { (pictures(proof)) }
                a class="button" download href={ "/api/jobs/tracking/" (self.token) "/proof_of_delivery_pdf" } {
                    (texts::DOWNLOAD)
                }
            }
        }
    }

    fn foot(&self) -> Markup {
        let organisation = &self.delivery.organisation;
        let open = !matches!(self.delivery.state, State::Delivered | State::NotDelivered);
        html! {
            @if organisation.contact_phone.is_some() || organisation.contact_email.is_some() {
                p class="quiet" {
                    (texts::CONTACT) ": "
                    @if let Some(phone) = &organisation.contact_phone { a href={ "tel:" (phone) } { (phone) } " " }
                    @if let Some(email) = &organisation.contact_email { a href={ "mailto:" (email) } { (email) } }
                }
            }
            @if open { (forms::wishes(&self.delivery.wishes)) }
            @if open && self.delivery.idm && self.delivery.reschedule.enabled {
                (forms::reschedule(&self.delivery.reschedule))
            }
        }
    }
}

fn pictures(proof: &Proof) -> Markup {
    let picture = |file: &FileLink, alt: &str| {
        html! { a href={ "/api" (file.link) } { img src={ "/api" (file.link) } alt=(alt) loading="lazy"; } }
    };
    html! {
        @if !proof.photos.0.is_empty() || proof.signature.is_some() {
            div class="pictures" {
                @for photo in &proof.photos.0 { (picture(photo, "Photo")) }
                @if let Some(signature) = &proof.signature { (picture(&signature.0, "Signature")) }
            }
        }
    }
}

/// The organisation's colour, which its settings have checked to be one.
fn accent(delivery: &Delivery) -> Option<String> {
    delivery.organisation.colour.as_ref().map(|colour| format!("--accent: {colour}"))
}
