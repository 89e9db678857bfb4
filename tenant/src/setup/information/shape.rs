//! The groups as the API document describes them: the path says which one travels.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::groups::{App, DeliveryTracking, Dispatch, Notification, Reschedule, Udf};
use super::proof_of_delivery::ProofOfDelivery;

/// A group as it is set.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Information {
    Reschedule(Reschedule),
    Notification(Notification),
    App(App),
    ProofOfDelivery(ProofOfDelivery),
    DeliveryTracking(DeliveryTracking),
    Dispatch(Dispatch),
    Udf(Udf),
}

/// A group as it is given; nothing of it must be.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Given(pub(super) Map<String, Value>);

impl JsonSchema for Given {
    fn schema_name() -> Cow<'static, str> {
        "InformationFields".into()
    }

    // Not by reference: answers, which refer to the groups, carry all fields.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [
            Reschedule::json_schema(generator),
            Notification::json_schema(generator),
            App::json_schema(generator),
            ProofOfDelivery::json_schema(generator),
            DeliveryTracking::json_schema(generator),
            Dispatch::json_schema(generator),
            Udf::json_schema(generator),
        ]})
    }
}
