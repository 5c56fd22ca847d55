/** Converts a method's parameters from and to typed text. */
import type { BenchmarkMethodRow, BenchmarkParameter, ParameterUnit } from "@stashlight/contracts/benchmark";
import { formatSize, parseSize } from "@stashlight/contracts/sample";
import { formatCount } from "@stashlight/ui";
import { choice, type FieldSpec, flag, text } from "@stashlight/ui/fields";

export type TypedValue = string | boolean | string[];
export type TypedValues = Record<string, TypedValue>;
export type ParsedValue = { value: unknown } | { problem: string };

type NumberParameter = Extract<BenchmarkParameter, { kind: "number" | "numbers" }>;

const unitWords: Record<ParameterUnit, string> = { B: "", ms: "ms", s: "s", h: "h", "1/s": "per second" };

/** "Pause, ms". Sizes have no unit in the label, because each typed size includes one. */
export function parameterLabel(parameter: BenchmarkParameter): string {
  if (parameter.kind !== "number" && parameter.kind !== "numbers") return parameter.label;
  const unit = parameter.unit === null ? "" : unitWords[parameter.unit];
  return unit === "" ? parameter.label : `${parameter.label}, ${unit}`;
}

const typedNumber = (value: number, unit: ParameterUnit | null) =>
  unit === "B" ? formatSize(value) : String(value);

function toTyped(parameter: BenchmarkParameter, value: unknown): TypedValue {
  if (parameter.kind === "number") return typedNumber(value as number, parameter.unit);
  if (parameter.kind === "numbers") {
    return (value as number[]).map((each) => typedNumber(each, parameter.unit)).join(", ");
  }
  return value as TypedValue;
}

/** Omitted parameters get the method's default. */
export function typedValues(
  { parameters }: BenchmarkMethodRow,
  given: Readonly<Record<string, unknown>>,
): TypedValues {
  return Object.fromEntries(
    parameters.map((each) => [each.name, toTyped(each, given[each.name] ?? each.defaultValue)]),
  );
}

/** Accepted values as a phrase: "a number from 0 to 60,000 ms". */
function formatRange({ min, max, unit, isInteger }: NumberParameter): string {
  if (unit === "B") return `${formatSize(min)} to ${formatSize(max)}, such as 256 kB or 1 MiB`;
  const words = unit === null ? "" : ` ${unitWords[unit]}`;
  const number = (value: number) => (Number.isInteger(value) ? formatCount(value) : String(value));
  return `${isInteger ? "a whole number" : "a number"} from ${number(min)} to ${number(max)}${words}`;
}

function parseNumber(parameter: NumberParameter, text: string): number {
  const plain = text.trim();
  const value = parameter.unit === "B" ? parseSize(plain) : plain === "" ? Number.NaN : Number(plain);
  const isTaken =
    value >= parameter.min && value <= parameter.max && (!parameter.isInteger || Number.isSafeInteger(value));
  return isTaken ? value : Number.NaN;
}

/** The server validates again, including combinations of parameters. */
export function parseParameter(parameter: BenchmarkParameter, typed: TypedValue): ParsedValue {
  if (parameter.kind === "number") {
    const value = parseNumber(parameter, typed as string);
    return Number.isNaN(value) ? { problem: `Enter ${formatRange(parameter)}.` } : { value };
  }
  if (parameter.kind === "numbers") {
    // A comma before a digit separates thousands, not values.
    const value = (typed as string)
      .split(/;|,(?=\s|\D|$)/)
      .filter((text) => text.trim() !== "")
      .map((text) => parseNumber(parameter, text));
    if (value.length > 0 && !value.some(Number.isNaN)) return { value };
    return { problem: `Enter one or more values, separated by commas: ${formatRange(parameter)}.` };
  }
  if (parameter.kind === "choices" && Array.isArray(typed) && typed.length === 0) {
    return { problem: "Choose at least one." };
  }
  return { value: typed };
}

/** A parameter as a form row; `parseParameters` reads the typed text, because it has all parameters. */
export function specOfParameter(parameter: BenchmarkParameter): FieldSpec {
  const help = parameter.hint ?? undefined;
  if (parameter.kind === "flag") return flag(parameter.label, { help });
  if (parameter.kind !== "choice") return text(parameterLabel(parameter), { help });
  const options = parameter.options.map((value) => ({ value, label: value.replaceAll("-", " ") }));
  return choice<string>(parameter.label, options, { initial: "", help });
}

export interface ParsedParameters {
  parameters: Record<string, unknown>;
  /** Keyed by parameter name. */
  problems: Record<string, string>;
}

export function parseParameters(method: BenchmarkMethodRow, typed: TypedValues): ParsedParameters {
  const parsed: ParsedParameters = { parameters: {}, problems: {} };
  for (const parameter of method.parameters) {
    const { name } = parameter;
    const result = parseParameter(parameter, typed[name] ?? toTyped(parameter, parameter.defaultValue));
    if ("problem" in result) parsed.problems[name] = result.problem;
    else parsed.parameters[name] = result.value;
  }
  return parsed;
}

/** Formats a value for readers of a plan: "256 kB, 1 MB". */
function formatParameter(parameter: BenchmarkParameter, value: unknown): string {
  if (parameter.kind === "flag") return value === true ? "yes" : "no";
  const typed = toTyped(parameter, value);
  const isCount = parameter.kind === "number" && parameter.unit !== "B" && Number.isInteger(value);
  const text = isCount
    ? formatCount(value as number)
    : Array.isArray(typed)
      ? typed.join(", ")
      : String(typed);
  const isNumber = parameter.kind === "number" || parameter.kind === "numbers";
  return isNumber && parameter.unit !== null && unitWords[parameter.unit] !== ""
    ? `${text} ${unitWords[parameter.unit]}`
    : text;
}

/** Parameters that apply at one pace only. */
const paceOfParameter: Readonly<Record<string, string>> = {
  ratePerSecond: "constant-rate",
  pauseMs: "closed",
};

/** Describes a method's parameters for readers of a plan or result; unknown methods get their raw parameters. */
export function parameterItems(
  method: BenchmarkMethodRow | undefined,
  given: Readonly<Record<string, unknown>>,
): { id: string; term: string; value: string }[] {
  if (method === undefined) {
    return Object.entries(given).map(([name, value]) => ({
      id: name,
      term: name,
      value: typeof value === "string" ? value : JSON.stringify(value),
    }));
  }
  const valueFor = ({ name, defaultValue }: BenchmarkParameter) => given[name] ?? defaultValue;
  const mode = method.parameters.find(({ name }) => name === "mode");
  const pace = mode === undefined ? null : valueFor(mode);
  const hasEffect = ({ name }: BenchmarkParameter) =>
    pace === null || (paceOfParameter[name] ?? pace) === pace;
  return method.parameters.filter(hasEffect).map((parameter) => ({
    id: parameter.name,
    term: parameter.label,
    value: formatParameter(parameter, valueFor(parameter)),
  }));
}
