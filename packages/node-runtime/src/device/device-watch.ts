/**
 * Watches the block devices under the drives of a process: the bytes written to them, and their own health data. Both
 * are read in the background and cached, because a metrics reader must not wait, and a device that hangs must not block
 * any caller.
 */

import {
  type DeviceWrites,
  findBottomDisk,
  findDiskName,
  readDeviceNumber,
  readDeviceWrites,
} from "./block-device.ts";
import type { DriveAccount } from "./drive-account.ts";
import { askAccount } from "./drive-account-reader.ts";
import { askSmart, type SmartAnswer } from "./smart.ts";

export interface DeviceReading {
  /** MAJOR:MINOR. */
  readonly number: string;
  /** Null if the device holds several drives of the process, so that writes cannot be attributed to one of them. */
  readonly writes: DeviceWrites | null;
  /** Null until the device has been queried. If a device holds several drives, its account applies to each. */
  readonly account: DriveAccount | null;
}

export interface DeviceWatchOptions {
  /** Folders of all drives of the process. */
  readonly paths: readonly string[];
  readonly sysFolder?: string;
  readonly deviceNumberOf?: (path: string) => Promise<string | null>;
  readonly askSmart?: (diskName: string) => Promise<SmartAnswer>;
}

const REFRESH_EVERY_MS = 5000;
/** Health changes over days, and some drives take a second to report it. */
const ACCOUNTS_EVERY_MS = 600_000;

export class DeviceWatch {
  readonly #options: Required<DeviceWatchOptions>;
  readonly #numbers = new Map<string, string>();
  /** Names of the disks below, by device number. */
  #disks = new Map<string, string>();
  #writes = new Map<string, DeviceWrites>();
  #accounts = new Map<string, DriveAccount>();
  /** Devices present at the last query for accounts. */
  #askedNumbers: ReadonlySet<string> = new Set();
  #isRefreshing = false;
  #isAsking = false;

  constructor(options: DeviceWatchOptions) {
    this.#options = { sysFolder: "/sys", deviceNumberOf: readDeviceNumber, askSmart, ...options };
  }

  /** Starts periodic reads until the process ends; they do not keep it running. */
  start(): void {
    if (this.#options.paths.length === 0) return;
    setInterval(() => void this.followDevices(), REFRESH_EVERY_MS).unref();
    setInterval(() => void this.refreshAccounts(), ACCOUNTS_EVERY_MS).unref();
    void this.followDevices();
  }

  /** Queries accounts as soon as a device appears: the folders of a new vault's drives are created after the start. */
  async followDevices(): Promise<void> {
    await this.refresh();
    const isNew = [...this.#numbers.values()].some((number) => !this.#askedNumbers.has(number));
    if (isNew) await this.refreshAccounts();
  }

  /** Returns the reading for this folder; null if its block device is not known. */
  at(path: string): DeviceReading | null {
    const number = this.#numbers.get(path);
    if (number === undefined) return null;
    const isShared = [...this.#numbers.values()].filter((other) => other === number).length > 1;
    return {
      number,
      writes: isShared ? null : (this.#writes.get(number) ?? null),
      account: this.#accounts.get(number) ?? null,
    };
  }

  /** Returns the name of the disk under this folder; null if it is not known. */
  diskAt(path: string): string | null {
    return this.#disks.get(this.#numbers.get(path) ?? "") ?? null;
  }

  /** Reads one device after the other, so that a device that hangs blocks only one thread. */
  async refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    // Another device may have been mounted there in the meantime.
    for (const path of this.#options.paths) {
      const number = await this.#options.deviceNumberOf(path);
      if (number === null) this.#numbers.delete(path);
      else this.#numbers.set(path, number);
    }
    const writes = new Map<string, DeviceWrites>();
    const disks = new Map<string, string>();
    for (const number of new Set(this.#numbers.values())) {
      const found = await readDeviceWrites(this.#options.sysFolder, number);
      if (found !== null) writes.set(number, found);
      const disk = await findBottomDisk(this.#options.sysFolder, number);
      if (disk !== null) disks.set(number, disk);
    }
    this.#writes = writes;
    this.#disks = disks;
    this.#isRefreshing = false;
  }

  /** Queries one disk after the other: while one hangs, the others wait and no second process is started. */
  async refreshAccounts(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#askedNumbers = new Set(this.#numbers.values());
    const { sysFolder, askSmart: ask } = this.#options;
    const byDisk = new Map<string, DriveAccount>();
    const accounts = new Map<string, DriveAccount>();
    for (const number of this.#askedNumbers) {
      const disk = await findDiskName(sysFolder, number);
      if (disk === null) continue;
      const known = this.#accounts.get(number) ?? null;
      const account = byDisk.get(disk) ?? (await askAccount({ sysFolder, disk, known, ask }));
      byDisk.set(disk, account);
      accounts.set(number, account);
    }
    this.#accounts = accounts;
    this.#isAsking = false;
  }
}
