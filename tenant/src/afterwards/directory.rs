//! Names that the directory of users and organisations knows.

use std::collections::HashMap;

use routewright_core::Result;

use crate::app::App;

/// Names from the directory, each looked up once.
pub(super) struct Names<'a> {
    app: &'a App,
    emails: HashMap<i64, Option<String>>,
    hauliers: HashMap<i64, Option<String>>,
}

impl<'a> Names<'a> {
    /// Of nobody yet.
    pub(super) fn new(app: &'a App) -> Self {
        Self { app, emails: HashMap::new(), hauliers: HashMap::new() }
    }

    /// The address of a user.
    ///
    /// # Errors
    /// Database faults.
    pub(super) async fn email(&mut self, user: Option<i64>) -> Result<Option<String>> {
        let Some(user) = user else { return Ok(None) };
        if !self.emails.contains_key(&user) {
            self.emails.insert(user, self.app.gate.policies.email_of(user).await?);
        }
        Ok(self.emails.get(&user).cloned().flatten())
    }

    /// The name of a haulier.
    ///
    /// # Errors
    /// Database faults.
    pub(super) async fn haulier(&mut self, haulier: Option<i64>) -> Result<Option<String>> {
        let Some(haulier) = haulier else { return Ok(None) };
        if !self.hauliers.contains_key(&haulier) {
            self.hauliers.insert(haulier, self.app.gate.policies.name_of(haulier).await?);
        }
        Ok(self.hauliers.get(&haulier).cloned().flatten())
    }
}
