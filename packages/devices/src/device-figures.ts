import type { DeviceKind } from "./service-model.ts";

/** What a service model is made of, whether it comes from a datasheet or from a measurement. */
export interface DeviceFigures {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly capacityBytes: number;
  readonly readBytesPerSecond: number;
  readonly writeBytesPerSecond: number;
  /** Before the first byte moves: seek and rotation of an HDD, command latency of an SSD. Medians. */
  readonly readLatencyUs: number;
  readonly writeLatencyUs: number;
  /** Operations an SSD starts in a second; an HDD's follow from its latency, so the figure is for SSDs only. */
  readonly readIops?: number;
  readonly writeIops?: number;
  /** What an fdatasync costs beyond writing what is dirty. Measured, or 0: no datasheet prints it. */
  readonly flushUs: number;
  readonly hasPowerLossProtection: boolean;
}
