/**
 * MinIO's drives, by version 3 of its metrics (/minio/metrics/v3/system/drive) or version 2 (/minio/v2/metrics/node).
 * Latencies are MinIO's own means of the last minute, in microseconds; 0 means a minute without a call.
 */
import type { Medium } from "../../arguments.ts";
import { findSamples, gaugeReading, type Reading, type SourceKind, spaceReadings } from "./kind.ts";

/** Calls that end with data on the drive. */
const WRITES: ReadonlySet<string> = new Set([
  ...["AppendFile", "CreateFile", "RenameData", "UpdateMetadata", "WriteAll", "WriteMetadata"],
]);

const latencies = ["minio_system_drive_api_latency_micros", "minio_node_drive_latency_us"] as const;
/** Version 2 reports only latency and space by drive. */
const prefixes = ["minio_system_drive_", "minio_node_drive_"] as const;
const figures = ["used_bytes", "total_bytes", "health", "perc_util"] as const;

type Figure = (typeof figures)[number];

interface Drive {
  readonly told: Map<Figure, number>;
  readonly micros: Map<string, number>;
}

export const minio: SourceKind = {
  wanted: new Set([...latencies, ...prefixes.flatMap((prefix) => figures.map((figure) => prefix + figure))]),
  read: (samples) => {
    const drives = new Map<string, Drive>();
    const labelledDrive = (labels: ReadonlyMap<string, string>): Drive | null => {
      const name = driveName(labels);
      if (name === null) return null;
      const known = drives.get(name) ?? { told: new Map(), micros: new Map() };
      drives.set(name, known);
      return known;
    };
    for (const prefix of prefixes) {
      for (const figure of figures) {
        for (const { labels, value } of findSamples(samples, prefix + figure)) {
          labelledDrive(labels)?.told.set(figure, value);
        }
      }
    }
    for (const name of latencies) {
      for (const { labels, value } of findSamples(samples, name)) {
        const operation = (labels.get("api") ?? "").replace(/^storage\./, "");
        if (WRITES.has(operation) && value > 0) labelledDrive(labels)?.micros.set(operation, value);
      }
    }
    return [...drives].map(([device, drive]) => ({
      device,
      medium: null,
      readings: (name, tier) => driveReadings(drive, name, tier),
    }));
  },
};

/** "node-1:9000/data1"; in a distributed deployment the drive is already an address. */
function driveName(labels: ReadonlyMap<string, string>): string | null {
  const drive = labels.get("drive");
  if (drive === undefined || drive === "") return null;
  if (/^https?:\/\//.test(drive)) return drive.replace(/^https?:\/\//, "");
  return `${labels.get("server") ?? ""}${drive}`;
}

function driveReadings({ told, micros }: Drive, device: string, tier: Medium): readonly Reading[] {
  const health = told.get("health");
  const busyPercent = told.get("perc_util");
  return [
    ...[...micros].flatMap(([operation, value]) =>
      gaugeReading("stashlight_commit_mean_seconds", { tier, device, operation }, value / 1_000_000),
    ),
    ...spaceReadings(device, told.get("used_bytes"), told.get("total_bytes")),
    // 0 means offline, 1 healthy, 2 being healed.
    ...gaugeReading(
      "stashlight_drive_running",
      { tier, device },
      health === undefined ? undefined : Math.min(1, health),
    ),
    ...gaugeReading(
      "stashlight_device_busy_ratio",
      { tier, device },
      busyPercent === undefined ? undefined : Math.min(1, busyPercent / 100),
    ),
  ];
}
