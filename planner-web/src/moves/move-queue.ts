import type { Move, MoveAnswer } from "@routewright/web";
import { type Plan, withAnswer } from "../plan/plan.ts";
import { moveLocally } from "./move-locally.ts";

export interface MoveQueuePorts {
  read: () => Plan;
  write: (plan: Plan) => void;
  /** One move, or several at once. */
  send: (moves: readonly Move[]) => Promise<MoveAnswer>;
  /** All moves of a batch were answered; the plan as the server knew it before and after. */
  onDone: (moves: readonly Move[], answer: MoveAnswer, was: Plan, now: Plan) => void;
  onFailed: (moves: readonly Move[], error: unknown) => void;
}

/**
 * Shows moves at once and sends them one request at a time; moves that come in while one is on its way
 * accumulate and go together. After the last answer the server's runs and jobs replace the guesses; a failure
 * takes everything back that the server did not confirm.
 */
export class MoveQueue {
  readonly #ports: MoveQueuePorts;
  #waiting: Move[] = [];
  /** What the request on its way asks for. */
  #sent: Move[] = [];
  #sending = false;
  /** The plan as the server last confirmed it. */
  #confirmed: Plan | null = null;

  constructor(ports: MoveQueuePorts) {
    this.#ports = ports;
  }

  get busy(): boolean {
    return this.#sending;
  }

  /** Applies a move to the screen and queues it. A cycle of links is thrown and nothing changes. */
  add(move: Move): void {
    const before = this.#ports.read();
    const after = moveLocally(before, move);
    this.#confirmed ??= before;
    this.#ports.write(after);
    this.#waiting.push(move);
    if (!this.#sending) void this.#run();
  }

  /** Takes a change of the server in: it is confirmed, and what is not yet so stays on top of it. */
  take(change: (plan: Plan) => Plan): void {
    this.#confirmed = change(this.#confirmed ?? this.#ports.read());
    this.#ports.write([...this.#sent, ...this.#waiting].reduce(moveOrStay, this.#confirmed));
  }

  async #run(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const moves = this.#nextBatch();
      this.#sent = moves;
      const was = this.#confirmed ?? this.#ports.read();
      try {
        const answer = await this.#ports.send(moves);
        this.#ports.onDone(moves, answer, was, this.#confirm(answer));
      } catch (error) {
        this.#rollBack();
        this.#ports.onFailed(moves, error);
      }
    }
    this.#sent = [];
    this.#sending = false;
    this.#confirmed = null;
  }

  /** What waits, as far as it has the same reason: a request has one. */
  #nextBatch(): Move[] {
    const why = this.#waiting[0]?.scenario_reason_id ?? null;
    const other = this.#waiting.findIndex((move) => (move.scenario_reason_id ?? null) !== why);
    return this.#waiting.splice(0, other === -1 ? this.#waiting.length : other);
  }

  #confirm(answer: MoveAnswer): Plan {
    this.#confirmed = withAnswer(
      this.#confirmed ?? this.#ports.read(),
      answer.updated_runs,
      answer.jobs_to_unserved,
    );
    this.#sent = [];
    // While more moves wait, the screen keeps showing them on top of what is confirmed.
    this.#ports.write(this.#waiting.reduce(moveOrStay, this.#confirmed));
    return this.#confirmed;
  }

  #rollBack(): void {
    // Moves that were made on top of the failed one are dropped with it: they may not make sense without it.
    this.#waiting = [];
    this.#sent = [];
    if (this.#confirmed !== null) this.#ports.write(this.#confirmed);
  }
}

function moveOrStay(plan: Plan, move: Move): Plan {
  try {
    return moveLocally(plan, move);
  } catch {
    return plan;
  }
}
