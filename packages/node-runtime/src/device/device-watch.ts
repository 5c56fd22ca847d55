/**
 * The block devices under the drives of a process: what was written to them, and how worn they are. It is read in the
 * background and kept, because whoever reads metrics does not wait, and a device that hangs must not make anybody wait.
 */
import { HOUR_MS } from "@stashlight/contracts/time/duration";
import { type DeviceWrites, deviceNumberOf, diskNameOf, readDeviceWrites } from "./block-device.ts";
import { readWearRatio } from "./wear.ts";

export interface DeviceReading {
  /** MAJOR:MINOR. */
  readonly number: string;
  /** Null when it holds several drives of the process: nobody can say whose writes they are. */
  readonly writes: DeviceWrites | null;
  /** Null when unknown. That of a device with several drives is true of each. */
  readonly wearRatio: number | null;
}

export interface DeviceWatchOptions {
  /** Folders of all drives of the process. */
  readonly paths: readonly string[];
  readonly sysFolder?: string;
  readonly deviceNumberOf?: (path: string) => Promise<string | null>;
  readonly readWearRatio?: (diskName: string) => Promise<number | null>;
}

const REFRESH_EVERY_MS = 5000;
const WEAR_EVERY_MS = HOUR_MS;

export class DeviceWatch {
  readonly #options: Required<DeviceWatchOptions>;
  readonly #numbers = new Map<string, string>();
  #writes = new Map<string, DeviceWrites>();
  #wear = new Map<string, number>();
  #isRefreshing = false;
  #isReadingWear = false;

  constructor(options: DeviceWatchOptions) {
    this.#options = { sysFolder: "/sys", deviceNumberOf, readWearRatio, ...options };
  }

  /** Until the process ends, which this does not hold up. */
  start(): void {
    if (this.#options.paths.length === 0) return;
    setInterval(() => void this.refresh(), REFRESH_EVERY_MS).unref();
    setInterval(() => void this.refreshWear(), WEAR_EVERY_MS).unref();
    void this.refresh().then(() => this.refreshWear());
  }

  /** Null when no block device is known to hold this folder. */
  at(path: string): DeviceReading | null {
    const number = this.#numbers.get(path);
    if (number === undefined) return null;
    const isShared = [...this.#numbers.values()].filter((other) => other === number).length > 1;
    return {
      number,
      writes: isShared ? null : (this.#writes.get(number) ?? null),
      wearRatio: this.#wear.get(number) ?? null,
    };
  }

  /** One after the other: of a device that hangs, one thread waits and no more. */
  async refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    // Another device may be mounted there meanwhile.
    for (const path of this.#options.paths) {
      const number = await this.#options.deviceNumberOf(path);
      if (number === null) this.#numbers.delete(path);
      else this.#numbers.set(path, number);
    }
    const writes = new Map<string, DeviceWrites>();
    for (const number of new Set(this.#numbers.values())) {
      const found = await readDeviceWrites(this.#options.sysFolder, number);
      if (found !== null) writes.set(number, found);
    }
    this.#writes = writes;
    this.#isRefreshing = false;
  }

  async refreshWear(): Promise<void> {
    if (this.#isReadingWear) return;
    this.#isReadingWear = true;
    const { sysFolder, readWearRatio: readWear } = this.#options;
    const byDisk = new Map<string, number | null>();
    const wear = new Map<string, number>();
    for (const number of new Set(this.#numbers.values())) {
      const disk = await diskNameOf(sysFolder, number);
      if (disk === null) continue;
      const known = byDisk.get(disk);
      const ratio = known === undefined ? await readWear(disk) : known;
      byDisk.set(disk, ratio);
      if (ratio !== null) wear.set(number, ratio);
    }
    this.#wear = wear;
    this.#isReadingWear = false;
  }
}
