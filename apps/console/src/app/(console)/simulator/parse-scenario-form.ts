/** Builds the scenario from the fields, for the server to check and run. */

import type { LiveVault, MeasuredUploads, Scenario } from "@stashlight/contracts/planner";
import { recordSizes } from "@stashlight/contracts/space";
import { stashMarks } from "@stashlight/contracts/thresholds";
import { measuredDrive, type ScenarioForm, type SyncedDrive, scenarioFields } from "./scenario-form.ts";

export interface AskedSimulation {
  readonly name: string;
  readonly scenario: Scenario;
  readonly measured: MeasuredUploads | null;
}

/**
 * A valid form as a scenario, or the first problem. The server decides whether a scenario can run.
 */
export type ParsedForm =
  | { readonly asked: AskedSimulation; readonly problem: null }
  | { readonly asked: null; readonly problem: { readonly field: string; readonly message: string } };

type ScenarioValues = ReturnType<typeof scenarioFields.read>["values"];

export function parseForm(form: ScenarioForm, synced: readonly SyncedDrive[] = []): ParsedForm {
  const [first] = Object.entries(checkScenarioForm(form));
  if (first !== undefined) return { asked: null, problem: { field: first[0], message: first[1] } };
  const { values } = scenarioFields.read(form);
  const measured = values.live?.uploads ?? null;
  return { asked: { name: values.name, scenario: toScenario(values, synced), measured }, problem: null };
}

const unread = "Enter a number, such as 10 or 0.5.";
const noLiveFigures = "The live vault's figures are not loaded; load them again.";

/** Lists errors by field. An empty field is valid where a measured value replaces it. */
export function checkScenarioForm(form: ScenarioForm): Readonly<Record<string, string>> {
  const { values, problems } = scenarioFields.read(form);
  const { live } = values;
  const isMessageMeasured =
    form.networkUsMin.trim() === "" && form.networkUsMax.trim() === "" && live?.messages;
  const has = {
    networkUsMin: isMessageMeasured,
    networkUsMax: isMessageMeasured,
    sharedPercent: live?.alike,
    processorUs: live?.processor,
  };
  const empty = (["sharedPercent", "networkUsMin", "networkUsMax", "processorUs"] as const).filter(
    (name) => values[name] === null && !has[name],
  );
  const { trace, stashDrive, podDrive } = values;
  const traceProblem = form.arrivals === "trace" ? readTrace(trace).problem : undefined;
  return {
    ...problems,
    ...Object.fromEntries(empty.map((name) => [name, unread])),
    ...(traceProblem === undefined ? {} : { trace: traceProblem }),
    ...(stashDrive === measuredDrive && !live?.stashSync ? { stashDrive: noLiveFigures } : {}),
    ...(podDrive === measuredDrive && !live?.podSync ? { podDrive: noLiveFigures } : {}),
  };
}

function toScenario(values: ScenarioValues, synced: readonly SyncedDrive[]): Scenario {
  const [dataShardCount, parityShardCount] = values.scheme.split("+").map(Number) as [number, number];
  const { live, stallsPerMinute, stallMs } = values;
  return {
    seed: values.seed,
    durationSeconds: Math.round(values.minutes * 60),
    scheme: { dataShardCount, parityShardCount },
    stashServers: values.stashServers,
    drivesPerServer: values.drivesPerServer,
    stashDrive: scenarioDrive(values.stashDrive, "syncs of the live stash", live?.stashSync, synced),
    stashBytesPerDrive: values.stashGbPerDrive * 1e9,
    fullShare: stashMarks.fullShare,
    shardsPerCommitMax: 10_000,
    ...toCorrelation(values),
    stashStalls: stallsPerMinute === 0 ? null : { perMinute: stallsPerMinute, ms: stallMs },
    podDrive: scenarioDrive(values.podDrive, "syncs of the live pods", live?.podSync, synced),
    ...toMessageDelays(values),
    processor: toProcessor(values),
    nodeUsPerShard: 0,
    ...recordSizes,
    arrivals: toArrivals(values),
    sizes: [{ bytes: Math.round(values.objectKb * 1000), share: 1 }],
    isStashEnabled: true,
    faults: scenarioFaults(values),
    exactUploadCountMax: 50_000,
  };
}

function toMessageDelays({ live, networkUsMin, networkUsMax }: ScenarioValues) {
  if (networkUsMin !== null && networkUsMax !== null) {
    return { networkUsMin, networkUsMax, messageUs: null, stashMessageUs: null };
  }
  const messageUs = toPairs(live?.messages?.quantiles ?? []);
  const stashMessageUs = live?.stashMessages ? toPairs(live.stashMessages.quantiles) : null;
  return { networkUsMin: 0, networkUsMax: 0, messageUs, stashMessageUs };
}

function toCorrelation({ live, sharedPercent }: ScenarioValues) {
  if (sharedPercent === null) return { stashSharedShare: 0, alike: live?.alike ?? null };
  return { stashSharedShare: sharedPercent / 100, alike: null };
}

function toProcessor({ live, processorUs }: ScenarioValues): Scenario["processor"] {
  if (processorUs !== null) return { type: "constant", usPerUpload: processorUs };
  return { type: "measured", us: toPairs(live?.processor?.quantiles ?? []) };
}

function scenarioDrive(
  driveId: string,
  name: string,
  measured: LiveVault["stashSync"] | undefined,
  synced: readonly SyncedDrive[],
) {
  const own = synced.find(({ id }) => id === driveId);
  if (own !== undefined)
    return { type: "measured" as const, name: own.name, syncUs: toPairs(own.quantilesUs) };
  if (driveId !== measuredDrive) return { type: "catalogue" as const, driveId };
  return { type: "measured" as const, name, syncUs: toPairs(measured?.quantiles ?? []) };
}

const toPairs = (quantiles: readonly (readonly [number, number])[]): [number, number][] =>
  quantiles.map(([share, us]) => [share, us]);

function toArrivals(values: ScenarioValues): Scenario["arrivals"] {
  const { arrivals, uploadsPerSecond, swingPercent, periodHours, trace } = values;
  if (arrivals === "trace") return { type: "trace", points: readTrace(trace).points };
  if (arrivals === "steady") return { type: "steady", uploadsPerSecond };
  const periodSeconds = Math.round(periodHours * 3600);
  return { type: "diurnal", uploadsPerSecond, swing: swingPercent / 100, periodSeconds };
}

/** Parses lines of "second, uploads per second"; returns a sentence about the first invalid one. */
function readTrace(trace: string): { points: [number, number][]; problem?: string } {
  const points: [number, number][] = [];
  for (const [i, line] of trace
    .split("\n")
    .filter((each) => each.trim() !== "")
    .entries()) {
    const [second, rate, ...more] = line.split(/[,;\t]/).map((part) => Number(part.trim()));
    if (!Number.isFinite(second) || !Number.isFinite(rate) || more.length > 0) {
      const problem = `Line ${i + 1} is “${line.trim()}”; enter a second and a rate, such as 600, 25.`;
      return { points, problem };
    }
    points.push([second as number, rate as number]);
  }
  return { points };
}

function scenarioFaults(values: ScenarioValues): Scenario["faults"] {
  const { fault, podCount, slowOf, slowFactor } = values;
  const atSecond = Math.round(values.faultAtMinute * 60);
  const durationSeconds = Math.round(values.faultMinutes * 60);
  if (fault === "none") return [];
  if (fault === "dead stash server") return [{ type: "dead stash server", atSecond }];
  if (fault === "pod outage") return [{ type: "pod outage", atSecond, durationSeconds, podCount }];
  return [{ type: "slow drive", atSecond, durationSeconds, of: slowOf, factor: slowFactor }];
}
