"""Solves a day with another solver: peers.py ENGINE SECONDS SEED problem.json routes.json

The day is a problem of the crate as JSON. PyVRP and OR-tools are stopped by processor time, VROOM by the clock.
Prints nothing; writes the routes, processor seconds and what the engine could not express.
"""

import datetime
import json
import sys
import time

FAR = 2**30


class Day:
    """The problem in plain numbers."""

    def __init__(self, problem):
        matrix = problem["matrix"]
        self.size = size = matrix["size"]
        rows = lambda cells: [[min(c, FAR) for c in cells[i * size : (i + 1) * size]] for i in range(size)]
        self.seconds, self.metres = rows(matrix["seconds"]), rows(matrix["metres"])
        self.stops, self.vehicles = problem["stops"], problem["vehicles"]
        self.rules = problem["rules"]
        self.pair = {link["pickup"]: link["delivery"] for link in problem["links"]}
        self.delivered = set(self.pair.values())
        self.keys = sorted({part["key"] for v in self.vehicles for clause in v["capacity"][:1] for part in clause})
        self.timed = self.rules["objective"] == "shortest_time"

    def amounts(self, size):
        """Amount per key; of alternatives the first is taken."""
        parts = {part["key"]: part["amount"] // 1000 for part in (size[0] if size else [])}
        return [parts.get(key, 0) for key in self.keys]

    def window(self, stop):
        w = stop["window"]
        return (max(0, w["earliest"]), min(FAR, w["latest"])) if w else (0, FAR)

    def end(self, vehicle):
        end = vehicle["end"]
        return vehicle["start"] if end == "Start" else None if end == "Anywhere" else end["Place"]


def pyvrp(day, seconds, seed):
    import numpy
    import pyvrp as library

    if any(v["lunch"] for v in day.vehicles) or any(s["types"] for s in day.stops):
        raise SystemExit("PyVRP knows neither breaks nor types")
    matrix = lambda cells: numpy.array(cells, dtype=numpy.int64)
    first = day.vehicles[0]
    shift = first["shift"]
    fixed = first["costs"]["fixed"] if day.rules["objective"] == "lowest_cost" else 0
    clients, shipments, places = [], [], []
    for i, stop in enumerate(day.stops):
        early, late = day.window(stop)
        if i in day.pair:
            j = day.pair[i]
            to = day.stops[j]
            to_early, to_late = day.window(to)
            shipments.append(
                library.Shipment(stop["place"], to["place"], early, late, stop["service"], to_early, to_late,
                                 to["service"], day.amounts(to["size"]))
            )
            places.append((i, j))
        elif i not in day.delivered:
            clients.append(
                library.Client(stop["place"], delivery=day.amounts(stop["size"]), service_duration=stop["service"],
                               tw_early=early, tw_late=late)
            )
    data = library.ProblemData(
        [library.Location(0, 0) for _ in range(day.size)],
        clients,
        [library.Depot(first["start"])],
        [library.VehicleType(len(day.vehicles), day.amounts(first["capacity"]), 0, 0, fixed, shift["earliest"],
                             shift["latest"])],
        [matrix(day.metres)],
        [matrix(day.seconds)],
        shipments=shipments,
    )
    began = time.process_time()
    result = library.solve(data, lambda _: time.process_time() - began > seconds, seed=seed, collect_stats=False)
    if not result.best.is_feasible():
        return None
    alone = [i for i in range(len(day.stops)) if i not in day.pair and i not in day.delivered]
    return [[stop_of(activity, alone, places) for activity in route if not activity.is_depot()]
            for route in result.best.routes()]


def stop_of(activity, alone, pairs):
    if activity.is_client():
        return alone[activity.idx]
    return pairs[activity.idx][0 if activity.is_pickup() else 1]


def ortools(day, seconds, seed):
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    nowhere = day.size
    starts = [v["start"] for v in day.vehicles]
    ends = [nowhere if day.end(v) is None else day.end(v) for v in day.vehicles]
    # One node per stop, and one per start and end of each vehicle.
    nodes = [stop["place"] for stop in day.stops] + starts + ends
    n, count = len(day.stops), len(day.vehicles)
    manager = pywrapcp.RoutingIndexManager(len(nodes), count, list(range(n, n + count)),
                                           list(range(n + count, n + 2 * count)))
    routing = pywrapcp.RoutingModel(manager)

    def cell(cells, a, b):
        return 0 if nowhere in (a, b) else cells[a][b]

    service = [stop["service"] for stop in day.stops] + [0] * 2 * count
    metres = [[cell(day.metres, a, b) for b in nodes] for a in nodes]
    seconds_of = [[cell(day.seconds, a, b) + service[i] for b in nodes] for i, a in enumerate(nodes)]
    distance = routing.RegisterTransitMatrix(metres)
    duration = routing.RegisterTransitMatrix(seconds_of)
    routing.SetArcCostEvaluatorOfAllVehicles(duration if day.timed else distance)
    routing.AddDimension(duration, FAR, FAR, False, "time")
    times = routing.GetDimensionOrDie("time")
    for i, stop in enumerate(day.stops):
        times.CumulVar(manager.NodeToIndex(i)).SetRange(*day.window(stop))
    if day.rules["objective"] == "lowest_cost":
        routing.SetFixedCostOfAllVehicles(day.vehicles[0]["costs"]["fixed"])
    solver = routing.solver()
    for v, vehicle in enumerate(day.vehicles):
        shift = vehicle["shift"]
        times.CumulVar(routing.Start(v)).SetRange(shift["earliest"], shift["earliest"])
        times.CumulVar(routing.End(v)).SetRange(shift["earliest"], shift["latest"])
        if day.timed:
            times.SetSpanCostCoefficientForVehicle(10, v)
        if vehicle["lunch"]:
            lunch = vehicle["lunch"]
            rest = solver.FixedDurationIntervalVar(lunch["earliest"], lunch["latest"], lunch["duration"], True, f"{v}")
            times.SetBreakIntervalsOfVehicle([rest], v, [service[i] for i in range(len(nodes))])
    # On board, what has no pickup is there from the start and leaves at its stop.
    on_board = day.rules["capacity_mode"] == "on_board"
    for k, key in enumerate(day.keys):
        load = [day.amounts(stop["size"])[k] for stop in day.stops] + [0] * 2 * count
        if on_board:
            carried = {pickup: load[delivery] for pickup, delivery in day.pair.items()}
            load = [carried.get(i, -x) for i, x in enumerate(load)]
        transit = routing.RegisterUnaryTransitVector(load)
        limits = [day.amounts(v["capacity"])[k] for v in day.vehicles]
        routing.AddDimensionWithVehicleCapacity(transit, 0, limits, not on_board, key)
    for pickup, delivery in day.pair.items():
        a, b = manager.NodeToIndex(pickup), manager.NodeToIndex(delivery)
        routing.AddPickupAndDelivery(a, b)
        solver.Add(routing.VehicleVar(a) == routing.VehicleVar(b))
        solver.Add(times.CumulVar(a) <= times.CumulVar(b))
    for i, stop in enumerate(day.stops):
        if stop["types"]:
            fits = [v for v, vehicle in enumerate(day.vehicles) if set(stop["types"]) & set(vehicle["types"])]
            routing.VehicleVar(manager.NodeToIndex(i)).SetValues([-1] + fits)
        if day.timed:
            routing.AddDisjunction([manager.NodeToIndex(i)], 10**9 if stop["priority"] else 10**7)
    began = time.process_time()
    routing.AddSearchMonitor(solver.CustomLimit(lambda: time.process_time() - began > seconds))
    wanted = pywrapcp.DefaultRoutingSearchParameters()
    wanted.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    wanted.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    wanted.time_limit.FromSeconds(int(seconds * 20) + 1)
    found = routing.SolveWithParameters(wanted)
    if not found:
        return None
    routes = []
    for v in range(count):
        index, route = routing.Start(v), []
        while not routing.IsEnd(index):
            if manager.IndexToNode(index) < n:
                route.append(manager.IndexToNode(index))
            index = found.Value(routing.NextVar(index))
        routes.append(route)
    return routes


def vroom(day, seconds, seed):
    import vroom as library

    names = sorted({t for stop in day.stops for t in stop["types"]})
    skills = {t: i + 1 for i, t in enumerate(names)}
    # A stop with types needs one of them: each combination is a skill of the vehicles that have one.
    combinations = sorted({tuple(sorted(stop["types"])) for stop in day.stops if stop["types"]})
    number = {combination: i + 1 for i, combination in enumerate(combinations)}
    needs = lambda stop: {number[tuple(sorted(stop["types"]))]} if stop["types"] else set()
    problem = library.Input()
    problem.set_durations_matrix("car", day.seconds)
    problem.set_distances_matrix("car", day.metres)
    if not day.timed:
        problem.set_costs_matrix("car", day.metres)
    for v, vehicle in enumerate(day.vehicles):
        shift, lunch = vehicle["shift"], vehicle["lunch"]
        rests = []
        if lunch:
            rests = [library.Break(v, [library.TimeWindow(lunch["earliest"], lunch["latest"])], lunch["duration"])]
        fixed = 10**7 if day.rules["objective"] == "lowest_cost" else 0
        problem.add_vehicle(
            library.Vehicle(v, vehicle["start"], day.end(vehicle), capacity=day.amounts(vehicle["capacity"]),
                            skills={number[c] for c in combinations if set(c) & set(vehicle["types"])},
                            time_window=library.TimeWindow(shift["earliest"], shift["latest"]), breaks=rests,
                            costs=library.VehicleCosts(fixed=fixed))
        )
    step = lambda i: library.ShipmentStep(i, day.stops[i]["place"], default_service=day.stops[i]["service"],
                                          time_windows=windows(day, library, i))
    for i, stop in enumerate(day.stops):
        priority = 100 if stop["priority"] else 0
        if i in day.pair:
            j = day.pair[i]
            problem.add_shipment(step(i), step(j), library.Amount(day.amounts(day.stops[j]["size"])), needs(stop),
                                 priority)
        elif i not in day.delivered:
            problem.add_job(
                library.Job(i, stop["place"], default_service=stop["service"], delivery=day.amounts(stop["size"]),
                            skills=needs(stop), priority=priority, time_windows=windows(day, library, i))
            )
    solution = problem.solve(5, nb_threads=1, timeout=datetime.timedelta(seconds=seconds))
    routes = [[] for _ in day.vehicles]
    for row in solution.to_dict()["routes"]:
        routes[row["vehicle"]] = [s["id"] for s in row["steps"] if s["type"] in ("job", "pickup", "delivery")]
    return routes


def windows(day, library, stop):
    early, late = day.window(day.stops[stop])
    return [library.TimeWindow(early, min(late, 2**31))]


def main():
    engine, seconds, seed, source, target = sys.argv[1:]
    day = Day(json.load(open(source)))
    wall, cpu = time.time(), time.process_time()
    routes = {"pyvrp": pyvrp, "ortools": ortools, "vroom": vroom}[engine](day, float(seconds), int(seed))
    result = {"routes": routes, "cpu": time.process_time() - cpu, "wall": time.time() - wall}
    json.dump(result, open(target, "w"))


main()
