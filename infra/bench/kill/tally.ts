/** What was found wrong with one kind of work. */
export class Tally {
  kills = 0;
  /** Acknowledged and not there. */
  private lostOnes = 0;
  /** There more often than asked for. */
  private doubledOnes = 0;
  /** Neither done nor failed with a reason. */
  private unexplainedOnes = 0;

  constructor(readonly name: string) {}

  lost(what: string): void {
    this.lostOnes += 1;
    this.tell("lost", what);
  }

  doubled(what: string): void {
    this.doubledOnes += 1;
    this.tell("doubled", what);
  }

  unexplained(what: string): void {
    this.unexplainedOnes += 1;
    this.tell("unexplained", what);
  }

  /** Exactly one, where one was asked for. */
  one(count: number, what: string): void {
    if (count === 0) this.lost(what);
    if (count > 1) this.doubled(`${what}: ${count}`);
  }

  get clean(): boolean {
    return this.lostOnes + this.doubledOnes + this.unexplainedOnes === 0;
  }

  get cells(): string[] {
    const counts = [this.kills, this.lostOnes, this.doubledOnes, this.unexplainedOnes];
    return [this.name, ...counts.map(String), this.clean ? "pass" : "FAULT"];
  }

  private tell(kind: string, what: string): void {
    process.stderr.write(`${this.name}: ${kind}: ${what}\n`);
  }
}
