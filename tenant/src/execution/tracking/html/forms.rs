//! Forms of a delivery. They are sent by the app: the API takes JSON.

use maud::{Markup, html};

use super::super::delivery::RescheduleTerms;
use super::super::wishes::{LONGEST, LONGEST_PLACE, Wishes};
use super::texts;

/// Asks for another day and time, of those that the app fetches when it is opened.
pub(super) fn reschedule(terms: &RescheduleTerms) -> Markup {
    html! {
        details class="scripted" {
            summary { (texts::RESCHEDULE) }
            form class="reschedule" data-sent=(texts::RESCHEDULE_SENT) data-moved=(texts::RESCHEDULED) data-none=(texts::NO_SLOTS)
                data-any=(texts::ANY_TIME) data-failed=(texts::FAILED) {
                p class="quiet" data-waiting { (texts::LOOKING) }
                fieldset disabled {
                    label { (texts::RESCHEDULE_DATE) select name="date" required {} }
                    label data-planned { (texts::RESCHEDULE_TIME) select name="span" {} }
                    div class="pair" data-open hidden {
                        label { (texts::RESCHEDULE_FROM) input type="time" name="time_from"; }
                        label { (texts::RESCHEDULE_TO) input type="time" name="time_to"; }
                    }
                    @if terms.allow_note {
                        label { (texts::RESCHEDULE_NOTE) textarea name="note" rows="2" maxlength="4000" {} }
                    }
                    button { (texts::SEND) }
                }
                p role="status" {}
                div class="near" data-title=(texts::NEAREST) {}
            }
        }
    }
}

/// A word to the driver, and where it may be left.
pub(super) fn wishes(wishes: &Wishes) -> Markup {
    let Wishes { may_instruct, may_name_place, instructions, safe_place } = wishes;
    html! {
        @if *may_instruct || *may_name_place {
            details class="scripted" {
                summary { (texts::WISHES) }
                form class="wishes" data-sent=(texts::WISHES_SENT) data-failed=(texts::FAILED) {
                    @if *may_instruct {
                        label {
                            (texts::INSTRUCTIONS)
                            textarea name="instructions" rows="3" maxlength=(LONGEST) placeholder=(texts::INSTRUCTIONS_HINT) {
                                (instructions.as_deref().unwrap_or_default())
                            }
                        }
                    }
                    @if *may_name_place {
                        label {
                            (texts::SAFE_PLACE)
                            input name="safe_place" maxlength=(LONGEST_PLACE) placeholder=(texts::SAFE_PLACE_HINT)
                                value=(safe_place.as_deref().unwrap_or_default());
                        }
                    }
                    p class="quiet" { (texts::WISHES_HELP) }
                    button { (texts::SAVE) }
                    p role="status" {}
                }
            }
        }
    }
}
