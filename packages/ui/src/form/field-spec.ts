/**
 * A form as a table with a row for each field: its words, its control, and how what is typed becomes a value. What is
 * typed stays text until it is read, so that a half-written number is never lost. `FieldView` shows a row, and
 * `useFieldForm` holds what is typed and sends what was read.
 */
import type { ComponentProps } from "react";

/** What is typed as a value. One that cannot be read has a sentence about what to write instead. */
export interface Reading<Value> {
  readonly value: Value;
  readonly problem?: string;
}

export interface FieldWords {
  readonly label: string;
  /** The unit in which it is typed: "Length, minutes". */
  readonly unit?: string;
  readonly help?: string;
  /** Says "optional" beside the label. */
  readonly optional?: boolean;
}

export type FieldKind = "text" | "area" | "secret" | "choice" | "flag" | "held";
type InputLook = Pick<
  ComponentProps<"input">,
  "type" | "inputMode" | "placeholder" | "autoComplete" | "spellCheck" | "list"
>;

export interface FieldLook extends InputLook {
  readonly mono?: boolean;
  /** Lines of an area. */
  readonly rows?: number;
}

export interface FieldOption<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

/** `Typed` is what the control holds, and `Value` what is read from it. */
export interface FieldSpec<Typed = unknown, Value = unknown> extends FieldWords {
  readonly kind: FieldKind;
  readonly initial: Typed;
  /**
   * The paths under which a server refuses this field, if they differ from its name; each stands for all below it, and
   * `*` for a number.
   */
  readonly path?: string | readonly string[];
  readonly look?: FieldLook;
  readonly options?: readonly FieldOption[];
  read(typed: Typed): Reading<Value>;
}

type Settings<Typed> = Omit<FieldWords, "label"> &
  Pick<FieldSpec, "path"> &
  FieldLook & { readonly initial?: Typed };

function specOf<Typed, Value>(
  kind: FieldKind,
  label: string,
  settings: Settings<Typed>,
  initial: Typed,
  read: (typed: Typed) => Reading<Value>,
): FieldSpec<Typed, Value> {
  const { unit, help, optional, path, initial: given, ...look } = settings;
  return { kind, label, unit, help, optional, path, look, initial: given ?? initial, read };
}

/** Text without the blanks around it. */
export const text = (label: string, settings: Settings<string> = {}): FieldSpec<string, string> =>
  specOf("text", label, settings, "", (typed) => ({ value: typed.trim() }));

/** Several lines of text. */
export const area = (label: string, settings: Settings<string> = {}): FieldSpec<string, string> =>
  specOf("area", label, settings, "", (typed) => ({ value: typed.trim() }));

/** Text that is hidden as it is typed, and read as it is: a blank may be part of a password. */
export const secret = (label: string, settings: Settings<string> = {}): FieldSpec<string, string> =>
  specOf("secret", label, settings, "", (typed) => ({ value: typed }));

/** Text that `read` makes something of. */
export const parsed = <Value>(
  kind: "text" | "area",
  label: string,
  read: (typed: string) => Reading<Value>,
  settings: Settings<string> = {},
): FieldSpec<string, Value> => specOf(kind, label, settings, "", read);

export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  /** The sentence for text that is no such number. */
  readonly problem?: string;
  /** The meaning of a comma in a number; without it, a comma is a mistake. */
  readonly comma?: "decimal" | "thousands";
}

/** A number; NaN with a sentence if it cannot be read. Whatever has no bounds here is bounded by the server. */
export function readNumber(typed: string, bounds: NumberBounds = {}): Reading<number> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, comma } = bounds;
  const separator = comma === "decimal" ? "." : "";
  const plain = comma === undefined ? typed.trim() : typed.trim().replaceAll(",", separator);
  const value = plain === "" ? Number.NaN : Number(plain);
  if (Number.isFinite(value) && value >= min && value <= max) return { value };
  return { value: Number.NaN, problem: bounds.problem ?? "Write a number, such as 10 or 0.5." };
}

export function number(
  label: string,
  { min, max, problem, comma, ...settings }: Settings<string> & NumberBounds = {},
): FieldSpec<string, number> {
  const bounds = { min, max, problem, comma };
  const look: Settings<string> = { inputMode: "decimal", ...settings };
  return specOf("text", label, look, "", (typed) => readNumber(typed, bounds));
}

/** A number, or null for an empty field. */
export function optionalNumber(
  label: string,
  settings: Settings<string> & NumberBounds = {},
): FieldSpec<string, number | null> {
  const spec = number(label, settings);
  const read = (typed: string) => (typed.trim() === "" ? { value: null } : spec.read(typed));
  return { ...spec, optional: true, read };
}

export function choice<Value extends string>(
  label: string,
  options: readonly FieldOption<Value>[],
  { initial, ...settings }: Settings<NoInfer<Value>> & { readonly initial: NoInfer<Value> },
): FieldSpec<Value, Value> {
  return { ...specOf("choice", label, settings, initial, (value) => ({ value })), options };
}

export const flag = (label: string, settings: Settings<boolean> = {}): FieldSpec<boolean, boolean> =>
  specOf("flag", label, settings, false, (value) => ({ value }));

/** A value with a control of its own, or with none. */
export const held = <Value>(
  initial: Value,
  settings: Pick<FieldSpec, "path"> = {},
): FieldSpec<Value, Value> => specOf("held", "", settings, initial, (value) => ({ value }));

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;
/** The content of a form's controls. */
export type Typed<Specs extends FieldSpecs> = { [Name in keyof Specs]: Specs[Name]["initial"] };
/** The values that were read from what was typed. */
export type Values<Specs extends FieldSpecs> = {
  [Name in keyof Specs]: ReturnType<Specs[Name]["read"]>["value"];
};

/** Sentences by the name of the field that they are about, in the order of the fields. */
export type Problems = Readonly<Record<string, string>>;

export interface FormReading<Value> {
  /** A field that is wrong or not asked has a value that means nothing. */
  readonly values: Value;
  readonly problems: Problems;
}

export interface FieldTable<Specs extends FieldSpecs> {
  readonly specs: Specs;
  readonly initial: Typed<Specs>;
  /** Whether the form has this field while it holds `typed`. */
  asks: (name: keyof Specs, typed: Typed<Specs>) => boolean;
  read: (typed: Typed<Specs>) => FormReading<Values<Specs>>;
  /** The field that a server's refusal is about; null if the form does not ask for it. */
  fieldAt: (path: string | null, typed: Typed<Specs>) => (keyof Specs & string) | null;
}

type Conditions<Specs extends FieldSpecs> = {
  readonly [Name in keyof Specs]?: (typed: Typed<Specs>) => boolean;
};

/** A form's fields; `conditions` says when one of them is asked. */
export function fieldTable<Specs extends FieldSpecs>(
  specs: Specs,
  conditions: Conditions<NoInfer<Specs>> = {},
): FieldTable<Specs> {
  type Name = keyof Specs & string;
  const names = Object.keys(specs) as Name[];
  const asks = (name: keyof Specs, typed: Typed<Specs>) => conditions[name]?.(typed) ?? true;
  const initial = Object.fromEntries(names.map((name) => [name, specs[name]?.initial])) as Typed<Specs>;
  const read = (typed: Typed<Specs>) => {
    const readings = names.map((name) => [name, specs[name]?.read(typed[name])] as const);
    const problems = readings.flatMap(([name, reading]) =>
      reading?.problem !== undefined && asks(name, typed) ? [[name, reading.problem]] : [],
    );
    const values = Object.fromEntries(readings.map(([name, reading]) => [name, reading?.value]));
    return { values: values as Values<Specs>, problems: Object.fromEntries(problems) };
  };
  const fieldAt = (path: string | null, typed: Typed<Specs>) => {
    if (path === null) return null;
    const matches = names
      .filter((name) => asks(name, typed))
      .map((name) => ({ name, length: matchedLength(path, specs[name]?.path ?? name) }))
      .sort((a, b) => b.length - a.length);
    return matches[0] !== undefined && matches[0].length > 0 ? matches[0].name : null;
  };
  return { specs, initial, asks, read, fieldAt };
}

/** The length of the longest of `paths` that is `path` or stands above it; 0 if there is none. */
function matchedLength(path: string, paths: string | readonly string[]): number {
  const plain = path.replace(/\.\d+(?=\.|$)/g, ".*");
  const above = [paths].flat().filter((each) => plain === each || plain.startsWith(`${each}.`));
  return Math.max(0, ...above.map(({ length }) => length));
}
