export interface Point {
  x: number;
  y: number;
}

/** Whether a point lies inside of a closed line, by how often a ray from it crosses the line. */
export function inside({ x, y }: Point, line: readonly Point[]): boolean {
  let within = false;
  line.forEach((a, index) => {
    const b = line[index === 0 ? line.length - 1 : index - 1];
    if (b === undefined || a.y > y === b.y > y) return;
    if (x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) within = !within;
  });
  return within;
}
