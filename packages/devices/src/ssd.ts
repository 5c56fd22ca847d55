/**
 * A device without moving parts. An operation of s bytes takes
 *
 *     latency + s / rate
 *
 * which is the formula of the published 27 us for a 64 kB shard (15 us + 64 kB / 5,300 MB/s). The latency is drawn from
 * a log-logistic distribution whose median is the given figure: median x (draw / (1 - draw)) ^ (1 / 8), not below 0.7
 * of the median. The shape 8 is an assumption (p99 1.8 x, p99.9 2.4 x, p99.99 3.2 x the median): datasheets print no
 * tail, and an eighth root is three exact square roots; a measured device replaces it.
 *
 * Operations overlap: the next one starts after the larger of the transfer and 1 / IOPS.
 */
import type { DeviceFigures } from "./device-figures.ts";
import { assertOperation, type DeviceOperation, type ServiceModel } from "./service-model.ts";

const LATENCY_RATIO_MIN = 0.7;

type SsdFigures = DeviceFigures & { readonly readIops: number; readonly writeIops: number };

export function ssdModel(figures: SsdFigures): ServiceModel {
  const { name, kind, capacityBytes, hasPowerLossProtection, flushUs } = figures;
  const readUsPerByte = 1e6 / figures.readBytesPerSecond;
  const writeUsPerByte = 1e6 / figures.writeBytesPerSecond;
  const readUsPerOperation = 1e6 / figures.readIops;
  const writeUsPerOperation = 1e6 / figures.writeIops;

  function serviceTimeUs(
    operation: DeviceOperation,
    bytes: number,
    offset: number,
    _previousEndOffset: number | null,
    draw: number,
  ): number {
    assertOperation(bytes, offset, draw);
    const fixedUs = operation === "sync" ? flushUs : 0;
    if (bytes === 0) return fixedUs;
    if (operation === "read") return figures.readLatencyUs * latencyRatio(draw) + bytes * readUsPerByte;
    return fixedUs + figures.writeLatencyUs * latencyRatio(draw) + bytes * writeUsPerByte;
  }

  function occupancyUs(operation: DeviceOperation, bytes: number, operationTimeUs: number): number {
    const needed =
      operation === "read"
        ? Math.max(readUsPerOperation, bytes * readUsPerByte)
        : Math.max(writeUsPerOperation, bytes * writeUsPerByte);
    return Math.min(needed, operationTimeUs);
  }

  return { name, kind, capacityBytes, hasPowerLossProtection, serviceTimeUs, occupancyUs };
}

function latencyRatio(draw: number): number {
  return Math.max(LATENCY_RATIO_MIN, Math.sqrt(Math.sqrt(Math.sqrt(draw / (1 - draw)))));
}
