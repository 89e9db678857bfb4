//! Takes queued jobs of all organisations in turn: each may have a few at work at the same time, and whoever had one goes
//! to the end of the line.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use routewright_bus::queue::{self, Claimed};
use routewright_bus::{Notice, Notices};
use routewright_core::{OrganisationId, Result};
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

use super::{Assignment, Kind, outbox, sweep};
use crate::app::App;

/// Lease of a job; renewed three times as often.
const LEASE: Duration = Duration::from_secs(30);
/// How often organisations are asked whether something is due or was left behind.
const SWEEP: Duration = Duration::from_secs(30);

/// Organisations that are asked for work before notices are heard again.
const ASKED_AT_ONCE: usize = 4;

/// The worker of this process.
pub(super) struct Worker {
    app: App,
    kinds: Vec<Kind>,
    name: String,
    /// Organisations that may have something to do, in turn.
    line: VecDeque<OrganisationId>,
    /// The same, to be asked quickly.
    in_line: BTreeSet<i64>,
    /// Jobs at work, by organisation.
    at_work: HashMap<i64, usize>,
    jobs: JoinSet<OrganisationId>,
    /// Organisations whose outbox is being emptied, and whether it has to be looked at again.
    posting: HashMap<i64, bool>,
    posts: JoinSet<OrganisationId>,
    sweeping: Option<tokio::task::JoinHandle<()>>,
}

impl Worker {
    pub(super) fn new(app: App, kinds: Vec<Kind>) -> Self {
        Self {
            app,
            kinds,
            name: format!("tenant/{}", std::process::id()),
            line: VecDeque::new(),
            in_line: BTreeSet::new(),
            at_work: HashMap::new(),
            jobs: JoinSet::new(),
            posting: HashMap::new(),
            posts: JoinSet::new(),
            sweeping: None,
        }
    }

    /// Works for the life of the process.
    pub(super) async fn run(mut self, mut notices: Notices) {
        let mut clock = tokio::time::interval(SWEEP);
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let more = self.take_jobs().await;
            tokio::select! {
                // Who has just queued something is heard before the next ones are asked.
                biased;
                notice = notices.next() => match notice {
                    Some(notice) => self.hear(notice).await,
                    None => return,
                },
                Some(ended) = self.jobs.join_next() => self.job_ended(ended),
                Some(ended) = self.posts.join_next() => self.post_ended(ended),
                _ = clock.tick() => self.look_everywhere().await,
                () = std::future::ready(()), if more => {}
            }
        }
    }

    async fn hear(&mut self, notice: Notice) {
        match notice {
            Notice::Job { organisation: Some(organisation) } => {
                self.app.solvers.look(organisation);
                self.enter_first(organisation);
            }
            Notice::Message { organisation: Some(organisation) } => self.post(organisation),
            Notice::Resynchronise => self.look_everywhere().await,
            _ => {}
        }
    }

    fn enter(&mut self, organisation: OrganisationId) {
        if self.in_line.insert(organisation.get()) {
            self.line.push_back(organisation);
        }
    }

    /// An organisation that is known to have something to do does not wait behind those that may have.
    fn enter_first(&mut self, organisation: OrganisationId) {
        if !self.in_line.insert(organisation.get()) {
            self.line.retain(|other| *other != organisation);
        }
        self.line.push_front(organisation);
    }

    /// Every organisation may have something to do; and what others left behind is taken up.
    async fn look_everywhere(&mut self) {
        let organisations = match self.app.gate.policies.organisations().await {
            Ok(organisations) => organisations,
            Err(error) => {
                tracing::warn!(%error, "organisations cannot be listed");
                return;
            }
        };
        for organisation in &organisations {
            self.enter(*organisation);
            self.post(*organisation);
        }
        if self.sweeping.as_ref().is_none_or(tokio::task::JoinHandle::is_finished) {
            self.sweeping = Some(tokio::spawn(sweep::all(self.app.clone(), organisations)));
        }
    }

    /// Fills free places, asking a few organisations at a time. Answers whether others are still to be asked.
    async fn take_jobs(&mut self) -> bool {
        let total = self.app.config.worker_jobs;
        let each = (total / 2).max(1);
        let mut passed_over = 0;
        let mut asked = 0;
        while self.jobs.len() < total && passed_over < self.line.len() {
            if asked == ASKED_AT_ONCE {
                return true;
            }
            let Some(organisation) = self.line.pop_front() else { return false };
            if self.at_work.get(&organisation.get()).copied().unwrap_or(0) >= each {
                self.line.push_back(organisation);
                passed_over += 1;
                continue;
            }
            asked += 1;
            match self.claim(organisation).await {
                Ok(Some(assignment)) => {
                    self.line.push_back(organisation);
                    self.begin(organisation, assignment);
                }
                Ok(None) => {
                    self.in_line.remove(&organisation.get());
                }
                Err(error) => {
                    self.in_line.remove(&organisation.get());
                    tracing::debug!(%organisation, %error, "jobs cannot be claimed");
                }
            }
        }
        false
    }

    async fn claim(&self, organisation: OrganisationId) -> Result<Option<(Assignment, Kind)>> {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name).collect();
        let caller = self.app.gate.worker(organisation).await?;
        let tenant = self.app.tenants.of(&caller)?;
        let mut work = tenant.begin().await?;
        let claimed = queue::claim(&mut work, &self.name, &names, LEASE).await?;
        work.commit().await?;
        let Some(claimed) = claimed else { return Ok(None) };
        let kind = self.kinds.iter().find(|kind| kind.name == claimed.kind).copied();
        Ok(kind.map(|kind| (Assignment { app: self.app.clone(), caller, tenant, claimed }, kind)))
    }

    fn begin(&mut self, organisation: OrganisationId, (assignment, kind): (Assignment, Kind)) {
        *self.at_work.entry(organisation.get()).or_default() += 1;
        self.jobs.spawn(async move {
            carry_out(assignment, kind).await;
            organisation
        });
    }

    fn job_ended(&mut self, ended: Result<OrganisationId, tokio::task::JoinError>) {
        match ended {
            Ok(organisation) => {
                if let Some(count) = self.at_work.get_mut(&organisation.get()) {
                    *count = count.saturating_sub(1);
                }
                self.at_work.retain(|_, count| *count > 0);
            }
            Err(error) => tracing::error!(%error, "a job's guard broke down"),
        }
    }

    fn post(&mut self, organisation: OrganisationId) {
        if let Some(again) = self.posting.get_mut(&organisation.get()) {
            *again = true;
            return;
        }
        self.posting.insert(organisation.get(), false);
        let app = self.app.clone();
        self.posts.spawn(async move {
            if let Err(error) = outbox::empty(&app, organisation).await {
                tracing::debug!(%organisation, %error, "the outbox cannot be emptied");
            }
            organisation
        });
    }

    fn post_ended(&mut self, ended: Result<OrganisationId, tokio::task::JoinError>) {
        match ended {
            Ok(organisation) => {
                if self.posting.remove(&organisation.get()) == Some(true) {
                    self.post(organisation);
                }
            }
            Err(error) => {
                tracing::error!(%error, "emptying an outbox broke down");
                self.posting.clear();
            }
        }
    }
}

/// Does a job, keeps its lease meanwhile, and notes a failure. A panic is a failure.
async fn carry_out(assignment: Assignment, kind: Kind) {
    let (claimed, tenant) = (assignment.claimed.clone(), assignment.tenant.clone());
    // Dropped together with the worker, as when the process dies.
    let mut job = AbortOnDropHandle::new(tokio::spawn((kind.run)(assignment)));
    let ended = loop {
        tokio::select! {
            ended = &mut job => break ended,
            () = tokio::time::sleep(LEASE / 3) => {
                if let Err(error) = keep_lease(&tenant, &claimed).await {
                    tracing::warn!(job = %claimed.id, kind = kind.name, %error, "a job's lease cannot be kept");
                }
            }
        }
    };
    let reason = match ended {
        Ok(Ok(())) => return,
        Ok(Err(error)) => {
            error.causes().map_or_else(|| error.description(), |causes| format!("{error}: {causes}"))
        }
        Err(error) => error.to_string(),
    };
    tracing::warn!(job = %claimed.id, kind = kind.name, attempt = claimed.attempts, reason, "job failed");
    if let Err(error) = note_failure(&tenant, &claimed, &reason).await {
        tracing::warn!(job = %claimed.id, %error, "a failed job cannot be noted");
    }
}

async fn keep_lease(tenant: &routewright_tenancy::Tenant, claimed: &Claimed) -> Result<()> {
    let mut work = tenant.begin().await?;
    queue::heartbeat(&mut work, claimed, LEASE, None).await?;
    work.commit().await
}

async fn note_failure(tenant: &routewright_tenancy::Tenant, claimed: &Claimed, reason: &str) -> Result<()> {
    let mut work = tenant.begin().await?;
    queue::fail(&mut work, claimed, reason).await?;
    work.commit().await
}
