/** Caches drives' own health reports, and refreshes them rarely, because each report costs a drive a moment. */
import {
  askAccount,
  askSmart,
  type DriveAccount,
  recordAccount,
  type SmartAnswer,
} from "@stashlight/node-runtime/device";
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { Drive } from "../disks/block-devices.ts";

export interface SmartMetricsOptions {
  readonly recorder: Recorder;
  readonly logger: Pick<Logger, "info">;
  readonly sysFolder: string;
  readonly ask?: (drive: string) => Promise<SmartAnswer>;
}

interface KnownDrive {
  readonly drive: Drive;
  readonly record: (account: DriveAccount | null) => void;
  account: DriveAccount | null;
}

export class SmartMetrics {
  readonly #options: Required<SmartMetricsOptions>;
  readonly #told = new Map<string, string>();
  #known = new Map<string, KnownDrive>();
  #isAsking = false;

  constructor(options: SmartMetricsOptions) {
    this.#options = { ask: askSmart, ...options };
  }

  /** Queries one drive at a time: while one hangs, the others wait and no second process is started. */
  async refresh(drives: readonly Drive[]): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (const [key, { record }] of this.#known) {
      if (!drives.some((each) => driveKey(each) === key)) record(null);
    }
    this.#known = new Map(
      drives.map((drive) => [driveKey(drive), this.#known.get(driveKey(drive)) ?? this.#add(drive)]),
    );
    for (const known of this.#known.values()) {
      const { sysFolder } = this.#options;
      const ask = (disk: string) => this.#ask(disk);
      known.account = await askAccount({ sysFolder, disk: known.drive.name, known: known.account, ask });
      known.record(known.account);
    }
    this.#isAsking = false;
  }

  #add(drive: Drive): KnownDrive {
    const labels = { tier: drive.medium, device: drive.name };
    return { drive, record: recordAccount(this.#options.recorder, labels), account: null };
  }

  async #ask(drive: string): Promise<SmartAnswer> {
    const answer = await this.#options.ask(drive);
    if (answer.type === "silent" && this.#told.get(drive) !== answer.reason) {
      this.#told.set(drive, answer.reason);
      this.#options.logger.info({ drive, reason: answer.reason }, "nothing is known of a drive's health");
    }
    return answer;
  }
}

const driveKey = ({ name, medium, sequence }: Drive): string => `${medium} ${name} ${sequence}`;
