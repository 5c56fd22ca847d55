/** Decides when to send the ingest the list of lost objects, which the ingest keeps for the console. */
import { type LostObjects, lostObjectsReportedEveryMs } from "@stashlight/contracts/lost-object";

export class LostReports {
  readonly #read: () => LostObjects;
  readonly #nowMs: () => number;
  #takenMs = Number.NEGATIVE_INFINITY;
  #takenTotal = 0;

  constructor(read: () => LostObjects, nowMs: () => number) {
    this.#read = read;
    this.#nowMs = nowMs;
  }

  /** Returns null if the ingest is up to date. An empty list is sent too, so that its age is known. */
  due(): LostObjects | null {
    const lost = this.#read();
    const isOld = this.#nowMs() - this.#takenMs >= lostObjectsReportedEveryMs;
    return isOld || lost.total !== this.#takenTotal ? lost : null;
  }

  /** Called when the ingest has accepted the list. */
  taken({ total }: LostObjects): void {
    this.#takenMs = this.#nowMs();
    this.#takenTotal = total;
  }
}
