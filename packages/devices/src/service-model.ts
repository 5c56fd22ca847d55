/**
 * Models how long a device works on one operation. All functions are pure: their only randomness is `draw`, a uniform
 * random number in [0, 1) from the caller, so a simulation can be replayed from its seed.
 *
 * A `draw` of 0.5 yields exactly the published figure, which is the median of the modelled time; every time increases
 * with `draw`. Times are microseconds, rates bytes per second (SI).
 */
import { assert } from "./assert.ts";

export type DeviceKind = "hdd" | "ssd";

/** `sync` is one fdatasync: it writes dirty data and makes it durable, which a plain `write` does not promise. */
export type DeviceOperation = "read" | "write" | "sync";

export interface ServiceModel {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly capacityBytes: number;
  /** If false, a power failure may lose data that the drive has accepted but not flushed. */
  readonly hasPowerLossProtection: boolean;
  /**
   * Time from when the device starts on the operation until it is done. `previousEndOffset` is the end of the device's
   * last operation, or null if that is unknown or elsewhere.
   */
  serviceTimeUs(
    operation: DeviceOperation,
    bytes: number,
    offset: number,
    previousEndOffset: number | null,
    draw: number,
  ): number;
  /**
   * Part of an operation's service time for which the next one has to wait: all of it on a disk with one arm, the
   * larger of transfer and 1/IOPS on an SSD, which works on many operations at once.
   */
  occupancyUs(operation: DeviceOperation, bytes: number, serviceTimeUs: number): number;
}

export function assertOperation(bytes: number, offset: number, draw: number): void {
  assert(bytes >= 0 && bytes < Number.POSITIVE_INFINITY, "The bytes of an operation are zero or more.");
  assert(offset >= 0, "The offset of an operation is zero or more.");
  assert(draw >= 0 && draw < 1, "A draw is a uniform random number of at least 0 and below 1.");
}
