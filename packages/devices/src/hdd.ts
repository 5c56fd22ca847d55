/**
 * A disk with one arm. An operation of s bytes takes
 *
 *     positioning + s / rate
 *
 * which is the formula of the published 4.5 ms for a 64 kB shard (4.2 ms + 64 kB / 261 MB/s). Its 4.2 ms is the mean
 * rotational wait of 7,200 rpm, so positioning has the distribution of that wait: uniform over one revolution, 2 x the
 * mean x draw. An operation that continues where the last one ended needs no positioning; an fdatasync always does,
 * because the platter has moved on by the time the host answers.
 *
 * Tail (an assumption, no datasheet prints one): one operation in 1,000 is retried for further revolutions, Pareto
 * distributed with index 1 and at most 60, about half a second.
 */
import type { DeviceFigures } from "./device-figures.ts";
import { assertOperation, type DeviceOperation, type ServiceModel } from "./service-model.ts";

const RETRY_SHARE = 0.001;
const RETRY_REVOLUTIONS_MAX = 60;

export function hddModel(figures: DeviceFigures): ServiceModel {
  const { name, kind, capacityBytes, hasPowerLossProtection, flushUs } = figures;
  const readUsPerByte = 1e6 / figures.readBytesPerSecond;
  const writeUsPerByte = 1e6 / figures.writeBytesPerSecond;

  function serviceTimeUs(
    operation: DeviceOperation,
    bytes: number,
    offset: number,
    previousEndOffset: number | null,
    draw: number,
  ): number {
    assertOperation(bytes, offset, draw);
    const fixedUs = operation === "sync" ? flushUs : 0;
    if (bytes === 0) return fixedUs;
    const latencyUs = operation === "read" ? figures.readLatencyUs : figures.writeLatencyUs;
    const continues = operation !== "sync" && previousEndOffset === offset;
    const positioningUs = continues ? 0 : positioningTimeUs(latencyUs, draw);
    return fixedUs + positioningUs + bytes * (operation === "read" ? readUsPerByte : writeUsPerByte);
  }

  const occupancyUs: ServiceModel["occupancyUs"] = (_operation, _bytes, operationTimeUs) => operationTimeUs;
  return { name, kind, capacityBytes, hasPowerLossProtection, serviceTimeUs, occupancyUs };
}

function positioningTimeUs(meanUs: number, draw: number): number {
  const revolutionUs = 2 * meanUs;
  const withinTail = (draw - (1 - RETRY_SHARE)) / RETRY_SHARE;
  if (withinTail < 0) return revolutionUs * draw;
  const retries = Math.min(RETRY_REVOLUTIONS_MAX, Math.floor(1 / Math.max(1 - withinTail, Number.EPSILON)));
  return revolutionUs * (draw + retries);
}
