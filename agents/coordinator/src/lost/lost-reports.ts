/** Decides when the ingest is sent the list of lost objects, which it keeps for the console. */
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

  /** Null while the ingest knows what there is. A list without objects is sent as well, so that it has an age. */
  due(): LostObjects | null {
    const lost = this.#read();
    const isOld = this.#nowMs() - this.#takenMs >= lostObjectsReportedEveryMs;
    return isOld || lost.total !== this.#takenTotal ? lost : null;
  }

  /** The ingest has taken it. */
  taken({ total }: LostObjects): void {
    this.#takenMs = this.#nowMs();
    this.#takenTotal = total;
  }
}
