//! Takes queued jobs of all organisations in turn: each may have a few at work at the same time, and whoever had one goes
//! to the end of the line. Only organisations that are known to have something wait in it, so that a job that was just
//! announced never waits for others to be asked whether they have one.

use std::collections::HashMap;
use std::time::Duration;

use routewright_bus::queue::{self, Claimed};
use routewright_bus::{Notice, Notices};
use routewright_core::transaction::watched;
use routewright_core::{OrganisationId, Result};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

use super::line::Line;
use super::sweep::{self, Found};

use crate::app::App;
use crate::assignment::{Assignment, Kind};
use crate::setup::post;

/// Lease of a job; renewed three times as often.
const LEASE: Duration = Duration::from_secs(30);
/// How often all organisations are looked after.
const SWEEP: Duration = Duration::from_secs(30);
/// Pause before an organisation whose jobs could not be claimed gets another turn.
const CLAIM_AGAIN: Duration = Duration::from_secs(2);
/// Shortest pause before another look, for what another worker is just taking.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// Outboxes that are emptied at the same time.
const POSTS: usize = 8;

/// What an organisation's queue had to offer.
enum Offer {
    /// A job, now in the hands of this worker.
    Job(Box<Assignment>, Kind),
    /// One that is due after this pause.
    Later(Duration),
    /// Nothing for this release.
    Nothing,
}

/// The worker of this process.
pub(super) struct Worker {
    app: App,
    kinds: Vec<Kind>,
    name: String,
    /// Organisations with queued jobs.
    line: Line,
    /// Jobs at work and claims on their way, by organisation.
    at_work: HashMap<i64, usize>,
    claims: JoinSet<(OrganisationId, Offer)>,
    jobs: JoinSet<OrganisationId>,
    /// Organisations whose next job is due before the next sweep.
    pauses: HashMap<i64, AbortOnDropHandle<()>>,
    /// Organisations with messages in their outbox.
    post_line: Line,
    /// Organisations whose outbox is being emptied, and whether it has to be looked at again.
    posting: HashMap<i64, bool>,
    posts: JoinSet<OrganisationId>,
    sweeping: Option<AbortOnDropHandle<()>>,
    /// Whether to look everywhere once more when the sweep that runs has ended.
    sweep_again: bool,
    finds: (UnboundedSender<Found>, UnboundedReceiver<Found>),
}

impl Worker {
    pub(super) fn new(app: App, kinds: Vec<Kind>) -> Self {
        Self {
            app,
            kinds,
            name: format!("tenant/{}", std::process::id()),
            line: Line::default(),
            at_work: HashMap::new(),
            claims: JoinSet::new(),
            jobs: JoinSet::new(),
            pauses: HashMap::new(),
            post_line: Line::default(),
            posting: HashMap::new(),
            posts: JoinSet::new(),
            sweeping: None,
            sweep_again: false,
            finds: mpsc::unbounded_channel(),
        }
    }

    /// Works for the life of the process. Nothing is waited for in here but the next thing that happens: a database that
    /// is slow for one organisation keeps nobody else waiting.
    pub(super) async fn run(mut self, mut notices: Notices) {
        let mut clock = tokio::time::interval(SWEEP);
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            self.claim_jobs();
            self.empty_outboxes();
            tokio::select! {
                notice = notices.next() => match notice {
                    Some(notice) => self.hear(notice),
                    None => return,
                },
                Some(ended) = self.claims.join_next() => self.claim_ended(ended),
                Some(ended) = self.jobs.join_next() => self.job_ended(ended),
                Some(ended) = self.posts.join_next() => self.post_ended(ended),
                Some(found) = self.finds.1.recv() => match found {
                    Found::Jobs(organisation) => self.line.enter(organisation),
                    Found::Messages(organisation) => self.post(organisation),
                },
                () = ended(&mut self.sweeping) => {
                    self.sweeping = None;
                    if std::mem::take(&mut self.sweep_again) {
                        self.sweep();
                    }
                }
                _ = clock.tick() => if self.sweeping.is_none() { self.sweep() },
            }
        }
    }

    fn hear(&mut self, notice: Notice) {
        match notice {
            Notice::Job { organisation: Some(organisation) } => {
                self.app.solvers.look(organisation);
                self.line.enter(organisation);
            }
            Notice::Message { organisation: Some(organisation) } => self.post(organisation),
            Notice::Resynchronise if self.sweeping.is_some() => self.sweep_again = true,
            Notice::Resynchronise => self.sweep(),
            _ => {}
        }
    }

    /// Every organisation may have something to do; and what others left behind is taken up.
    fn sweep(&mut self) {
        let kinds = self.kinds.iter().map(|kind| kind.name).collect();
        let sweep = sweep::all(self.app.clone(), kinds, self.finds.0.clone());
        self.sweeping = Some(AbortOnDropHandle::new(tokio::spawn(sweep)));
    }

    /// Lets organisations in line fill the free places.
    fn claim_jobs(&mut self) {
        let total = self.app.config.worker_jobs;
        let each = (total / 2).max(1);
        while self.jobs.len() + self.claims.len() < total {
            let at_work = &self.at_work;
            let may =
                |organisation: OrganisationId| at_work.get(&organisation.get()).copied().unwrap_or(0) < each;
            let Some(organisation) = self.line.next(may) else { return };
            *self.at_work.entry(organisation.get()).or_default() += 1;
            let claim = claim(self.app.clone(), self.kinds.clone(), self.name.clone(), organisation);
            self.claims.spawn(async move {
                let offer = claim.await.unwrap_or_else(|error| {
                    tracing::debug!(%organisation, %error, "jobs cannot be claimed");
                    Offer::Later(CLAIM_AGAIN)
                });
                (organisation, offer)
            });
        }
    }

    fn claim_ended(&mut self, ended: Result<(OrganisationId, Offer), tokio::task::JoinError>) {
        match ended {
            Ok((organisation, Offer::Job(assignment, kind))) => {
                // It may have more.
                self.line.enter(organisation);
                self.jobs.spawn(async move {
                    carry_out(*assignment, kind).await;
                    organisation
                });
            }
            Ok((organisation, Offer::Later(pause))) => {
                self.leave(organisation);
                self.wait(organisation, pause);
            }
            Ok((organisation, Offer::Nothing)) => self.leave(organisation),
            Err(error) => {
                tracing::error!(%error, "claiming a job broke down");
                self.count_again();
            }
        }
    }

    /// Lets an organisation enter the line after a pause; a longer one ends with a sweep.
    fn wait(&mut self, organisation: OrganisationId, pause: Duration) {
        self.pauses.retain(|_, pause| !pause.is_finished());
        if pause > SWEEP {
            return;
        }
        let found = self.finds.0.clone();
        let pause = tokio::spawn(async move {
            tokio::time::sleep(pause.max(LOOK_AGAIN)).await;
            // The worker is gone together with the process when nobody hears.
            found.send(Found::Jobs(organisation)).unwrap_or_default();
        });
        self.pauses.insert(organisation.get(), AbortOnDropHandle::new(pause));
    }

    fn job_ended(&mut self, ended: Result<OrganisationId, tokio::task::JoinError>) {
        match ended {
            Ok(organisation) => {
                self.leave(organisation);
                // What failed is due again after a pause.
                self.line.enter(organisation);
            }
            Err(error) => {
                tracing::error!(%error, "a job's guard broke down");
                self.count_again();
            }
        }
    }

    fn leave(&mut self, organisation: OrganisationId) {
        if let Some(count) = self.at_work.get_mut(&organisation.get()) {
            *count = count.saturating_sub(1);
        }
        self.at_work.retain(|_, count| *count > 0);
    }

    /// After a breakdown nobody knows whose it was; each organisation gets a place back rather than losing one for good.
    fn count_again(&mut self) {
        for count in self.at_work.values_mut() {
            *count = count.saturating_sub(1);
        }
        self.at_work.retain(|_, count| *count > 0);
    }

    fn post(&mut self, organisation: OrganisationId) {
        match self.posting.get_mut(&organisation.get()) {
            Some(again) => *again = true,
            None => self.post_line.enter(organisation),
        }
    }

    fn empty_outboxes(&mut self) {
        while self.posts.len() < POSTS {
            let Some(organisation) = self.post_line.next(|_| true) else { return };
            self.posting.insert(organisation.get(), false);
            let app = self.app.clone();
            self.posts.spawn(async move {
                if let Err(error) = watched("outbox", post::send_all(&app, organisation)).await {
                    tracing::debug!(%organisation, %error, "the outbox cannot be emptied");
                }
                organisation
            });
        }
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

/// When the sweep has ended; never without one.
async fn ended(sweeping: &mut Option<AbortOnDropHandle<()>>) {
    match sweeping {
        Some(sweep) => {
            if let Err(error) = sweep.await {
                tracing::error!(%error, "looking after organisations broke down");
            }
        }
        None => std::future::pending().await,
    }
}

/// Takes the next job of an organisation.
async fn claim(app: App, kinds: Vec<Kind>, worker: String, organisation: OrganisationId) -> Result<Offer> {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let caller = app.gate.worker(organisation).await?;
    let tenant = app.tenants.of(&caller)?;
    let mut work = tenant.begin().await?;
    let claimed = queue::claim(&mut work, &worker, &names, LEASE).await?;
    let pause = match claimed {
        Some(_) => None,
        None => queue::next_due(&mut work, &names).await?,
    };
    work.commit().await?;
    let Some(claimed) = claimed else { return Ok(pause.map_or(Offer::Nothing, Offer::Later)) };
    let kind = kinds.iter().find(|kind| kind.name == claimed.kind).copied();
    Ok(kind.map_or(Offer::Nothing, |kind| {
        let tenant = tenant.named(kind.name);
        Offer::Job(Box::new(Assignment { app, caller, tenant, claimed }), kind)
    }))
}

/// Does a job, keeps its lease meanwhile, and notes a failure. A panic is a failure.
async fn carry_out(assignment: Assignment, kind: Kind) {
    let (claimed, tenant) = (assignment.claimed.clone(), assignment.tenant.clone());
    // Dropped together with the worker, as when the process dies.
    let mut job = AbortOnDropHandle::new(tokio::spawn(watched(kind.name, (kind.run)(assignment))));
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
