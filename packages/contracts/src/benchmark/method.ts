/** Benchmark methods as forms show them: each parameter with its description, unit and accepted values. */

const parameterUnits = ["B", "ms", "s", "h", "1/s"] as const;
export type ParameterUnit = (typeof parameterUnits)[number];

interface ParameterBase {
  name: string;
  label: string;
  hint: string | null;
}

interface NumberRange {
  unit: ParameterUnit | null;
  min: number;
  max: number;
  isInteger: boolean;
}

export type BenchmarkParameter = ParameterBase &
  (
    | ({ kind: "number"; defaultValue: number } & NumberRange)
    | ({ kind: "numbers"; defaultValue: number[] } & NumberRange)
    | { kind: "flag"; defaultValue: boolean }
    | { kind: "choice"; defaultValue: string; options: string[] }
    | { kind: "choices"; defaultValue: string[]; options: string[] }
  );

export interface BenchmarkMethodRow {
  name: string;
  version: number;
  measures: "stores" | "drives";
  title: string;
  description: string;
  parameters: BenchmarkParameter[];
  /** Missing parameters of a preset have their defaults. */
  presets: { name: string; title: string; parameters: Record<string, unknown> }[];
}
