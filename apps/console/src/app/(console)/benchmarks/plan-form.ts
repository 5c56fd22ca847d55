/** A plan as the fields of a form, and back. */
import type { BenchmarkMethodRow, BenchmarkPlanRow, MissedPolicy } from "@stashlight/contracts";
import { parseParameters, type TypedValues, typedValues } from "./parameter.ts";

/** What is offered as "every so often"; anything else is cron. */
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
/** The worker beside the console, which is no node. */
export const ownVantage = "worker";
const usualCron = "0 */6 * * *";

export interface PlanForm {
  name: string;
  description: string;
  endpointIds: string[];
  methodName: string;
  typed: TypedValues;
  /** Written by hand, rather than one of the choices. */
  isCron: boolean;
  cron: string;
  timeZone: string;
  jitterMinutes: string;
  missedPolicy: MissedPolicy;
  /** A node's id, or `ownVantage`. */
  vantageNodeId: string;
  /** Empty: none. */
  budget: string;
  isPaused: boolean;
}

export function emptyForm(methods: readonly BenchmarkMethodRow[], timeZone: string): PlanForm {
  const [method] = methods;
  return {
    name: "",
    description: "",
    endpointIds: [],
    methodName: method?.name ?? "",
    typed: method === undefined ? {} : typedValues(method, {}),
    isCron: false,
    cron: usualCron,
    timeZone,
    jitterMinutes: "0",
    missedPolicy: "skip",
    vantageNodeId: ownVantage,
    budget: "",
    isPaused: false,
  };
}

export function formOf(plan: BenchmarkPlanRow, methods: readonly BenchmarkMethodRow[]): PlanForm {
  const { name, description, cron, timeZone, missedPolicy, isPaused } = plan;
  const method = methods.find((each) => each.name === plan.method.name);
  return {
    ...{ name, description, cron, timeZone, missedPolicy, isPaused },
    endpointIds: plan.endpoints.map(({ id }) => id),
    methodName: plan.method.name,
    typed: method === undefined ? {} : typedValues(method, plan.method.parameters),
    isCron: !everyChoices.some((choice) => choice.cron === cron),
    jitterMinutes: String(plan.jitterSeconds / 60),
    vantageNodeId: plan.vantage.nodeId ?? ownVantage,
    budget: plan.budgetPerMonth === null ? "" : String(plan.budgetPerMonth),
  };
}

export function withMethod(form: PlanForm, method: BenchmarkMethodRow): PlanForm {
  return { ...form, methodName: method.name, typed: typedValues(method, {}) };
}

export function withPreset(form: PlanForm, method: BenchmarkMethodRow, presetName: string): PlanForm {
  const preset = method.presets.find(({ name }) => name === presetName);
  return preset === undefined ? form : { ...form, typed: typedValues(method, preset.parameters) };
}

/** The preset whose parameters stand in the form; null when it was changed by hand. */
export function presetOf({ typed }: PlanForm, method: BenchmarkMethodRow): string | null {
  const same = method.presets.find(
    ({ parameters }) => JSON.stringify(typedValues(method, parameters)) === JSON.stringify(typed),
  );
  return same?.name ?? null;
}

const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** What the server takes, which checks all of it; or what is wrong, by the field. */
export function planOf(form: PlanForm, method: BenchmarkMethodRow) {
  const { parameters, problems } = parseParameters(method, form.typed);
  const jitterMinutes = numberOf(form.jitterMinutes);
  if (!(jitterMinutes >= 0 && jitterMinutes <= 60)) {
    problems.jitterSeconds = "Write minutes from 0 to 60.";
  }
  if (form.budget.trim() !== "" && !(numberOf(form.budget) >= 0)) {
    problems.budgetPerMonth = "Write dollars, or leave it empty.";
  }
  const plan = {
    name: form.name.trim(),
    description: form.description.trim(),
    endpointIds: form.endpointIds,
    method: { name: method.name, parameters },
    cron: form.cron.trim(),
    timeZone: form.timeZone.trim(),
    jitterSeconds: Math.round(jitterMinutes * 60),
    missedPolicy: form.missedPolicy,
    vantageNodeId: form.vantageNodeId === ownVantage ? null : form.vantageNodeId,
    budgetPerMonth: form.budget.trim() === "" ? null : numberOf(form.budget),
    isPaused: form.isPaused,
  };
  return { plan, problems };
}
