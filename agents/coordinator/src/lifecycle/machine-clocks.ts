/** Reads the clocks of a vault's machines. */
import type { VaultFile } from "@stashlight/node-runtime/config";
import { type AdminAccess, type AskAdmin, askAdmin } from "@stashlight/node-runtime/durability";
import { majorityTime } from "./cautious-clock.ts";

export interface MachineClocksOptions {
  readonly file: () => VaultFile;
  readonly ownHost: string;
  readonly access: AdminAccess;
  readonly wallMs: () => number;
  readonly steadyMs: () => number;
  readonly ask?: AskAdmin;
}

/** A majority of this many machines is as reliable as a majority of all. */
const MACHINE_COUNT_MAX = 9;
const KEPT_MS = 60_000;

export class MachineClocks {
  readonly #options: MachineClocksOptions;
  #known: { readonly aheadMs: number; readonly askedMs: number } | null = null;

  constructor(options: MachineClocksOptions) {
    this.#options = options;
  }

  /** Returns the time that most machines have reached; the steady clock continues it between queries. */
  async read(): Promise<number> {
    const { steadyMs } = this.#options;
    if (this.#known === null || steadyMs() - this.#known.askedMs >= KEPT_MS) {
      const askedMs = steadyMs();
      const timeMs = majorityTime(await this.#ask());
      // The time was true when an answer was sent, so it is counted from the moment of the request.
      this.#known = { aheadMs: timeMs - askedMs, askedMs };
      if (timeMs === Number.NEGATIVE_INFINITY) this.#known = null;
      return timeMs;
    }
    return steadyMs() + this.#known.aheadMs;
  }

  async #ask(): Promise<(number | null)[]> {
    const { file, ownHost, access, wallMs, ask = askAdmin } = this.#options;
    const byHost = new Map(file().nodes.map((node) => [node.host, node]));
    const asked = [...byHost].slice(0, MACHINE_COUNT_MAX).map(async ([host, node]) => {
      if (host === ownHost) return wallMs();
      const answer = await ask(node, "/healthz", { access });
      const body = answer.type === "answered" ? (answer.body as { clockMs?: unknown } | null) : null;
      return typeof body?.clockMs === "number" ? body.clockMs : null;
    });
    return await Promise.all(asked);
  }
}
