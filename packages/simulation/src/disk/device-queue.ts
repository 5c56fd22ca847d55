import type { DeviceOperation, ServiceModel } from "@stashlight/devices";
import type { DiskFaults } from "./faults.ts";
import { PAGE_BYTES } from "./page-pool.ts";

/** Cost of copying between a buffer and the page cache: a system call and 4 GB/s. Both are assumptions. */
const SYSTEM_CALL_US = 2;
const CACHE_BYTES_PER_US = 4000;

/** Computes when the device, which serves in order of arrival, completes an operation that arrives now. */
export class DeviceQueue {
  readonly #model: ServiceModel;
  readonly #nowUs: () => number;
  readonly #random: () => number;
  readonly #faults: () => DiskFaults;
  #busyUntilUs = 0;
  #headOffset: number | null = null;

  constructor(model: ServiceModel, nowUs: () => number, random: () => number, faults: () => DiskFaults) {
    this.#model = model;
    this.#nowUs = nowUs;
    this.#random = random;
    this.#faults = faults;
  }

  cacheDelayUs(bytes: number): number {
    return SYSTEM_CALL_US + bytes / CACHE_BYTES_PER_US;
  }

  delayUs(operation: DeviceOperation, bytes: number, offset: number): number {
    return this.#enqueue(operation, bytes, offset, this.#random());
  }

  /**
   * Duration of one fdatasync over pages of a file that starts at `baseOffset`; adjacent pages go to the device
   * together.
   */
  syncDelayUs(baseOffset: number, pages: readonly number[]): number {
    const draw = this.#random();
    const first = pages[0];
    if (first === undefined) return this.#enqueue("sync", 0, baseOffset, draw);
    const flushUs = this.#model.serviceTimeUs("sync", 0, 0, null, draw);
    let operation: DeviceOperation = "sync";
    let runStart = first;
    let delayUs = 0;
    for (let index = 1; index <= pages.length; index++) {
      const runPages = (pages[index - 1] as number) - runStart + 1;
      const page = pages[index];
      if (page === runStart + runPages) continue;
      const endsInUs = this.#enqueue(
        operation,
        runPages * PAGE_BYTES,
        baseOffset + runStart * PAGE_BYTES,
        draw,
      );
      delayUs = Math.max(delayUs, operation === "sync" ? endsInUs : endsInUs + flushUs);
      operation = "write";
      runStart = page ?? 0;
    }
    return delayUs;
  }

  /** After a power cut the queue is empty and the arm may be anywhere. */
  reset(): void {
    this.#busyUntilUs = this.#nowUs();
    this.#headOffset = null;
  }

  #enqueue(operation: DeviceOperation, bytes: number, offset: number, draw: number): number {
    const { slowFactor } = this.#faults();
    const nowUs = this.#nowUs();
    const startUs = Math.max(nowUs, this.#busyUntilUs);
    const serviceUs = this.#model.serviceTimeUs(operation, bytes, offset, this.#headOffset, draw);
    this.#busyUntilUs = startUs + this.#model.occupancyUs(operation, bytes, serviceUs) * slowFactor;
    this.#headOffset = offset + bytes;
    return startUs - nowUs + serviceUs * slowFactor;
  }
}
