/** Facts that a drive reports about itself, and sentences on how to get the missing ones. */
import { type MetricName, metricLabelValues, type SmartSilence } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";

const identityLabels = ["model", "serial", "firmware"] as const satisfies SeriesLabel[];

/** Queries for `readDriveFacts`, in any order. */
export const driveFactSelections = (scope: Pick<MetricSelection, "where" | "nodeIds">): MetricSelection[] =>
  [
    { metric: "stashlight_device_info" as const, groupBy: [...identityLabels] },
    { metric: "stashlight_device_smart_silent_info" as const, groupBy: ["silence" as const] },
    { metric: "stashlight_device_capacity_bytes" as const },
    { metric: "stashlight_device_healthy" as const, across: "min" as const },
    { metric: "stashlight_device_wear_ratio" as const },
    { metric: "stashlight_device_wear_source_info" as const, groupBy: ["source" as const] },
    { metric: "stashlight_device_write_amplification" as const },
    { metric: "stashlight_device_spare_ratio" as const, across: "min" as const },
    { metric: "stashlight_device_bad_sectors" as const },
    { metric: "stashlight_device_uncorrected_errors" as const },
    { metric: "stashlight_device_temperature_celsius" as const },
  ].map((question) => ({ across: "max", ...question, ...scope, pointCountMax: 20, summarise: true }));

export interface DriveFacts {
  readonly model: string | null;
  readonly serial: string | null;
  readonly firmware: string | null;
  readonly capacityBytes: number | null;
  readonly isHealthy: boolean | null;
  readonly wearRatio: number | null;
  /** SMART attribute that the wear is computed from; null if the drive reports its wear itself. */
  readonly wearSource: string | null;
  /** Bytes written to flash per byte that hosts wrote, over the drive's life. */
  readonly writeAmplification: number | null;
  readonly spareRatio: number | null;
  readonly badSectors: number | null;
  readonly uncorrectedErrors: number | null;
  readonly temperatureCelsius: number | null;
  /** Sentences on why facts are unknown and how to get them. */
  readonly sentences: readonly string[];
}

/** `isSimulated` is the node's: a simulated drive has no device. */
export function readDriveFacts(answers: readonly MetricAnswer[], isSimulated: boolean): DriveFacts {
  const info = newestSeries(answers, "stashlight_device_info");
  const silent = newestSeries(answers, "stashlight_device_smart_silent_info");
  const level = (name: MetricName): number | null => {
    const columns = newestSeries(answers, name)?.columns;
    return columns?.kind === "gauge" ? (columns.last.at(-1) ?? null) : null;
  };
  const healthy = level("stashlight_device_healthy");
  const identity = {
    model: info?.labels.model || null,
    serial: info?.labels.serial || null,
    firmware: info?.labels.firmware || null,
  };
  const health = {
    isHealthy: healthy === null ? null : healthy >= 1,
    wearRatio: level("stashlight_device_wear_ratio"),
    writeAmplification: level("stashlight_device_write_amplification"),
    spareRatio: level("stashlight_device_spare_ratio"),
    badSectors: level("stashlight_device_bad_sectors"),
    uncorrectedErrors: level("stashlight_device_uncorrected_errors"),
    temperatureCelsius: level("stashlight_device_temperature_celsius"),
  };
  return {
    ...identity,
    ...health,
    wearSource: newestSeries(answers, "stashlight_device_wear_source_info")?.labels.source || null,
    capacityBytes: level("stashlight_device_capacity_bytes"),
    sentences: isSimulated
      ? ["The drive is simulated, so there is no device to report its identity and health."]
      : factSentences(identity, health, silent?.labels.silence),
  };
}

/** Newest series, which after a replacement in the range is that of the new drive. */
function newestSeries(answers: readonly MetricAnswer[], name: MetricName): MetricSeries | undefined {
  return answerTo(answers, name)?.series.reduce<MetricSeries | undefined>(
    (newest, each) => ((each.endMs.at(-1) ?? 0) > (newest?.endMs.at(-1) ?? 0) ? each : newest),
    undefined,
  );
}

const silences: Record<SmartSilence, string> = {
  not_installed:
    "Health, wear and temperature are not known, because smartctl is not installed on the machine. Install smartmontools 7 or later; the agent asks again within ten minutes.",
  not_permitted:
    "Health, wear and temperature are not known, because the agent is not allowed to query the drive. Run it as root, or give it the right to open the device.",
  unsupported:
    "Health, wear and temperature are not known, because the drive has no SMART, like virtual disks and drives behind some RAID controllers. Run the host agent on the machine that has the physical drive.",
  unreadable:
    "Health, wear and temperature are not known, because smartctl's answer was not understood. Install smartmontools 7 or later.",
};

const isSilence = (value: string | undefined): value is SmartSilence =>
  metricLabelValues.silence.some((each) => each === value);

type Identity = Pick<DriveFacts, "model" | "serial" | "firmware">;
type Health = Pick<
  DriveFacts,
  | "isHealthy"
  | "wearRatio"
  | "writeAmplification"
  | "spareRatio"
  | "badSectors"
  | "uncorrectedErrors"
  | "temperatureCelsius"
>;

function factSentences(identity: Identity, health: Health, silence: string | undefined): string[] {
  const isKnown = (part: object): boolean => Object.values(part).some((value) => value !== null);
  if (!isKnown(identity) && !isKnown(health) && silence === undefined) {
    return [
      "The agent reported nothing about the drive in this time range. It cannot report if the folder is not on a block device but, for example, on tmpfs or an overlay. Update the agent if it is an earlier version.",
    ];
  }
  const missing = [
    ...(identity.model === null ? ["model"] : []),
    ...(identity.serial === null ? ["serial number"] : []),
    ...(identity.firmware === null ? ["firmware"] : []),
  ];
  return [
    ...(missing.length === 0
      ? []
      : [
          `The machine does not report the ${inList(missing)}. Run the agent as root with smartmontools 7 or later; a virtual disk may have none.`,
        ]),
    ...(isSilence(silence) && !isKnown(health) ? [silences[silence]] : []),
  ];
}

const inList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
