/**
 * A restart of the process that `vault restart` asks for over the admin pages of any of its nodes.
 *
 *     serving --POST /restart--> announced --notice is over--> stopping --> ends with RESTART_EXIT_CODE
 *
 * While it is announced, coordinators serve as before, are not ready, and close each connection after its answer, so
 * load balancers and clients go elsewhere before any connection is refused. Only a process that a supervisor starts
 * again accepts the request.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type AdminAction, AdminError } from "../admin/admin-server.ts";

/** A longer notice would look like a node that ignores the request. */
const NOTICE_MS_MAX = 120_000;

const requestSchema = z.strictObject({
  /** The process that the caller has seen, so that a repeated request does not restart its successor. */
  instance: z.uuid(),
  noticeMs: z.int().min(0).max(NOTICE_MS_MAX),
});

export interface PlannedRestartOptions {
  readonly nodeIds: () => readonly string[];
  readonly isSupervised: boolean;
  /** Stops the process once the notice has expired, and ends it. */
  readonly restart: () => Promise<void>;
}

export type RestartPhase = "serving" | "announced" | "stopping";

export class PlannedRestart {
  readonly #options: PlannedRestartOptions;
  readonly #instance = randomUUID();
  readonly #listeners = new Set<() => void>();
  #phase: RestartPhase = "serving";

  constructor(options: PlannedRestartOptions) {
    this.#options = options;
  }

  /** Reason why the nodes of the process are not ready; null while no restart is in progress. */
  get unreadiness(): string | null {
    return this.#phase === "serving" ? null : "The agent restarts, as requested by vault restart.";
  }

  /** Calls the listener when a restart is announced. */
  onAnnounced(listener: () => void): void {
    this.#listeners.add(listener);
  }

  pages(): [string, () => object][] {
    return [["/process", () => this.#page()]];
  }

  actions(): [string, AdminAction][] {
    return [["/restart", (body) => this.#act(body)]];
  }

  #page(): object {
    const { nodeIds, isSupervised } = this.#options;
    return { instance: this.#instance, nodeIds: nodeIds(), isSupervised, phase: this.#phase };
  }

  #act(body: unknown): object {
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) {
      throw new AdminError(
        400,
        `The body is {"instance": ..., "noticeMs": ...}, with a notice of up to ${NOTICE_MS_MAX} ms.`,
      );
    }
    if (!this.#options.isSupervised) throw new AdminError(409, NOT_SUPERVISED);
    if (parsed.data.instance !== this.#instance) {
      throw new AdminError(409, "The process has been started again since it was asked for its state.");
    }
    if (this.#phase === "serving") this.#announce(parsed.data.noticeMs);
    return this.#page();
  }

  #announce(noticeMs: number): void {
    this.#phase = "announced";
    for (const listener of this.#listeners) listener();
    setTimeout(() => {
      this.#phase = "stopping";
      void this.#options.restart();
    }, noticeMs);
  }
}

const NOT_SUPERVISED =
  "No supervisor would start the agent again: it was not started by a service of vault join, by vault run, or with --supervised.";
