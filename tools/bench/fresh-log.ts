import { promisify } from "node:util";
import { crc32c } from "@stashlight/checksum";
import { formatLog, type LogOptions, openLog, type ShardLog } from "@stashlight/shard-log";
import { openNodeDisk } from "@stashlight/shard-log/node";

export type FreshLogOptions = Pick<LogOptions, "policy" | "segmentBytes" | "segmentCount" | "batchBytesMax">;

export interface FreshLog {
  readonly log: ShardLog;
  readonly close: () => Promise<void>;
}

/** An empty log in an existing folder. */
export async function openFreshLog(folder: string, layout: FreshLogOptions): Promise<FreshLog> {
  const disk = await promisify(openNodeDisk)(folder, { directReads: "required" });
  if (disk === null) throw new Error("No disk was opened.");
  const options: LogOptions = {
    disk,
    crc32c,
    nowMs: () => performance.now(),
    clusterId: new Uint8Array(16).fill(1),
    deviceId: new Uint8Array(16).fill(2),
    recordBytesMax: 131_072,
    batchesWaitingMax: 4,
    ...layout,
  };
  await promisify(formatLog)(options);
  const opened = await promisify(openLog)(options);
  if (opened === null) throw new Error("No log was opened.");
  const { log } = opened;
  const close = async (): Promise<void> => {
    await promisify(log.close.bind(log))();
    await promisify(disk.close.bind(disk))();
  };
  return { log, close };
}
