/** A plan as files: its input for the command line, and its answer for spreadsheets and programs. */
import { csvField } from "@stashlight/contracts/escape";
import {
  constraintNames,
  planFields,
  type StashAnswer,
  type StashPlanInput,
  type UncertainRange,
} from "@stashlight/planner";
import { NOT_JUDGED } from "./load-source.ts";

export const inputAsJson = (input: StashPlanInput): string => `${JSON.stringify(input, null, 2)}\n`;

/** Content of a file about a plan. */
export interface ExportedPlan {
  readonly note: string;
  readonly input: StashPlanInput;
  /** Ranges given by the user. */
  readonly ranges: readonly UncertainRange[];
  readonly answer: StashAnswer;
  /** Reason that its load is too short to judge pools; null if they are judged. */
  readonly unjudged: string | null;
}

export const answerAsJson = ({ note, input, ranges, answer, unjudged }: ExportedPlan): string =>
  `${JSON.stringify({ note, input, ranges, answer, unjudged }, null, 2)}\n`;

type Row = readonly [section: string, name: string, value: string | number, unit: string];

/** Always quoted, which CSV permits. */
function quoted(value: string | number): string {
  const field = csvField(value);
  return field.startsWith('"') ? field : `"${field}"`;
}

export function answerAsCsv({ note, input, ranges, answer, unjudged }: ExportedPlan): string {
  const rows: Row[] = [
    ...answerRows(input, answer, unjudged),
    ...(note.trim() === "" ? [] : ([["note", "Note", note.trim(), ""]] satisfies Row[])),
    ...inputRows(input),
    ...ranges.flatMap(rangeRows),
  ];
  const head = ["section", "name", "value", "unit"];
  return `${[head, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n")}\r\n`;
}

function answerRows(input: StashPlanInput, answer: StashAnswer, unjudged: string | null): Row[] {
  const { plan, planned, installed, sentence, direct, availability } = answer;
  const judged = <Value>(value: Value) => (unjudged === null ? value : NOT_JUDGED);
  return [
    ["answer", "Answer", sentence, ""],
    ...(direct === null ? [] : ([["answer", "Bypasses the stash", direct.sentence, ""]] satisfies Row[])),
    ["answer", "Drives", plan.drives, "drives"],
    ["answer", "Servers", plan.servers, "servers"],
    ["answer", "Drives for the load", plan.drivesForLoad, "drives"],
    ["answer", "Decided by", plan.decidedBy, ""],
    ["answer", "Binding constraint", plan.bindingConstraint, ""],
    ...constraintNames.map((name): Row => ["constraint", name, plan.drivesByConstraint[name], "drives"]),
    ["answer", "Must fit", plan.requiredBytes, "bytes"],
    ["answer", "Mean occupancy", plan.meanOccupancyBytes, "bytes"],
    ["answer", "Drive writes per day", plan.driveWritesPerDay, "DWPD"],
    ["answer", "Rated drive writes per day", input.drive.driveWritesPerDay, "DWPD"],
    ...(unjudged === null ? [] : ([["answer", "Pools are not judged", unjudged, ""]] satisfies Row[])),
    ["answer", "Month outgrown", judged(planned.outgrownAtMonth ?? "never"), "months from today"],
    ...(installed === null
      ? []
      : ([
          ["answer", "Installed pool suffices", judged(String(installed.suffices)), ""],
          ["answer", "Times today's load", installed.times, "x"],
        ] satisfies Row[])),
    ["network", "Suffices", String(planned.network.suffices), ""],
    ...planned.network.ports.map(
      ({ of, utilisation }): Row => ["network", `Ports of ${of}, busy`, utilisation, "share"],
    ),
    ...availability.layouts.flatMap(({ podsOnEach, plannedSeconds, failureSeconds }): Row[] => [
      ["availability", `${podsOnEach} pods per machine, planned restarts`, plannedSeconds, "s per year"],
      ["availability", `${podsOnEach} pods per machine, failures`, failureSeconds, "s per year"],
    ]),
    ["cost", "Drives", planned.cost.drivesUsd, "USD"],
    ["cost", "Servers", planned.cost.serversUsd, "USD"],
    ["cost", "Stash", planned.cost.totalUsd, "USD"],
    ["cost", "Per TB landed", planned.cost.usdPerTbLanded, "USD"],
    ["cost", "Vault on HDD with stash", planned.cost.hddVaultWithStashUsd, "USD"],
    ["cost", "Vault on SSDs alone", planned.cost.allSsdVaultUsd, "USD"],
  ];
}

/** In stored units, by the names in the JSON. */
function inputRows(input: StashPlanInput): Row[] {
  const plain = planFields
    .filter(({ path }) => !path.startsWith("objects."))
    .map(({ path }): Row => {
      const value = path
        .split(".")
        .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key] ?? null, input);
      return ["input", path, typeof value === "string" || typeof value === "number" ? value : "", ""];
    });
  const objects = input.objects.flatMap(({ bytes, share }, i): Row[] => [
    ["input", `objects.${i}.bytes`, bytes, "bytes"],
    ["input", `objects.${i}.share`, share, ""],
  ]);
  return [...plain, ...objects];
}

function rangeRows({ variable, shape, low, mode, high }: UncertainRange): Row[] {
  const ends = { shape, low, mode, high };
  return Object.entries(ends).flatMap(([name, value]): Row[] =>
    value === undefined ? [] : [["range", `${variable}.${name}`, value, ""]],
  );
}

export const toFileName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase() || "stash-plan";
