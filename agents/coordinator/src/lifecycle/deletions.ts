/** Counts what lifecycle rules deleted: in total for metrics, and by rule for the audit log. */
import type { AuditLog } from "../lost/audit-log.ts";

export interface Deletion {
  readonly bucket: string;
  readonly ruleId: string;
  readonly bytes: number;
}

type Act = "expire" | "abort";

interface Tally {
  readonly action: Act;
  readonly bucket: string;
  readonly ruleId: string;
  count: number;
  bytes: number;
}

export interface DeletionsOptions {
  readonly audit: AuditLog;
  readonly wallMs: () => number;
}

export class Deletions {
  readonly #options: DeletionsOptions;
  /** Deletions not yet in the audit log. A pass writes them after each page. */
  readonly #unwritten = new Map<string, Tally>();
  readonly counts = { expire: 0, abort: 0 };
  readonly bytes = { expire: 0, abort: 0 };

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  add(action: Act, { bucket, ruleId, bytes }: Deletion): void {
    this.counts[action] += 1;
    this.bytes[action] += bytes;
    const id = JSON.stringify([action, bucket, ruleId]);
    const tally = this.#unwritten.get(id) ?? { action, bucket, ruleId, count: 0, bytes: 0 };
    this.#unwritten.set(id, { ...tally, count: tally.count + 1, bytes: tally.bytes + bytes });
  }

  /** Writes one line per rule that has deleted something. */
  async writeAudit(): Promise<void> {
    const { audit, wallMs } = this.#options;
    for (const [id, { action, ...facts }] of [...this.#unwritten]) {
      await audit.append({ time: new Date(wallMs()).toISOString(), action: `lifecycle.${action}`, ...facts });
      this.#unwritten.delete(id);
    }
  }
}
