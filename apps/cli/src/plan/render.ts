/** Formats a plan's answer for a terminal: at most 96 columns, most important lines first. */
import {
  causeShareInWords,
  constraintNames,
  counted,
  type Durability,
  describeOutgrown,
  formatDrives,
  formatFigure,
  formatOutage,
  formatPlanBytes,
  formatShare,
  formatStop,
  formatTimes,
  formatUsd,
  ninesInWords,
  ninesWithInterval,
  type PlanVariable,
  type PoolVerdict,
  planFields,
  type StashAnswer,
  type StashPlanInput,
} from "@stashlight/planner";
import { type Column, renderTable } from "../table.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 96;
const MONTHS_SHOWN = [0, 6, 12, 24, 36, 60, 84, 120];

export function renderAnswer(input: StashPlanInput, answer: StashAnswer): string[] {
  const sections = [
    [
      ...wrap(`${answer.sentence}.`, WIDTH),
      ...wrap(answer.advice ?? "", WIDTH),
      ...wrap(answer.direct?.sentence ?? "", WIDTH),
    ],
    poolLines(input, answer),
    loadLines(answer),
    constraintLines(input, answer),
    ...shownVerdicts(answer).map(networkLines),
    costLines(input, answer.planned),
    growthLines(input, answer),
    sensitivityLines(answer),
    ...shownVerdicts(answer).map(notSurvivedBy),
    ...shownVerdicts(answer).map(podLines),
    crossCheckLines(answer),
    tailLines(answer),
    durabilityLines(answer),
    availabilityLines(answer),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

/** Rows of a name, a value, and a remark. */
function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const columns: Column[] = [{ title }, ...heads.map((head) => ({ title: head, isRight: true }))];
  return renderTable(columns, rows);
}

const shownVerdicts = ({ planned, installed }: StashAnswer): PoolVerdict[] =>
  installed === null ? [planned] : [installed, planned];

const poolNames = { installed: "WHAT YOU HAVE", planned: "WHAT YOU WOULD BUY" } as const;

/** Compares the pools question by question, with each verdict in a sentence. */
function poolLines(input: StashPlanInput, answer: StashAnswer): string[] {
  const verdicts = shownVerdicts(answer);
  const row = (name: string, say: (verdict: PoolVerdict) => string) => [name, ...verdicts.map(say)];
  return [
    ...table(
      "POOL",
      verdicts.map(({ pool }) => poolNames[pool.basis]),
      [
        row("Drives", ({ pool }) => `${pool.drives} in ${counted(pool.servers, "server")}`),
        row("Size of a drive", ({ pool }) => formatPlanBytes(pool.drive.capacityBytes)),
        row("Suffices", ({ suffices, network }) =>
          suffices && !network.suffices ? "yes, but not the network" : suffices ? "yes" : "no",
        ),
        row("Today's load fits", ({ times }) => formatTimes(times)),
        row("Outgrown", ({ outgrownAtMonth }) => describeOutgrown(input, outgrownAtMonth)),
        row("Outage of pods", ({ outageSecondsMax: seconds }) =>
          seconds === null ? "-" : formatOutage(seconds).replace("more than", "up to"),
        ),
        row("Price", ({ cost }) => formatUsd(cost.totalUsd)),
      ],
    ),
    ...verdicts.flatMap(({ title, sentence }) => wrap(`${title}. ${sentence}`, WIDTH)),
  ];
}

function loadLines({ plan }: StashAnswer): string[] {
  const { load } = plan;
  const rate = (bytesPerSecond: number) => `${formatPlanBytes(bytesPerSecond)}/s`;
  return [
    ...table(
      "LOAD",
      ["MEAN", "PEAK"],
      [
        [
          "Small uploads",
          `${formatFigure(load.uploadsPerSecond)} 1/s`,
          `${formatFigure((load.uploadsPerSecond * load.peakBytesPerSecond) / load.meanBytesPerSecond)} 1/s`,
        ],
        ["Bytes to the stash", rate(load.meanBytesPerSecond), rate(load.peakBytesPerSecond)],
        ["Bytes on the stash", formatPlanBytes(plan.meanOccupancyBytes), formatPlanBytes(plan.requiredBytes)],
      ],
    ),
    `Each upload takes ${formatPlanBytes(load.stashBytesPerObject)} on the stash; the ${plan.requiredBy} decides how much must fit.`,
  ];
}

function constraintLines(input: StashPlanInput, { plan }: StashAnswer): string[] {
  const { drive, serviceYears } = input;
  const allowed = (drive.driveWritesPerDay * drive.warrantyYears) / serviceYears;
  const byNeed = constraintNames.toSorted((a, b) => plan.drivesByConstraint[b] - plan.drivesByConstraint[a]);
  const columns: Column[] = [{ title: "CONSTRAINT" }, { title: "DRIVES", isRight: true }, { title: "" }];
  const rows = byNeed.map((name) => [
    name,
    formatDrives(plan.drivesByConstraint[name]),
    name === plan.bindingConstraint ? "binds" : "",
  ]);
  return [
    ...renderTable(columns, rows),
    `Placement needs ${counted(plan.placementServers, "server")}: at most ${counted(plan.shardsPerServerMax, "shard")} of an upload on each.`,
    `Each drive is written ${formatFigure(plan.driveWritesPerDay)} times per day; to last ${formatFigure(serviceYears)} years, at most ${formatFigure(allowed)} times.`,
  ];
}

function networkLines({ pool, network }: PoolVerdict): string[] {
  return [
    ...table(
      `PORTS, WITH ${poolNames[pool.basis]}`,
      ["MACHINES", "GBIT/S", "AT THE PEAK", "BUSY"],
      network.ports.map(({ of, machines, bitsPerSecond, peakBytesPerSecond, utilisation }) => [
        of,
        formatFigure(machines),
        formatFigure(bitsPerSecond / 1e9),
        `${formatPlanBytes(peakBytesPerSecond)}/s`,
        formatShare(utilisation),
      ]),
    ),
    ...wrap(network.sentence, WIDTH),
  ];
}

function costLines(input: StashPlanInput, { pool, cost }: PoolVerdict): string[] {
  const times = cost.allSsdRatio === null ? "" : `${formatFigure(cost.allSsdRatio)} x`;
  const vault = `Vault of ${formatPlanBytes(input.vaultBytes)}`;
  const columns: Column[] = [{ title: "COST" }, { title: "USD", isRight: true }, { title: "" }];
  return renderTable(columns, [
    [`${counted(pool.drives, "drive")}, ${input.drive.name}`, formatUsd(cost.drivesUsd), ""],
    [counted(pool.servers, "server"), formatUsd(cost.serversUsd), ""],
    [
      "Stash",
      formatUsd(cost.totalUsd),
      `${formatUsd(cost.usdPerTbLanded)} per TB landed in ${formatFigure(input.serviceYears)} years`,
    ],
    [`${vault} on HDDs, with stash`, formatUsd(cost.hddVaultWithStashUsd), ""],
    [`${vault} on SSDs alone`, formatUsd(cost.allSsdVaultUsd), times],
  ]);
}

function growthLines(input: StashPlanInput, { growth }: StashAnswer): string[] {
  if (input.growthPerYear === 0) return [];
  const points = growth.filter(({ month }) => MONTHS_SHOWN.includes(month));
  const heads = points.map(({ month }) => String(month));
  return table("GROWTH, MONTH", heads, [
    ["Load (today = 1)", ...points.map(({ times }) => formatFigure(times))],
  ]);
}

const labels: ReadonlyMap<string, string> = new Map(planFields.map(({ path, label }) => [path, label]));
const variableLabel = (variable: PlanVariable): string => labels.get(variable) ?? variable;

function sensitivityLines({ sensitivities, plan }: StashAnswer): string[] {
  const heads = ["LOAD: -20 %", "+20 %", "POOL: -20 %", "+20 %"];
  const rows = sensitivities.map(({ variable, low, high, changesBinding }) => [
    variableLabel(variable),
    formatDrives(low.loadDrives),
    formatDrives(high.loadDrives),
    formatFigure(low.drives),
    formatFigure(high.drives),
    changesBinding ? bindingAt(low.bindingConstraint, high.bindingConstraint, plan.bindingConstraint) : "",
  ]);
  const columns: Column[] = [
    { title: "DRIVES IF THIS IS" },
    ...heads.map((title) => ({ title, isRight: true })),
    { title: "" },
  ];
  return renderTable(columns, rows);
}

function bindingAt(low: string, high: string, present: string): string {
  return high === present ? `${low} binds at -20 %` : `${high} binds at +20 %`;
}

function notSurvivedBy({ pool, notSurvived }: PoolVerdict): string[] {
  const title = `NOT SURVIVED BY ${poolNames[pool.basis]}`;
  return [title, ...notSurvived.sentences.flatMap((sentence) => wrap(sentence, WIDTH, "- "))];
}

function podLines({ pool, stability }: PoolVerdict): string[] {
  if (stability === null) return [];
  return [`PODS, WITH ${poolNames[pool.basis]}`, ...wrap(stability.sentence, WIDTH)];
}

function crossCheckLines({ crossChecks }: StashAnswer): string[] {
  return [
    ...table(
      "OTHER SIZING RULES",
      ["BYTES", "DRIVES"],
      crossChecks.map(({ name, bytes, drives }) => [name, formatPlanBytes(bytes), formatDrives(drives)]),
    ),
    ...crossChecks.flatMap(({ name, sentence }) => wrap(`${name}: ${sentence}`, WIDTH, "- ")),
  ];
}

function tailLines({ tail }: StashAnswer): string[] {
  const percentile = (share: number) => `p${Number((share * 100).toFixed(2))}`;
  return table(
    `ACKNOWLEDGED BY ${tail.quorum} OF ${tail.nodes}`,
    tail.percentiles.map(({ ack }) => percentile(ack)),
    [
      ["node percentile, one set", ...tail.percentiles.map(({ nodeOfOneSet }) => percentile(nodeOfOneSet))],
      [
        "node percentile, pods and stash",
        ...tail.percentiles.map(({ nodeOfTwoSets }) => percentile(nodeOfTwoSets)),
      ],
    ],
  );
}

function durabilityLines({ durability: { durability, unknown } }: StashAnswer): string[] {
  if (durability === null) return ["DURABILITY", ...wrap(unknown, WIDTH)];
  return [
    "DURABILITY (MODELLED)",
    ...durability.sentences.flatMap((sentence) => wrap(sentence, WIDTH, "- ")),
    "",
    ...modelTable(durability),
    "",
    ...schemeTable(durability),
    "",
    "QUARANTINE OF A SLOW DRIVE",
    ...durability.quarantine.flatMap((sentence) => wrap(sentence, WIDTH, "- ")),
  ];
}

function availabilityLines({ availability: { layouts, sentence } }: StashAnswer): string[] {
  return [
    ...table(
      "UPLOADS STOP, A YEAR",
      ["MACHINES", "RESTARTS", "FAILURES", "TOGETHER"],
      layouts.map((layout) => [
        `${counted(layout.podsOnEach, "pod")} per machine${layout.isPlanned ? " (planned)" : ""}`,
        formatFigure(layout.machines),
        ...[layout.plannedSeconds, layout.failureSeconds, layout.stoppedSeconds].map(formatStop),
      ]),
    ),
    ...wrap(sentence, WIDTH),
  ];
}

function modelTable({ window, chain, all, causes }: Durability): string[] {
  return [
    ...table(
      "NINES A YEAR",
      [""],
      [
        ["published formula, independent failures", ninesWithInterval(window)],
        ["exact chain, independent failures", ninesWithInterval(chain)],
        ["exact chain, all causes", ninesWithInterval(all)],
      ],
    ),
    "",
    ...table(
      "SHARE OF THE RISK",
      [""],
      causes.map((cause) => [cause.cause, causeShareInWords(cause)]),
    ),
  ];
}

function schemeTable({ schemes }: Durability): string[] {
  return table(
    "SCHEME",
    ["RAW", "READ TO REBUILD", "WRITES", "PUBLISHED", "CHAIN", "ALL CAUSES"],
    schemes.map((scheme) => [
      `${scheme.dataShards}+${scheme.parityShards}${scheme.isPlanned ? " (planned)" : ""}`,
      `${scheme.rawRatio.toFixed(2)} x`,
      `${scheme.repairReadRatio} x`,
      String(scheme.writeFanOut),
      ...[scheme.windowNines, scheme.chainNines, scheme.allNines].map(ninesInWords),
    ]),
  );
}
