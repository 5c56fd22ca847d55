/**
 * Keeps this node's access keys equal to the console's: loads them from disk first, then polls the ingest every few
 * seconds. While the ingest is unreachable or refuses, the last list stays valid.
 *
 *     starting --the disk is read--> following --asked, and asked again--> stopped
 */
import type { ServedAccessKeys } from "@stashlight/contracts/access-key";
import type { AccessKeysAnswer } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { AccessKeys } from "./access-keys.ts";

export interface KeyFollowerOptions {
  readonly keys: Pick<AccessKeys, "serve">;
  readonly cache: {
    readonly read: () => Promise<ServedAccessKeys | null>;
    readonly write: (list: ServedAccessKeys) => Promise<void>;
  };
  /** Never rejects. */
  readonly ask: (revision: string | null) => Promise<AccessKeysAnswer>;
  readonly everyMs: number;
  readonly logger: Pick<Logger, "info" | "warn">;
}

export class KeyFollower {
  readonly #options: KeyFollowerOptions;
  #revision: string | null = null;
  #trouble: string | null = null;
  #isStopped = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor(options: KeyFollowerOptions) {
    this.#options = options;
  }

  /** Resolves when the keys on disk have been loaded; from then on the ingest is polled. */
  static async start(options: KeyFollowerOptions): Promise<KeyFollower> {
    const follower = new KeyFollower(options);
    await follower.#readCache();
    void follower.#round();
    return follower;
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #readCache(): Promise<void> {
    const { cache, keys, logger } = this.#options;
    try {
      const list = await cache.read();
      if (list === null) return;
      keys.serve(list.keys);
      this.#revision = list.revision;
    } catch (error) {
      logger.warn({ err: error }, "the access keys on the disk cannot be read; waiting for the ingest");
    }
  }

  async #round(): Promise<void> {
    const answer = await this.#options.ask(this.#revision);
    if (this.#isStopped) return;
    if (answer.type === "list") await this.#take(answer.list);
    this.#tell(answer.type === "refused" || answer.type === "unreachable" ? answer.reason : null);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#round(), this.#options.everyMs);
  }

  /** Applies the list at once. If it cannot be stored it is requested again, so that a restart does not undo it. */
  async #take(list: ServedAccessKeys): Promise<void> {
    const { keys, cache, logger } = this.#options;
    keys.serve(list.keys);
    try {
      await cache.write(list);
      this.#revision = list.revision;
      logger.info({ keyCount: list.keys.length }, "access keys updated from the console");
    } catch (error) {
      logger.warn({ err: error }, "the access keys cannot be stored on the disk");
    }
  }

  /** Logs once when a failure begins, changes or ends. */
  #tell(trouble: string | null): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const { logger } = this.#options;
    if (trouble === null) logger.info("the ingest serves access keys again");
    else logger.warn({ trouble }, "the access keys of the console are not up to date");
  }
}
