import type { DeviceKind } from "./service-model.ts";

/** Figures of a service model, from a datasheet or from a measurement. */
export interface DeviceFigures {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly capacityBytes: number;
  readonly readBytesPerSecond: number;
  readonly writeBytesPerSecond: number;
  /** Time before the first byte moves: seek and rotation of an HDD, command latency of an SSD. Medians. */
  readonly readLatencyUs: number;
  readonly writeLatencyUs: number;
  /** Operations that an SSD can start per second; for SSDs only, because an HDD's rate follows from its latency. */
  readonly readIops?: number;
  readonly writeIops?: number;
  /** Cost of an fdatasync beyond writing the dirty data. Measured, or 0, because datasheets do not state it. */
  readonly flushUs: number;
  readonly hasPowerLossProtection: boolean;
}
