/**
 * `stashlight bench run`: measures endpoints without a console or a database, with their sampler and statistics, and
 * writes files that a console can import.
 */
import {
  chooseStoreMethod,
  type MethodChoice,
  type MethodPlan,
  methods,
  requestCost,
} from "@stashlight/benchmark";
import { formatResult } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { sizeText, taggedShareMax } from "@stashlight/contracts/sample";
import { requireOneLoad } from "../limit.ts";
import type { Screen } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import type { BenchRunCommand } from "./arguments.ts";
import { describeVerdicts, judgeLoads, type LoadVerdict } from "./compare/compare-endpoints.ts";
import { type BenchEndpoint, readEndpointFile } from "./endpoint-file.ts";
import { renderFigures } from "./figure-table.ts";
import { type Figures, missedLimits, summariseLoads } from "./figures.ts";
import { listConnections } from "./leg-loads.ts";
import { type MeasuredRun, measureAll } from "./measure.ts";
import { estimateRestores, type RestoreTime } from "./restore.ts";
import { stageText } from "./stage-text.ts";
import { describeDelays, describePauses } from "./starts-text.ts";

export interface BenchSurroundings {
  readonly screen: Screen;
  readonly complain: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly interrupted: AbortSignal;
}

const LIMIT_MISSED = 3;

interface Measured {
  readonly runs: readonly MeasuredRun[];
  readonly figures: readonly Figures[];
  readonly restores: readonly RestoreTime[];
  /** Empty unless two endpoints were measured. */
  readonly verdicts: readonly LoadVerdict[];
  readonly missed: readonly string[];
}

/** Returns the exit code: 0, 1 if a run did not succeed or left objects behind, 3 if a limit was exceeded. */
export async function runBench(command: BenchRunCommand, surroundings: BenchSurroundings): Promise<number> {
  const { screen, complain, environment, interrupted } = surroundings;
  const method = chooseMethod(command);
  const endpoints = await Promise.all(
    command.endpoints.map((path) => readEndpointFile(path, { environment, warn: complain })),
  );
  const names = endpoints.map(({ place }) => place.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(`Two endpoints are named "${twice}"; give each its own name.`);
  const { plan, parameters } = chooseStoreMethod(method);
  const { pauseMs: pause } = parameters as { pauseMs?: unknown };
  const pauseMs = typeof pause === "number" ? pause : null;
  for (const limit of command.limits) requireOneLoad(limit, plan.legs);
  const { slotCount, seed, costMax } = command;
  const cost = costOfAll(plan.estimate, endpoints, slotCount);
  if (costMax !== null) requireWithin(costMax, cost);
  if (!command.isJson) screen.say(estimateText(plan.estimate, cost, endpoints.length * slotCount));
  const quiet: Screen = { say: () => {}, draw: screen.draw };
  const progress = command.isJson ? quiet : screen;
  const runs = await measureAll({
    endpoints,
    method,
    slotCount,
    seed,
    output: command.output,
    legs: plan.legs,
    screen: progress,
    signal: interrupted,
  });
  const figures = summariseLoads(runs, names, plan.legs);
  const verdicts = judgeMeasured(runs, names, plan.legs);
  const missed = missedLimits(command.limits, names, figures);
  const restores = command.restores.flatMap((restore) =>
    estimateRestores(runs, names, plan.legs, restore, seed),
  );
  if (command.isJson)
    screen.say(
      JSON.stringify(buildAnswer(method, command, { runs, figures, restores, verdicts, missed }), null, 2),
    );
  else
    for (const line of reportLines({ runs, figures, restores, verdicts, missed }, endpoints, pauseMs))
      screen.say(line);
  if (missed.length > 0) return LIMIT_MISSED;
  const isWhole = runs.length === endpoints.length * slotCount;
  return isWhole && runs.every(succeeded) ? 0 : 1;
}

function judgeMeasured(
  runs: readonly MeasuredRun[],
  names: readonly string[],
  legs: MethodPlan["legs"],
): LoadVerdict[] {
  const [a, b, ...more] = names;
  if (a === undefined || b === undefined || more.length > 0) return [];
  const connectionCounts = listConnections(legs);
  // An interrupted run proves nothing about its endpoint; a failed one does.
  const judged = runs.filter(({ end }) => end.state === "succeeded" || end.state === "failed");
  return judgeLoads(
    judged.map(({ endpoint, slotMs, samples, end }) => ({
      source: `The run of ${endpoint}`,
      endpoint,
      slotMs,
      method: "as measured",
      connectionCounts,
      samples,
      hasFailed: end.state === "failed",
    })),
    [a, b],
  );
}

const succeeded = ({ end, leftover, fileProblem }: MeasuredRun): boolean =>
  end.state === "succeeded" && leftover === null && fileProblem === null;

/** `stashlight disk` measures drives. */
const storeMethods = methods.filter(({ measures }) => measures === "stores");

/** Throws a UsageError that lists the choices. */
function chooseMethod({ preset, parameters }: BenchRunCommand): MethodChoice {
  const found = storeMethods.flatMap(({ name, presets }) =>
    presets
      .filter((each) => `${name}/${each.name}` === preset || each.name === preset)
      .map((each) => ({ name, each })),
  );
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const every = storeMethods.flatMap(({ name, presets }) => presets.map((each) => `${name}/${each.name}`));
    const fitting = found.map(({ name, each }) => `${name}/${each.name}`);
    throw new UsageError(
      first === undefined
        ? `--preset must be one of ${every.join(", ")}; got "${preset}".`
        : `Several methods have a preset "${preset}"; write ${fitting.join(" or ")}.`,
    );
  }
  const choice = { name: first.name, parameters: { ...first.each.parameters, ...parameters } };
  try {
    chooseStoreMethod(choice);
  } catch (error) {
    if (error instanceof StashlightError) throw new UsageError(error.message);
    throw error;
  }
  return choice;
}

type Estimate = ReturnType<typeof chooseStoreMethod>["plan"]["estimate"];

/** Cost of all slots in US dollars, or the name of an endpoint without a price list. */
type Cost = { readonly dollars: number } | { readonly unpriced: string };

function costOfAll(estimate: Estimate, endpoints: readonly BenchEndpoint[], slotCount: number): Cost {
  let dollars = 0;
  for (const { place, priceList } of endpoints) {
    if (priceList === null) return { unpriced: place.name };
    dollars += requestCost(estimate, priceList) * slotCount;
  }
  return { dollars };
}

/** Throws before anything is sent. */
function requireWithin(costMax: number, cost: Cost): void {
  if ("unpriced" in cost) {
    throw new UsageError(
      `--max-cost cannot be checked for the endpoint "${cost.unpriced}", which has no priceList; add one to its file.`,
    );
  }
  if (cost.dollars <= costMax) return;
  throw new UsageError(
    `The estimated cost is ${dollarText(cost.dollars)}, and --max-cost allows at most ${dollarText(costMax)}; raise it, or measure less.`,
  );
}

const dollarText = (dollars: number): string => `$${dollars.toFixed(4)}`;

function estimateText(estimate: Estimate, cost: Cost, runCount: number): string {
  const { requests, uploadedBytes, downloadedBytes, seconds, isUpperBound } = estimate;
  const requestCount = Object.values(requests).reduce((sum, count) => sum + count, 0) * runCount;
  const about = isUpperBound ? "At most" : "About";
  const down = downloadedBytes === 0 ? "" : `, downloads ${sizeText(downloadedBytes * runCount)}`;
  const money =
    "unpriced" in cost
      ? "cost unknown, because not every endpoint has a price list"
      : dollarText(cost.dollars);
  const minutes = Math.ceil((seconds * runCount) / 60);
  return `${about} ${minutes} min: ${requestCount} ${requestCount === 1 ? "request" : "requests"}, uploads ${sizeText(uploadedBytes * runCount)}${down}; ${money}.`;
}

function reportLines(
  { runs, figures, restores, verdicts, missed }: Measured,
  endpoints: readonly Pick<BenchEndpoint, "place" | "priceList">[],
  pauseMs: number | null,
): string[] {
  const table = figures.length === 0 ? [] : renderFigures(figures);
  const sentences = [...restores.map(({ sentence }) => sentence), ...describeVerdicts(verdicts)];
  const starts = [
    ...figures.flatMap((each) => describeDelays(each) ?? []),
    ...endpoints.flatMap(({ place }) =>
      pauseMs === null ? [] : (describePauses(place.name, runs, pauseMs) ?? []),
    ),
  ];
  return [...table, ...starts, ...sentences, ...runs.flatMap((run) => runNotes(run, endpoints)), ...missed];
}

function runNotes(
  { endpoint, slot, end, leftover, fileProblem }: MeasuredRun,
  endpoints: readonly Pick<BenchEndpoint, "place" | "priceList">[],
): string[] {
  const prices = endpoints.find(({ place }) => place.name === endpoint)?.priceList ?? null;
  const name = `${endpoint}, slot ${slot + 1}`;
  const share = end.taggedShare ?? 0;
  return [
    ...(end.sentence === null ? [] : [`${name}: ${end.sentence}`]),
    ...(end.isContaminated
      ? [
          `${name}: contaminated, because this machine disturbed ${(share * 100).toFixed(1)} % of the samples (at most ${taggedShareMax * 100} %).`,
        ]
      : []),
    ...end.flags.map(({ sentence }) => `${name}: ${sentence}`),
    ...end.results.map((result) => `${name}: ${result.label}: ${formatResult(result)}`),
    ...end.stages.map((stage) => `${name}: ${stageText(stage, prices)}`),
    ...(leftover === null ? [] : [`${name}: ${leftover}`]),
    ...(fileProblem === null ? [] : [`${name}: ${fileProblem}`]),
  ];
}

function buildAnswer(
  method: MethodChoice,
  { slotCount, seed }: BenchRunCommand,
  { runs, figures, restores, verdicts, missed }: Measured,
) {
  return {
    format: "stashlight-bench",
    version: 1,
    method: { name: method.name, parameters: chooseStoreMethod(method).parameters },
    slotCount,
    seed,
    runs: runs.map(({ samples: _, ...run }) => run),
    figures: figures.map(({ summary, ...group }) => ({ ...group, ...summary })),
    restores,
    verdicts,
    missedLimits: missed,
  };
}
