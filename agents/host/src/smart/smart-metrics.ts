/** Keeps what drives say of their health, and asks them again now and then: each answer costs a drive a moment. */
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { Drive } from "../disks/block-devices.ts";
import { askSmart, type DriveHealth, type SmartAnswer } from "./smart.ts";

export interface SmartMetricsOptions {
  readonly recorder: Recorder;
  readonly logger: Pick<Logger, "info">;
  readonly ask?: (drive: string) => Promise<SmartAnswer>;
}

const unknown: DriveHealth = {
  ...{ isHealthy: null, wearRatio: null, spareRatio: null, badSectors: null, temperatureCelsius: null },
};

export class SmartMetrics {
  readonly #options: Required<SmartMetricsOptions>;
  readonly #told = new Map<string, string>();
  #known = new Map<string, Drive>();
  #isAsking = false;

  constructor(options: SmartMetricsOptions) {
    this.#options = { ask: askSmart, ...options };
  }

  /** One drive after the other: while one hangs, the others wait and no second process is started. */
  async refresh(drives: readonly Drive[]): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (const [key, drive] of this.#known) {
      if (!drives.some((each) => keyOf(each) === key)) this.#set(drive, unknown);
    }
    this.#known = new Map(drives.map((drive) => [keyOf(drive), drive]));
    for (const drive of drives) {
      const answer = await this.#options.ask(drive.name);
      if (answer.type === "health") this.#set(drive, answer.health);
      if (answer.type !== "silent") continue;
      this.#set(drive, unknown);
      this.#tellOnce(drive, answer.reason);
    }
    this.#isAsking = false;
  }

  #tellOnce({ name }: Drive, reason: string): void {
    if (this.#told.get(name) === reason) return;
    this.#told.set(name, reason);
    this.#options.logger.info({ drive: name, reason }, "nothing is known of a drive's health");
  }

  #set({ name: device, medium: tier }: Drive, health: DriveHealth): void {
    const { recorder } = this.#options;
    const labels = { tier, device };
    const { isHealthy } = health;
    recorder.gauge("stashlight_device_healthy", labels).set(isHealthy === null ? null : Number(isHealthy));
    recorder.gauge("stashlight_device_wear_ratio", labels).set(health.wearRatio);
    recorder.gauge("stashlight_device_spare_ratio", labels).set(health.spareRatio);
    recorder.gauge("stashlight_device_bad_sectors", labels).set(health.badSectors);
    recorder.gauge("stashlight_device_temperature_celsius", labels).set(health.temperatureCelsius);
  }
}

const keyOf = ({ name, medium, sequence }: Drive): string => `${medium} ${name} ${sequence}`;
