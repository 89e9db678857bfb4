"""Checks routes a second time, apart from the crate: check.py problem.json routes.json [instance file]

Reads the rules from the problem and drives each route minute by minute of its definition. With an instance file the
distance is counted again from its coordinates. Prints what is broken and ends with 1, or prints nothing.
"""

import gzip
import json
import math
import sys


def place_of_end(vehicle):
    end = vehicle["end"]
    return vehicle["start"] if end == "Start" else None if end == "Anywhere" else end["Place"]


def drive(problem, vehicle, route, rest_on):
    """Lateness of a route with the break on the given leg, and when it ends; None when it may not start there."""
    matrix, stops = problem["matrix"], problem["stops"]
    now, late = vehicle["shift"]["earliest"], 0
    places = [vehicle["start"]] + [stops[s]["place"] for s in route] + [place_of_end(vehicle)]
    for leg, (a, b) in enumerate(zip(places, places[1:])):
        way = 0 if a is None or b is None or a == b else round(matrix["seconds"][a * matrix["size"] + b] / vehicle["speed"])
        if rest_on == leg:
            lunch = vehicle["lunch"]
            if now > lunch["latest"]:
                return None
            now = max(now + way, lunch["earliest"]) + lunch["duration"]
        else:
            now += way
        if leg < len(route):
            stop = stops[route[leg]]
            if stop["window"]:
                late += max(0, now - stop["window"]["latest"])
                now = max(now, stop["window"]["earliest"])
            now += stop["service"]
    return late + max(0, now - vehicle["shift"]["latest"]), now


def times_hold(problem, vehicle, route):
    late, end = drive(problem, vehicle, route, None)
    lunch = vehicle["lunch"]
    if not lunch or lunch["duration"] <= 0 or end <= lunch["latest"] or vehicle["shift"]["earliest"] > lunch["latest"]:
        return late == 0
    tries = (drive(problem, vehicle, route, leg) for leg in range(len(route) + 1))
    return any(tried and tried[0] == 0 for tried in tries)


def counted(vehicle, size):
    known = {part["key"] for clause in vehicle["capacity"] for part in clause}
    whole = [clause for clause in size if all(part["key"] in known for part in clause)]
    part = [clause for clause in size if any(part["key"] in known for part in clause)]
    chosen = (whole or part or [[]])[0]
    return {part["key"]: part["amount"] for part in chosen}


def loads_hold(problem, vehicle, route):
    if not vehicle["capacity"]:
        return True
    stops = problem["stops"]
    pickup_of = {link["delivery"]: link["pickup"] for link in problem["links"]}
    on_board = problem["rules"]["capacity_mode"] == "on_board"
    moments, load = [], {}

    def change(stop, sign):
        for key, amount in counted(vehicle, stops[stop]["size"]).items():
            load[key] = load.get(key, 0) + sign * amount
        moments.append(dict(load))

    pickups = set(pickup_of.values())
    if not on_board:
        for stop in route:
            change(stop, 1)
    else:
        for stop in route:
            if stop not in pickup_of and stop not in pickups:
                change(stop, 1)
        for stop in route:
            if stop in pickups:
                for delivery in (d for d, p in pickup_of.items() if p == stop):
                    change(delivery, 1)
            else:
                change(stop, -1)
    fits = lambda clause: all(m.get(part["key"], 0) <= part["amount"] for part in clause for m in moments)
    return any(fits(clause) for clause in vehicle["capacity"])


def faults(problem, routes):
    seen = {}
    for v, route in enumerate(routes):
        vehicle = problem["vehicles"][v]
        if not route:
            continue
        for position, stop in enumerate(route):
            if stop in seen:
                yield f"stop {stop} twice"
            seen[stop] = (v, position)
            types = {t.lower() for t in problem["stops"][stop]["types"]}
            if types and not types & {t.lower() for t in vehicle["types"]}:
                yield f"types of stop {stop} on {v}"
        if not times_hold(problem, vehicle, route):
            yield f"times of route {v}"
        if not loads_hold(problem, vehicle, route):
            yield f"load of route {v}"
    for link in problem["links"]:
        a, b = seen.get(link["pickup"]), seen.get(link["delivery"])
        if (a is None) != (b is None) or (a and (a[0] != b[0] or a[1] > b[1])):
            yield f"link {link}"


def distance(path, routes):
    """Distance in the numbers of the set, counted from the file."""
    text = (gzip.open(path, "rt") if path.endswith(".gz") else open(path)).read()
    if text.startswith("{"):
        size = len(json.loads(text)["demand"])
        cells = json.loads(text)["dist"]
        edge = lambda a, b: cells[a * size + b]
    elif "EDGE_WEIGHT_TYPE" in text:
        part = text.split("NODE_COORD_SECTION")[1].split("DEMAND_SECTION")[0]
        points = [tuple(map(float, line.split()[1:])) for line in part.strip().splitlines()]
        edge = lambda a, b: int(math.dist(points[a], points[b]) + 0.5)
    else:
        rows = []
        for line in text.splitlines():
            try:
                rows.append([float(x) for x in line.split()])
            except ValueError:
                pass
        rows = [row for row in rows if row][1:]
        points = [(row[1], row[2]) for row in rows]
        if len(rows[0]) >= 9:
            edge = lambda a, b: int(math.dist(points[a], points[b]) * 1000 + 0.5)
        else:
            edge = lambda a, b: int(math.dist(points[a], points[b]) * 10 + 1e-9)
    tours = ([0] + [stop + 1 for stop in route] + [0] for route in routes if route)
    return sum(edge(a, b) for tour in tours for a, b in zip(tour, tour[1:]))


def main():
    problem, found = (json.load(open(path)) for path in sys.argv[1:3])
    broken = list(faults(problem, found["routes"] or []))
    if len(sys.argv) > 3 and "result" in found:
        again = distance(sys.argv[3], found["routes"])
        if again != found["result"]["cost"]:
            broken.append(f"distance {again} instead of {found['result']['cost']}")
    for fault in broken:
        print(fault)
    sys.exit(1 if broken else 0)


main()
