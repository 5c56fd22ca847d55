/** Metrics of the block device under a drive; unknown values have no series. */
import type { Recorder, Tier } from "@stashlight/telemetry";
import type { DeviceReading } from "../device/device-watch.ts";
import { recordAccount } from "../device/drive-account.ts";

export interface DeviceMetricsOptions {
  readonly recorder: Recorder;
  readonly labels: {
    readonly tier: Tier;
    readonly device: string;
    readonly modelled: string | undefined;
  };
  /** Returns null while there is no device, or the drive is not in use. */
  readonly reading: () => DeviceReading | null;
}

/** Counts from the first reading: earlier writes to the device are not this process's work. */
export function watchDevice({ recorder, labels, reading }: DeviceMetricsOptions): void {
  let last: DeviceReading | null = null;
  const account = recordAccount(recorder, labels);
  recorder.onRead(() => {
    const found = reading();
    const before = last;
    last = found;
    if (found?.writes) {
      const { writeCount, writtenBytes } = writeIncrease(before, found);
      recorder.counter("stashlight_device_writes_total", labels).add(writeCount);
      recorder.counter("stashlight_device_written_bytes_total", labels).add(writtenBytes);
    }
    account(found?.account ?? null);
  });
}

/** Returns zero for another device, and for one whose counts were reset. */
function writeIncrease(before: DeviceReading | null, found: DeviceReading) {
  const nothing = { writeCount: 0, writtenBytes: 0 };
  if (before?.number !== found.number || !before.writes || !found.writes) return nothing;
  const writeCount = found.writes.writeCount - before.writes.writeCount;
  const writtenBytes = found.writes.writtenBytes - before.writes.writtenBytes;
  return writeCount < 0 || writtenBytes < 0 ? nothing : { writeCount, writtenBytes };
}
