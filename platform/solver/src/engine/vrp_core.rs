//! The vrp-core library as an engine.
//!
//! What it knows by itself: travel, windows, shift, costs. Types, territories, capacity clauses, breaks, open
//! starts and alternatives groups are one custom constraint here, because its own features differ from our
//! rules in detail (a required break, for one, is placed at its latest time). Linked stops are one job whose
//! parts are visited in a fixed order. Locked runs are left out; a locked prefix becomes the vehicle's start.
//!
//! Known of 1.25: a termination set on the builder is ignored, so limits are the quota of the environment and
//! the time on the built config; there is no seed; locks and warm starts are not checked, so neither is used:
//! the guard compares the result with the current plan.

use std::sync::Arc;

use vrp_core::construction::features::create_minimize_tours_feature;
use vrp_core::models::common::{Distance, Duration, Location, Profile, TimeWindow};
use vrp_core::models::problem::{Actor, Single, TravelTime};
use vrp_core::models::solution::Route;
use vrp_core::prelude::{
    ConstraintViolation, Cost, Feature, FeatureBuilder, FeatureConstraint, Float, GenericError,
    GoalContextBuilder, Job, MinimizeUnassignedBuilder, MoveContext, MultiBuilder, ProblemBuilder,
    RouteContext, SingleBuilder, SolutionContext, Solver, TransportCost, TransportFeatureBuilder, Vehicle,
    VehicleBuilder, VehicleDetailBuilder, ViolationCode, VrpConfigBuilder,
};
use vrp_core::rosomaxa::prelude::{DefaultRandom, Environment, TelemetryMode};
use vrp_core::rosomaxa::utils::{Parallelism, Quota};

use super::guard::{self, Board, Search};
use super::{Budget, Cancel, Engine, Progress, SolveError};
use crate::load;
use crate::model::{FAR, Model};
use crate::objective::Weights;
use crate::plan::Plan;
use crate::problem::{Objective, Problem, Sequences};
use crate::timing::Lane;

/// The vrp-core library.
#[derive(Debug, Clone, Copy, Default)]
pub struct VrpCore;

impl Engine for VrpCore {
    fn name(&self) -> &'static str {
        "vrp-core"
    }

    fn solve(
        &self,
        problem: &Problem,
        budget: Budget,
        progress: &mut dyn FnMut(Progress),
        cancel: &Cancel,
    ) -> Result<Plan, SolveError> {
        guard::solve(*self, problem, budget, progress, cancel)
    }
}

impl Search for VrpCore {
    fn search(&self, model: &Arc<Model>, start: Sequences, board: &Arc<Board>) -> Sequences {
        // Anything it refuses to work on keeps the plan it started from.
        run(model, &start, board).unwrap_or(start)
    }
}

struct StopKey;
struct VehicleKey;

/// Costs are handed over as floats; points are far below where that loses anything.
#[expect(clippy::cast_precision_loss, reason = "points and seconds are far below 2^53")]
fn float(value: i64) -> Float {
    value as Float
}

fn run(model: &Arc<Model>, start: &Sequences, board: &Arc<Board>) -> Result<Sequences, GenericError> {
    let free: Vec<usize> =
        (0..model.vehicles.len()).filter(|vehicle| !model.vehicles[*vehicle].locked).collect();
    let jobs = jobs(model)?;
    if free.is_empty() || jobs.is_empty() {
        return Ok(start.clone());
    }
    let vehicles = free.iter().map(|vehicle| vehicle_of(model, *vehicle)).collect::<Result<Vec<_>, _>>()?;
    let transport: Arc<dyn TransportCost> = Arc::new(Travel { model: Arc::clone(model) });
    let problem = ProblemBuilder::default()
        .add_jobs(jobs.into_iter())
        .add_vehicles(vehicles.into_iter())
        .with_vehicle_similarity(|_| Box::new(vehicle_index))
        .with_goal(GoalContextBuilder::with_features(&features(model, &transport)?)?.build()?)
        .with_transport_cost(transport)
        .with_logger(Arc::new(|_| {}))
        .build()?;
    let problem = Arc::new(problem);
    let environment = environment(board);
    let seconds = board.budget.time.as_secs().saturating_add(1);
    let config = VrpConfigBuilder::new(Arc::clone(&problem))
        .set_environment(environment)
        .set_telemetry_mode(TelemetryMode::None)
        .prebuild()?
        .with_max_time(usize::try_from(seconds).ok())
        .with_max_generations(board.budget.iterations.and_then(|limit| usize::try_from(limit).ok()))
        .build()?;
    let solution = Solver::new(problem, config).solve()?;
    let mut sequences: Sequences =
        (0..model.vehicles.len()).map(|vehicle| model.locked_stops(vehicle).to_vec()).collect();
    for route in &solution.routes {
        sequences[vehicle_index(&route.actor)].extend(stops_of(route));
    }
    Ok(sequences)
}

/// Its own thread pool and the end of the search.
fn environment(board: &Arc<Board>) -> Arc<Environment> {
    let quota: Arc<dyn Quota> = Arc::new(Stop(Arc::clone(board)));
    Arc::new(Environment::new(
        Arc::new(DefaultRandom::default()),
        Some(quota),
        Parallelism::new(1, board.budget.threads.max(1)),
        Arc::new(|_| {}),
        false,
    ))
}

struct Stop(Arc<Board>);

impl Quota for Stop {
    fn is_reached(&self) -> bool {
        self.0.is_over()
    }
}

fn vehicle_index(actor: &Actor) -> usize {
    actor.vehicle.dimens.get_value::<VehicleKey, usize>().copied().unwrap_or_default()
}

fn stops_of(route: &Route) -> impl Iterator<Item = usize> + '_ {
    route
        .tour
        .all_activities()
        .filter_map(|activity| activity.job.as_ref())
        .filter_map(|single| stop_of(single))
}

fn stop_of(single: &Single) -> Option<usize> {
    single.dimens.get_value::<StopKey, usize>().copied()
}

fn stops_in(job: &Job) -> Vec<usize> {
    match job {
        Job::Single(single) => stop_of(single).into_iter().collect(),
        Job::Multi(multi) => multi.jobs.iter().filter_map(|single| stop_of(single)).collect(),
    }
}

fn jobs(model: &Model) -> Result<Vec<Job>, GenericError> {
    let locked: Vec<usize> =
        (0..model.vehicles.len()).flat_map(|vehicle| model.locked_stops(vehicle)).copied().collect();
    let mut jobs = Vec::new();
    for stop in (0..model.stops.len()).filter(|stop| model.stops[*stop].component.is_none()) {
        if !locked.contains(&stop) {
            jobs.push(Job::Single(Arc::new(single(model, stop)?)));
        }
    }
    for component in model.components.iter().filter(|component| !component.cyclic) {
        if component.members.iter().any(|stop| locked.contains(stop)) {
            continue;
        }
        let mut multi = MultiBuilder::default();
        for &stop in &component.members {
            multi = multi.add_job(single(model, stop)?);
        }
        jobs.push(multi.build_as_job()?);
    }
    Ok(jobs)
}

fn single(model: &Model, stop: usize) -> Result<Single, GenericError> {
    let data = &model.stops[stop];
    SingleBuilder::default()
        .dimension(|dimens| {
            dimens.set_value::<StopKey, usize>(stop);
        })
        .location(data.place)?
        .duration(float(data.service))?
        .times(vec![TimeWindow::new(float(data.earliest), float(data.latest.max(data.earliest)))])?
        .build()
}

fn vehicle_of(model: &Model, vehicle: usize) -> Result<Vehicle, GenericError> {
    let data = &model.vehicles[vehicle];
    let weights = Weights::of(model, vehicle);
    let prefix = model.locked_stops(vehicle);
    let place = prefix.last().map_or(data.start, |stop| model.stops[*stop].place);
    let depart = Lane::new(model, vehicle, prefix.to_vec()).free_at_end(model);
    let mut built = VehicleBuilder::default()
        .add_detail(
            VehicleDetailBuilder::default()
                .set_start_location(place)
                .set_start_time(float(depart))
                .set_start_time_latest(float(depart))
                .set_end_location(data.end)
                .set_end_time(float(data.shift_end.max(depart)))
                .build()?,
        )
        .set_profile_idx(data.profile)
        .dimension(|dimens| {
            dimens.set_value::<VehicleKey, usize>(vehicle);
        })
        .build()?;
    built.costs.fixed = if prefix.is_empty() { float(weights.fixed) } else { 0.0 };
    built.costs.per_distance = float(weights.metre);
    built.costs.per_driving_time = float(weights.driving + weights.working + weights.balance);
    built.costs.per_waiting_time = float(weights.working);
    built.costs.per_service_time = float(weights.working);
    Ok(built)
}

fn features(model: &Arc<Model>, transport: &Arc<dyn TransportCost>) -> Result<Vec<Feature>, GenericError> {
    let estimated = Arc::clone(model);
    let unassigned =
        MinimizeUnassignedBuilder::new("unserved").set_job_estimator(move |_: &SolutionContext, job| {
            stops_in(job)
                .into_iter()
                .map(|stop| match &estimated.stops[stop] {
                    data if data.penalty.is_some() => 0.001,
                    data if data.priority => 1000.0,
                    _ => 1.0,
                })
                .sum()
        });
    let mut features = vec![unassigned.build()?];
    if model.rules.objective == Objective::FewestRuns {
        features.push(create_minimize_tours_feature("runs")?);
    }
    let travel = TransportFeatureBuilder::new("travel").set_transport_cost(Arc::clone(transport));
    features.push(travel.build_minimize_cost()?);
    let constraint = ProductRules { model: Arc::clone(model) };
    features.push(FeatureBuilder::default().with_name("rules").with_constraint(constraint).build()?);
    Ok(features)
}

/// Travel from the compiled matrices.
struct Travel {
    model: Arc<Model>,
}

impl Travel {
    fn driving(&self, profile: usize, from: Location, to: Location) -> Duration {
        float(self.model.driving(profile, from, to))
    }
}

impl TransportCost for Travel {
    fn duration_approx(&self, profile: &Profile, from: Location, to: Location) -> Duration {
        self.driving(profile.index, from, to)
    }

    fn distance_approx(&self, profile: &Profile, from: Location, to: Location) -> Distance {
        float(self.model.metres(profile.index, from, to))
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
    fn duration(&self, route: &Route, from: Location, to: Location, at: TravelTime) -> Duration {
        let profile = route.actor.vehicle.profile.index;
        let Some(clock) = self.model.clock(vehicle_index(&route.actor)) else {
            return self.driving(profile, from, to);
        };
        let way = self.model.driving(profile, from, to);
        float(match at {
            TravelTime::Departure(leave) => clock.arrive(leave as i64, way) - leave as i64,
            TravelTime::Arrival(arrive) => arrive as i64 - clock.leave_by(arrive as i64, way),
        })
    }

    fn distance(&self, route: &Route, from: Location, to: Location, _: TravelTime) -> Distance {
        float(self.model.metres(route.actor.vehicle.profile.index, from, to))
    }

    fn cost(&self, route: &Route, from: Location, to: Location, travel_time: TravelTime) -> Cost {
        let costs = &route.actor.vehicle.costs;
        self.distance(route, from, to, travel_time) * costs.per_distance
            + self.duration(route, from, to, travel_time) * costs.per_driving_time
    }
}

/// The rules that the library does not know.
struct ProductRules {
    model: Arc<Model>,
}

impl ProductRules {
    fn job_allowed(&self, solution: &SolutionContext, route: &RouteContext, job: &Job) -> bool {
        let vehicle = vehicle_index(&route.route().actor);
        let stops = stops_in(job);
        if !stops.iter().all(|stop| self.model.may_serve(*stop, vehicle)) {
            return false;
        }
        let group = self.model.vehicles[vehicle].group;
        let rival =
            |other: usize| other != vehicle && group.is_some() && self.model.vehicles[other].group == group;
        let kept_rival = (0..self.model.vehicles.len())
            .any(|other| rival(other) && !self.model.locked_stops(other).is_empty());
        let used_rival = solution
            .routes
            .iter()
            .any(|used| used.route().tour.has_jobs() && rival(vehicle_index(&used.route().actor)));
        if kept_rival || used_rival {
            return false;
        }
        // Alone it has to fit, too: the cheap half of the check below.
        load::allowed(&self.model, vehicle, &self.sequence(route, None, stops.first().copied()))
    }

    fn position_allowed(&self, route: &RouteContext, index: usize, stop: Option<usize>) -> bool {
        let vehicle = vehicle_index(&route.route().actor);
        let sequence = self.sequence(route, Some(index), stop);
        let simple = self.model.vehicles[vehicle].lunch.is_none();
        load::allowed(&self.model, vehicle, &sequence)
            && (simple || Lane::new(&self.model, vehicle, sequence).feasible())
    }

    /// The run with the stop inserted after the activity of the given index, or at the end.
    fn sequence(&self, route: &RouteContext, index: Option<usize>, stop: Option<usize>) -> Vec<usize> {
        let vehicle = vehicle_index(&route.route().actor);
        let mut sequence = self.model.locked_stops(vehicle).to_vec();
        let prefix = sequence.len();
        sequence.extend(stops_of(route.route()));
        if let Some(stop) = stop {
            let at = index.map_or(sequence.len(), |index| (prefix + index).min(sequence.len()));
            sequence.insert(at, stop);
        }
        sequence
    }
}

impl FeatureConstraint for ProductRules {
    fn evaluate(&self, move_ctx: &MoveContext<'_>) -> Option<ConstraintViolation> {
        match move_ctx {
            MoveContext::Route { solution_ctx, route_ctx, job } => {
                if self.job_allowed(solution_ctx, route_ctx, job) {
                    None
                } else {
                    ConstraintViolation::fail(ViolationCode::unknown())
                }
            }
            MoveContext::Activity { route_ctx, activity_ctx } => {
                let target = activity_ctx.target.job.as_ref().and_then(|single| stop_of(single));
                let next = activity_ctx.next.map(|next| next.place.location);
                let missing = next.is_some_and(|next| {
                    let profile = route_ctx.route().actor.vehicle.profile.index;
                    let via = activity_ctx.target.place.location;
                    self.model.driving(profile, activity_ctx.prev.place.location, via) >= FAR
                        || self.model.driving(profile, via, next) >= FAR
                });
                if !missing && self.position_allowed(route_ctx, activity_ctx.index, target) {
                    None
                } else {
                    ConstraintViolation::skip(ViolationCode::unknown())
                }
            }
        }
    }
}
