/** Fields of the plan dialog, and conversion from and to a plan. */
import type { BenchmarkMethodRow, BenchmarkPlanRow, MissedPolicy } from "@stashlight/contracts/benchmark";
import {
  area,
  choice,
  fieldTable,
  held,
  number,
  optionalNumber,
  type Problems,
  type Typed,
  text,
} from "@stashlight/ui/fields";
import { ownVantage } from "./own-vantage.ts";
import { parseParameters, type TypedValues, typedValues } from "./parameter.ts";

/** Interval options; any other schedule is a cron expression. */
export const everyChoices = [
  { cron: "*/15 * * * *", label: "Every 15 minutes" },
  { cron: "*/30 * * * *", label: "Every 30 minutes" },
  { cron: "0 * * * *", label: "Every hour" },
  { cron: "0 */2 * * *", label: "Every 2 hours" },
  { cron: "0 */3 * * *", label: "Every 3 hours" },
  { cron: "0 */6 * * *", label: "Every 6 hours" },
  { cron: "0 */12 * * *", label: "Every 12 hours" },
  { cron: "0 0 * * *", label: "Every day at midnight" },
] as const;
const usualCron = "0 */6 * * *";

const missedPolicies: readonly { value: MissedPolicy; label: string }[] = [
  { value: "skip", label: "Skip it" },
  { value: "run-late", label: "Run it late" },
];

export const planFields = fieldTable(
  {
    name: text("Name"),
    description: area("Purpose", { rows: 2, optional: true }),
    endpointIds: held<string[]>([]),
    methodName: held(""),
    /** True if the method measures drives, each by its local probe. */
    isOfDrives: held(false),
    /** Parameters of the method by name. */
    typed: held<TypedValues>({}, { path: "parameters" }),
    /** Custom expression instead of an offered interval. */
    isCron: held(false),
    cron: text("Cron", { initial: usualCron, mono: true, help: "Minute, hour, day, month, weekday." }),
    timeZone: text("Time zone"),
    jitterMinutes: number("Jitter", {
      unit: "minutes",
      initial: "0",
      path: "jitterSeconds",
      help: "Delays each run by a random time up to this long.",
      min: 0,
      max: 60,
      problem: "Enter minutes from 0 to 60.",
    }),
    missedPolicy: choice("Missed or interrupted run", missedPolicies, {
      initial: "skip",
      help: "A run that did not start on time, or did not finish.",
    }),
    /** A node's id, or `ownVantage`. */
    vantageNodeId: choice<string>("Vantage point", [], {
      initial: ownVantage,
      help: "Where the measurement runs.",
    }),
    budget: optionalNumber("Budget per month", {
      unit: "$",
      path: "budgetPerMonth",
      help: "For all endpoints together; a run that would exceed it is skipped.",
      min: 0,
      problem: "Enter dollars, or leave it empty.",
    }),
    costPerSlotMax: optionalNumber("Limit per slot", {
      unit: "$",
      help: "A slot is one run of every endpoint; one that is estimated to cost more is skipped.",
      min: 0,
      problem: "Enter dollars, or leave it empty.",
    }),
    writtenGbPerMonth: optionalNumber("Write limit per month", {
      unit: "GB",
      path: "writtenBytesPerMonth",
      help: "To all drives of the schedule; a run that could exceed it is skipped.",
      min: 0,
      problem: "Enter gigabytes, or leave it empty.",
    }),
    isPaused: held(false),
  },
  {
    cron: ({ isCron }) => isCron,
    vantageNodeId: ({ isOfDrives }) => !isOfDrives,
    budget: ({ isOfDrives }) => !isOfDrives,
    costPerSlotMax: ({ isOfDrives }) => !isOfDrives,
    writtenGbPerMonth: ({ isOfDrives }) => isOfDrives,
  },
);
export type PlanForm = Typed<typeof planFields.specs>;

/** Initial values of a new plan that is opened from a drive or from a link to compare endpoints. */
export interface PlanStart {
  readonly name: string;
  readonly endpointIds: readonly string[];
  readonly vantageNodeId: string;
  readonly methodName: string;
}

export function emptyForm(
  methods: readonly BenchmarkMethodRow[],
  timeZone: string,
  start: PlanStart | null = null,
): PlanForm {
  const method = methods.find(({ name }) => name === start?.methodName) ?? methods[0];
  const form = { ...planFields.initial, timeZone };
  if (method === undefined) return form;
  const begun = withMethod(form, method);
  if (start === null) return begun;
  const { name, endpointIds, vantageNodeId } = start;
  const cron = method.measures === "drives" ? "0 0 * * *" : usualCron;
  return { ...begun, name, endpointIds: [...endpointIds], vantageNodeId, cron };
}

export function toPlanForm(plan: BenchmarkPlanRow, methods: readonly BenchmarkMethodRow[]): PlanForm {
  const { name, description, cron, timeZone, missedPolicy, isPaused } = plan;
  const method = methods.find((each) => each.name === plan.method.name);
  return {
    name,
    description,
    cron,
    timeZone,
    missedPolicy,
    isPaused,
    endpointIds: plan.endpoints.map(({ id }) => id),
    methodName: plan.method.name,
    isOfDrives: method?.measures === "drives",
    typed: method === undefined ? {} : typedValues(method, plan.method.parameters),
    isCron: !everyChoices.some((choice) => choice.cron === cron),
    jitterMinutes: String(plan.jitterSeconds / 60),
    vantageNodeId: plan.vantage.nodeId ?? ownVantage,
    budget: amountText(plan.budgetPerMonth),
    costPerSlotMax: amountText(plan.costPerSlotMax),
    writtenGbPerMonth: amountText(
      plan.writtenBytesPerMonth === null ? null : plan.writtenBytesPerMonth / BYTES_PER_GB,
    ),
  };
}

const BYTES_PER_GB = 1e9;

const amountText = (amount: number | null): string => (amount === null ? "" : String(amount));

/** Drives and stores have different targets, so switching between such methods clears the chosen targets. */
export function withMethod(form: PlanForm, method: BenchmarkMethodRow): PlanForm {
  const isOfDrives = method.measures === "drives";
  const chosen = { ...form, methodName: method.name, isOfDrives, typed: typedValues(method, {}) };
  return isOfDrives === form.isOfDrives ? chosen : { ...chosen, endpointIds: [], vantageNodeId: ownVantage };
}

export function withPreset(form: PlanForm, method: BenchmarkMethodRow, presetName: string): PlanForm {
  const preset = method.presets.find(({ name }) => name === presetName);
  return preset === undefined ? form : { ...form, typed: typedValues(method, preset.parameters) };
}

/** Preset that matches the form's parameters; null if they were changed by hand. */
export function matchingPreset({ typed }: PlanForm, method: BenchmarkMethodRow): string | null {
  const same = method.presets.find(
    ({ parameters }) => JSON.stringify(typedValues(method, parameters)) === JSON.stringify(typed),
  );
  return same?.name ?? null;
}

/** Builds the server's input, which the server validates, and lists unreadable values by field or parameter. */
export function toPlan(form: PlanForm, method: BenchmarkMethodRow) {
  const { values, problems } = planFields.read(form);
  const parsed = parseParameters(method, form.typed);
  const { name, description, endpointIds, cron, timeZone, missedPolicy, vantageNodeId, isPaused } = values;
  const plan = {
    name,
    description,
    endpointIds,
    cron,
    timeZone,
    missedPolicy,
    isPaused,
    method: { name: method.name, parameters: parsed.parameters },
    jitterSeconds: Math.round(values.jitterMinutes * 60),
    vantageNodeId: vantageNodeId === ownVantage ? null : vantageNodeId,
    ...planLimits(values, method),
  };
  return { plan, problems: { ...problems, ...parsed.problems } };
}

/** Ignores the limits of the other kind, whose fields are hidden. */
function planLimits(
  values: ReturnType<typeof planFields.read>["values"],
  { measures }: BenchmarkMethodRow,
): { budgetPerMonth: number | null; costPerSlotMax: number | null; writtenBytesPerMonth: number | null } {
  const { budget, costPerSlotMax, writtenGbPerMonth } = values;
  if (measures === "stores") return { budgetPerMonth: budget, costPerSlotMax, writtenBytesPerMonth: null };
  const writtenBytesPerMonth = writtenGbPerMonth === null ? null : writtenGbPerMonth * BYTES_PER_GB;
  return { budgetPerMonth: null, costPerSlotMax: null, writtenBytesPerMonth };
}

/** Form path of a parameter's field. */
export const parameterField = (name: string): string => `typed.${name}`;

export function checkPlanForm(form: PlanForm, method: BenchmarkMethodRow): Problems {
  const parameters = Object.entries(parseParameters(method, form.typed).problems);
  return {
    ...planFields.read(form).problems,
    ...Object.fromEntries(parameters.map(([name, problem]) => [parameterField(name), problem])),
  };
}

/** Maps an error of "parameters.sizes.0" to the parameter "sizes". */
export function fieldAt(path: string | null, form: PlanForm): string | null {
  const parameter = path?.match(/^(?:(?:method\.)?parameters\.)?(\w+)/)?.[1];
  if (parameter !== undefined && parameter in form.typed) return parameterField(parameter);
  return planFields.fieldAt(path, form);
}
