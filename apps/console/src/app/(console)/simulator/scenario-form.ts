/** Fields of a scenario, its presets, and the live vault's values for them. */
import type { DriveRow } from "@stashlight/contracts/disk";
import type { LiveVault } from "@stashlight/contracts/planner";
import { driveCatalogue } from "@stashlight/devices";
import {
  area,
  choice,
  fieldTable,
  held,
  number,
  optionalNumber,
  type Typed,
  text,
} from "@stashlight/ui/fields";

/** Option for the drives of the live vault, as measured. */
export const measuredDrive = "measured";
const schemes = (["16+4", "17+3", "15+5"] as const).map((value) => ({ value, label: value }));
const arrivals = [
  { value: "steady", label: "Steady rate (Poisson)" },
  { value: "diurnal", label: "Daily cycle" },
  { value: "trace", label: "Trace of rates" },
] as const;
const faults = [
  { value: "none", label: "None" },
  { value: "pod outage", label: "Pods are away" },
  { value: "slow drive", label: "A drive is slow" },
  { value: "dead stash server", label: "A stash server dies" },
] as const;
const slowDrives = [
  { value: "pod", label: "pod" },
  { value: "stash", label: "stash server" },
] as const;

const catalogueOptions = (kind: "ssd" | "hdd") =>
  driveCatalogue
    .filter((drive) => drive.kind === kind)
    .map(({ id, maker, model }) => ({ value: id as string, label: `${maker} ${model}` }));

/** A drive whose syncs were measured by a stash load. */
export interface SyncedDrive {
  readonly id: string;
  /** "host-1/data, measured 2026-11-24" */
  readonly name: string;
  readonly quantilesUs: readonly (readonly [share: number, us: number])[];
}

/** Drives measured by a stash load, at any probe. */
export const syncedDrives = (drives: readonly DriveRow[]): SyncedDrive[] =>
  drives.flatMap(({ id, name, label, syncs }) =>
    syncs === null
      ? []
      : {
          id,
          name: `${name}, ${label} ${syncs.measuredAt.toISOString().slice(0, 10)}`,
          quantilesUs: syncs.quantilesUs,
        },
  );

/** Drive options: the catalogue's, and measured ones once they are loaded. */
export const driveOptions = (
  kind: "ssd" | "hdd",
  hasMeasured: boolean,
  synced: readonly SyncedDrive[] = [],
) => [
  ...catalogueOptions(kind),
  ...(hasMeasured ? [{ value: measuredDrive, label: "as measured on the live vault" }] : []),
  ...synced.map(({ id, name }) => ({ value: id, label: name })),
];
const firstDrive = (kind: "ssd" | "hdd") => catalogueOptions(kind)[0]?.value ?? "";

/** A number, or empty to use the measured value, which needs the live vault's values. */
const measurable = (label: string, settings: Parameters<typeof optionalNumber>[1]) => ({
  ...optionalNumber(label, settings),
  optional: false,
});

export const scenarioFields = fieldTable(
  {
    name: text("Name", { initial: "Steady day" }),
    minutes: number("Length", { unit: "minutes", initial: "60", path: "scenario.durationSeconds" }),
    arrivals: choice("Arrivals", arrivals, { initial: "steady", path: "scenario.arrivals.type" }),
    uploadsPerSecond: number("Uploads per second", {
      initial: "100",
      path: ["scenario.arrivals", "arrivals"],
    }),
    swingPercent: number("Swing", { unit: "%", initial: "60", path: "scenario.arrivals.swing" }),
    periodHours: number("Period", {
      unit: "hours",
      initial: "24",
      path: "scenario.arrivals.periodSeconds",
    }),
    trace: area("Trace", {
      initial: "0, 100\n600, 300\n1200, 50",
      path: ["scenario.arrivals", "arrivals"],
      mono: true,
      rows: 5,
      help: "One step per line: the second at which it begins, and its uploads per second.",
    }),
    objectKb: number("Object size", { unit: "kB", initial: "256", path: "scenario.sizes" }),
    seed: number("Seed", {
      initial: "1",
      path: "scenario.seed",
      help: "The same seed gives the same result.",
    }),
    scheme: choice("Scheme", schemes, { initial: "16+4", path: "scenario.scheme" }),
    stashServers: number("Stash servers", { initial: "7", path: "scenario.stashServers" }),
    drivesPerServer: number("Drives per server", { initial: "3", path: "scenario.drivesPerServer" }),
    stashDrive: choice<string>("Stash drive", [], {
      initial: firstDrive("ssd"),
      path: ["scenario.stashDrive", "stashDrive"],
    }),
    stashGbPerDrive: number("Log per drive", {
      unit: "GB",
      initial: "3000",
      path: "scenario.stashBytesPerDrive",
    }),
    sharedPercent: measurable("Shared sync delays", {
      unit: "%",
      initial: "0",
      path: "scenario.stashSharedShare",
      help: "0 for independent drives, more if they share a disk. Leave it empty for the measured value.",
    }),
    stallsPerMinute: number("Stash stalls per minute", {
      initial: "0",
      path: "scenario.stashStalls.perMinute",
      help: "Pauses of each stash server's process. Use 0 if the measured messages include them.",
    }),
    stallMs: number("Stall length", { unit: "ms", initial: "300", path: "scenario.stashStalls.ms" }),
    podDrive: choice<string>("Pod drive", [], {
      initial: firstDrive("hdd"),
      path: ["scenario.podDrive", "podDrive"],
    }),
    networkUsMin: measurable("Fastest message", {
      unit: "µs",
      initial: "50",
      path: "scenario.networkUsMin",
    }),
    networkUsMax: measurable("Slowest message", {
      unit: "µs",
      initial: "150",
      path: "scenario.networkUsMax",
    }),
    processorUs: measurable("Processor time per upload", {
      unit: "µs",
      initial: "1000",
      path: "scenario.processor",
      help: "HTTP, hashing and encoding, one upload after the other. The simulation does not run them.",
    }),
    fault: choice("Kind of fault", faults, { initial: "none" }),
    faultAtMinute: number("Begins at minute", { initial: "15", path: "scenario.faults.*.atSecond" }),
    faultMinutes: number("Duration", {
      unit: "minutes",
      initial: "10",
      path: "scenario.faults.*.durationSeconds",
    }),
    podCount: number("Pods away", {
      initial: "4",
      path: "scenario.faults.*.podCount",
      help: "An upload needs all pods but one, so with two pods away no upload is acknowledged.",
    }),
    slowOf: choice("Place of the drive", slowDrives, { initial: "pod" }),
    slowFactor: number("Slowdown factor", { initial: "20", path: "scenario.faults.*.factor" }),
    /** The live vault's values, once the form was filled from them. */
    live: held<LiveVault | null>(null),
  },
  {
    uploadsPerSecond: (form) => form.arrivals !== "trace",
    swingPercent: (form) => form.arrivals === "diurnal",
    periodHours: (form) => form.arrivals === "diurnal",
    trace: (form) => form.arrivals === "trace",
    stallMs: ({ stallsPerMinute }) => Number(stallsPerMinute) !== 0,
    faultAtMinute: ({ fault }) => fault !== "none",
    faultMinutes: ({ fault }) => fault === "pod outage" || fault === "slow drive",
    podCount: ({ fault }) => fault === "pod outage",
    slowOf: ({ fault }) => fault === "slow drive",
    slowFactor: ({ fault }) => fault === "slow drive",
  },
);
export type ScenarioForm = Typed<typeof scenarioFields.specs>;

/** Changes that a preset makes; load and devices stay unchanged. */
export const presets: readonly {
  readonly id: string;
  readonly label: string;
  readonly changes: Partial<ScenarioForm>;
}[] = [
  { id: "steady", label: "Steady day", changes: { name: "Steady day", fault: "none" } },
  {
    id: "outage-4",
    label: "Ten-minute outage of four pods",
    changes: { name: "Outage of four pods", fault: "pod outage", podCount: "4", faultMinutes: "10" },
  },
  {
    id: "outage-all",
    label: "Ten-minute outage of all pods",
    changes: { name: "Outage of all pods", fault: "pod outage", podCount: "20", faultMinutes: "10" },
  },
  {
    id: "slow-drive",
    label: "A slow pod drive",
    changes: {
      name: "Slow pod drive",
      fault: "slow drive",
      slowOf: "pod",
      slowFactor: "20",
      faultMinutes: "10",
    },
  },
  {
    id: "dead-server",
    label: "A dead stash server",
    changes: { name: "Dead stash server", fault: "dead stash server" },
  },
];

/** Replaces the form's values with the live vault's, where the vault has one. */
export function withLiveVault(form: ScenarioForm, live: LiveVault): ScenarioForm {
  const servers = live.stashServers;
  const figures: Partial<ScenarioForm> = {
    ...(live.uploadsPerSecond === null
      ? {}
      : { uploadsPerSecond: rounded(live.uploadsPerSecond), arrivals: "steady" }),
    ...(live.uploadBytesMean === null ? {} : { objectKb: rounded(live.uploadBytesMean / 1000) }),
    ...(live.stashSync === null ? {} : { stashDrive: measuredDrive }),
    ...(live.podSync === null ? {} : { podDrive: measuredDrive }),
    ...(live.messages === null ? {} : { networkUsMin: "", networkUsMax: "", stallsPerMinute: "0" }),
    ...(live.alike === null ? {} : { sharedPercent: "" }),
    ...(live.processor === null ? {} : { processorUs: "" }),
    ...(servers === null || live.stashDevices === null
      ? {}
      : { stashServers: String(servers), drivesPerServer: String(Math.ceil(live.stashDevices / servers)) }),
    ...(live.stashBytesPerDrive === null ? {} : { stashGbPerDrive: rounded(live.stashBytesPerDrive / 1e9) }),
  };
  return { ...form, ...figures, name: "Live vault", live };
}

const rounded = (value: number) => String(Number(value.toPrecision(3)));
