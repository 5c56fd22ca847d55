/** A scenario as the fields of a form: what is typed stays text until it is asked for. */
import type { LiveVault, MeasuredUploads, Scenario } from "@stashlight/contracts";
import { driveCatalogue } from "@stashlight/devices";

/** Those of the live vault, beside the catalogue's. */
export const measuredDrive = "measured";
export const schemeChoices = ["16+4", "17+3", "15+5"] as const;
export type FaultChoice = "none" | "pod outage" | "slow drive" | "dead stash server";
export type ArrivalChoice = "steady" | "diurnal" | "trace";

export interface ScenarioForm {
  readonly name: string;
  readonly minutes: string;
  readonly seed: string;
  readonly arrivals: ArrivalChoice;
  readonly uploadsPerSecond: string;
  readonly swingPercent: string;
  readonly periodHours: string;
  /** Lines of "second, uploads a second". */
  readonly trace: string;
  readonly objectKb: string;
  readonly scheme: (typeof schemeChoices)[number];
  readonly stashServers: string;
  readonly drivesPerServer: string;
  readonly stashGbPerDrive: string;
  readonly stashDrive: string;
  readonly podDrive: string;
  readonly networkUsMin: string;
  readonly networkUsMax: string;
  readonly processorUs: string;
  readonly sharedPercent: string;
  readonly fault: FaultChoice;
  readonly faultAtMinute: string;
  readonly faultMinutes: string;
  readonly podCount: string;
  readonly slowOf: "pod" | "stash";
  readonly slowFactor: string;
  /** What the live vault told, when the form was filled from it. */
  readonly live: LiveVault | null;
}

export type ScenarioField = keyof ScenarioForm;

const firstOf = (kind: "ssd" | "hdd") => driveCatalogue.find((drive) => drive.kind === kind)?.id ?? "";

export const steadyDay: ScenarioForm = {
  name: "Steady day",
  minutes: "60",
  seed: "1",
  arrivals: "steady",
  uploadsPerSecond: "100",
  swingPercent: "60",
  periodHours: "24",
  trace: "0, 100\n600, 300\n1200, 50",
  objectKb: "256",
  scheme: "16+4",
  stashServers: "7",
  drivesPerServer: "3",
  stashGbPerDrive: "3000",
  stashDrive: firstOf("ssd"),
  podDrive: firstOf("hdd"),
  networkUsMin: "50",
  networkUsMax: "150",
  processorUs: "1000",
  sharedPercent: "0",
  fault: "none",
  faultAtMinute: "15",
  faultMinutes: "10",
  podCount: "4",
  slowOf: "pod",
  slowFactor: "20",
  live: null,
};

/** What a preset changes; the load and the devices stay as they are. */
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

/** Every figure that the live vault has takes the place of what is there. */
export function withLiveVault(form: ScenarioForm, live: LiveVault): ScenarioForm {
  const servers = live.stashServers;
  const figures: Partial<ScenarioForm> = {
    ...(live.uploadsPerSecond === null
      ? {}
      : { uploadsPerSecond: rounded(live.uploadsPerSecond), arrivals: "steady" }),
    ...(live.uploadBytesMean === null ? {} : { objectKb: rounded(live.uploadBytesMean / 1000) }),
    ...(live.stashSync === null ? {} : { stashDrive: measuredDrive }),
    ...(live.podSync === null ? {} : { podDrive: measuredDrive }),
    ...(live.messages === null ? {} : { networkUsMin: "", networkUsMax: "" }),
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

export interface AskedSimulation {
  readonly name: string;
  readonly scenario: Scenario;
  readonly measured: MeasuredUploads | null;
}

/** What cannot be read as a number is told here; whether it can be run, the server says. */
export type ParsedForm =
  | { readonly asked: AskedSimulation; readonly problem: null }
  | { readonly asked: null; readonly problem: { readonly field: ScenarioField; readonly message: string } };

class Unreadable extends Error {
  readonly field: ScenarioField;

  constructor(field: ScenarioField, message: string) {
    super(message);
    this.field = field;
  }
}

export function parseForm(form: ScenarioForm): ParsedForm {
  try {
    return { asked: askedBy(form), problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { asked: null, problem: { field: error.field, message: error.message } };
  }
}

function askedBy(form: ScenarioForm): AskedSimulation {
  const number = (field: ScenarioField): number => {
    const typed = String(form[field]).trim();
    const value = Number(typed);
    if (typed === "" || !Number.isFinite(value))
      throw new Unreadable(field, "Write a number, such as 10 or 0.5.");
    return value;
  };
  const [dataShardCount, parityShardCount] = form.scheme.split("+").map(Number) as [number, number];
  const scenario: Scenario = {
    seed: number("seed"),
    durationSeconds: Math.round(number("minutes") * 60),
    scheme: { dataShardCount, parityShardCount },
    stashServers: number("stashServers"),
    drivesPerServer: number("drivesPerServer"),
    stashDrive: driveOf(form, "stashDrive"),
    stashBytesPerDrive: number("stashGbPerDrive") * 1e9,
    fullShare: 0.75,
    shardsPerCommitMax: 10_000,
    ...likenessOf(form, number),
    podDrive: driveOf(form, "podDrive"),
    ...messagesOf(form, number),
    processor: processorOf(form, number),
    nodeUsPerShard: 0,
    recordHeaderBytes: 96,
    recordAlignBytes: 64,
    arrivals: arrivalsOf(form, number),
    sizes: [{ bytes: Math.round(number("objectKb") * 1000), share: 1 }],
    isStashEnabled: true,
    faults: faultsOf(form, number),
    exactUploadCountMax: 50_000,
  };
  return { name: form.name, scenario, measured: form.live?.uploads ?? null };
}

/** Empty fields stand for what was measured. */
function messagesOf({ live, networkUsMin, networkUsMax }: ScenarioForm, number: NumberOf) {
  const measured = live?.messages;
  if (networkUsMin.trim() === "" && networkUsMax.trim() === "" && measured) {
    const stashMessageUs = live.stashMessages === null ? null : pairsOf(live.stashMessages.quantiles);
    return { networkUsMin: 0, networkUsMax: 0, messageUs: pairsOf(measured.quantiles), stashMessageUs };
  }
  const networkUs = { networkUsMin: number("networkUsMin"), networkUsMax: number("networkUsMax") };
  return { ...networkUs, messageUs: null, stashMessageUs: null };
}

function likenessOf({ live, sharedPercent }: ScenarioForm, number: NumberOf) {
  const measured = live?.alike;
  if (sharedPercent.trim() === "" && measured) return { stashSharedShare: 0, alike: measured };
  return { stashSharedShare: number("sharedPercent") / 100, alike: null };
}

type NumberOf = (field: ScenarioField) => number;

function processorOf({ live, processorUs }: ScenarioForm, number: NumberOf): Scenario["processor"] {
  const measured = live?.processor;
  if (processorUs.trim() === "" && measured) return { type: "measured", us: pairsOf(measured.quantiles) };
  return { type: "constant", usPerUpload: number("processorUs") };
}

function driveOf(form: ScenarioForm, field: "stashDrive" | "podDrive"): Scenario["stashDrive"] {
  const measured = field === "stashDrive" ? form.live?.stashSync : form.live?.podSync;
  if (form[field] !== measuredDrive) return { type: "catalogue", driveId: form[field] };
  if (!measured) throw new Unreadable(field, "The live vault's figures are not loaded; take them again.");
  const name = field === "stashDrive" ? "syncs of the live stash" : "syncs of the live pods";
  return { type: "measured", name, syncUs: pairsOf(measured.quantiles) };
}

const pairsOf = (quantiles: readonly (readonly [number, number])[]): [number, number][] =>
  quantiles.map(([share, us]) => [share, us]);

function arrivalsOf(form: ScenarioForm, number: NumberOf): Scenario["arrivals"] {
  if (form.arrivals === "trace") return { type: "trace", points: tracePoints(form.trace) };
  const uploadsPerSecond = number("uploadsPerSecond");
  if (form.arrivals === "steady") return { type: "steady", uploadsPerSecond };
  return {
    type: "diurnal",
    uploadsPerSecond,
    swing: number("swingPercent") / 100,
    periodSeconds: Math.round(number("periodHours") * 3600),
  };
}

function tracePoints(trace: string): [number, number][] {
  const lines = trace.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, i): [number, number] => {
    const [second, rate, ...more] = line.split(/[,;\t]/).map((part) => Number(part.trim()));
    const isRead = second !== undefined && rate !== undefined && more.length === 0;
    if (!isRead || !Number.isFinite(second) || !Number.isFinite(rate)) {
      throw new Unreadable(
        "trace",
        `Line ${i + 1} is “${line.trim()}”; write a second and a rate, such as 600, 25.`,
      );
    }
    return [second, rate];
  });
}

function faultsOf(form: ScenarioForm, number: NumberOf): Scenario["faults"] {
  if (form.fault === "none") return [];
  const atSecond = Math.round(number("faultAtMinute") * 60);
  if (form.fault === "dead stash server") return [{ type: "dead stash server", atSecond }];
  const durationSeconds = Math.round(number("faultMinutes") * 60);
  if (form.fault === "pod outage") {
    return [{ type: "pod outage", atSecond, durationSeconds, podCount: number("podCount") }];
  }
  return [{ type: "slow drive", atSecond, durationSeconds, of: form.slowOf, factor: number("slowFactor") }];
}

const fieldByPath: readonly (readonly [path: string, field: ScenarioField])[] = [
  ["name", "name"],
  ["scenario.durationSeconds", "minutes"],
  ["scenario.seed", "seed"],
  ["scenario.arrivals.points", "trace"],
  ["scenario.arrivals.swing", "swingPercent"],
  ["scenario.arrivals.periodSeconds", "periodHours"],
  ["scenario.arrivals", "uploadsPerSecond"],
  ["arrivals", "uploadsPerSecond"],
  ["scenario.sizes", "objectKb"],
  ["scenario.stashServers", "stashServers"],
  ["scenario.drivesPerServer", "drivesPerServer"],
  ["scenario.stashBytesPerDrive", "stashGbPerDrive"],
  ["scenario.stashDrive", "stashDrive"],
  ["stashDrive", "stashDrive"],
  ["scenario.podDrive", "podDrive"],
  ["podDrive", "podDrive"],
  ["scenario.networkUsMin", "networkUsMin"],
  ["scenario.networkUsMax", "networkUsMax"],
  ["scenario.processor", "processorUs"],
  ["scenario.stashSharedShare", "sharedPercent"],
];

/** The field of the form that a refusal of the server is about; null when it is about none. */
export function fieldOf(path: string | null): ScenarioField | null {
  if (path === null) return null;
  if (/^scenario\.faults\.\d+\.atSecond$/.test(path)) return "faultAtMinute";
  if (/^scenario\.faults\.\d+\.durationSeconds$/.test(path)) return "faultMinutes";
  if (/^scenario\.faults\.\d+\.podCount$/.test(path)) return "podCount";
  if (/^scenario\.faults\.\d+\.factor$/.test(path)) return "slowFactor";
  return fieldByPath.find(([start]) => path === start || path.startsWith(`${start}.`))?.[1] ?? null;
}
