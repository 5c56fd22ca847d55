/**
 * Describes a form as a table with one row per field: label, control and parser. Typed text stays text until it is
 * read, so that a half-typed number is never lost. `FieldView` shows a row; `useFieldForm` keeps the typed text and
 * submits the parsed values.
 */
import type { ComponentProps } from "react";

/** Parsed value of typed text, or a sentence on what to type instead. */
export interface Reading<Value> {
  readonly value: Value;
  readonly problem?: string;
}

export interface FieldWords {
  readonly label: string;
  /** Unit of the typed value: "Length, minutes". */
  readonly unit?: string;
  readonly help?: string;
  /** Shows "optional" beside the label. */
  readonly optional?: boolean;
}

export type FieldKind = "text" | "area" | "secret" | "choice" | "flag" | "held";
type InputLook = Pick<
  ComponentProps<"input">,
  "type" | "inputMode" | "placeholder" | "autoComplete" | "spellCheck" | "list"
>;

export interface FieldLook extends InputLook {
  readonly mono?: boolean;
  /** Number of lines of a text area. */
  readonly rows?: number;
}

export interface FieldOption<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

/** `Typed` is the control's content, and `Value` is its parsed form. */
export interface FieldSpec<Typed = unknown, Value = unknown> extends FieldWords {
  readonly kind: FieldKind;
  readonly initial: Typed;
  /**
   * Server paths of this field's errors, if they differ from its name. Each covers all paths below it, and `*` matches
   * a number.
   */
  readonly path?: string | readonly string[];
  readonly look?: FieldLook;
  readonly options?: readonly FieldOption[];
  read(typed: Typed): Reading<Value>;
}

type Settings<Typed> = Omit<FieldWords, "label"> &
  Pick<FieldSpec, "path"> &
  FieldLook & { readonly initial?: Typed };

function makeSpec<Typed, Value>(
  kind: FieldKind,
  label: string,
  settings: Settings<Typed>,
  initial: Typed,
  read: (typed: Typed) => Reading<Value>,
): FieldSpec<Typed, Value> {
  const { unit, help, optional, path, initial: given, ...look } = settings;
  return { kind, label, unit, help, optional, path, look, initial: given ?? initial, read };
}

/** Text, trimmed. */
export const text = (label: string, settings: Settings<string> = {}): FieldSpec<string, string> =>
  makeSpec("text", label, settings, "", (typed) => ({ value: typed.trim() }));

/** Multi-line text. */
export const area = (label: string, settings: Settings<string> = {}): FieldSpec<string, string> =>
  makeSpec("area", label, settings, "", (typed) => ({ value: typed.trim() }));

/** Masked text, kept unchanged because a space may be part of a password. */
export const secret = (label: string, settings: Settings<string> = {}): FieldSpec<string, string> =>
  makeSpec("secret", label, settings, "", (typed) => ({ value: typed }));

/** Text parsed by `read`. */
export const parsed = <Value>(
  kind: "text" | "area",
  label: string,
  read: (typed: string) => Reading<Value>,
  settings: Settings<string> = {},
): FieldSpec<string, Value> => makeSpec(kind, label, settings, "", read);

export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  /** Error message for text that is not a valid number. */
  readonly problem?: string;
  /** Meaning of a comma in a number; if omitted, a comma is an error. */
  readonly comma?: "decimal" | "thousands";
}

/** A number, or NaN with an error message. The server checks bounds that are not given here. */
export function readNumber(typed: string, bounds: NumberBounds = {}): Reading<number> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, comma } = bounds;
  const separator = comma === "decimal" ? "." : "";
  const plain = comma === undefined ? typed.trim() : typed.trim().replaceAll(",", separator);
  const value = plain === "" ? Number.NaN : Number(plain);
  if (Number.isFinite(value) && value >= min && value <= max) return { value };
  return { value: Number.NaN, problem: bounds.problem ?? "Enter a number, such as 10 or 0.5." };
}

export function number(
  label: string,
  { min, max, problem, comma, ...settings }: Settings<string> & NumberBounds = {},
): FieldSpec<string, number> {
  const bounds = { min, max, problem, comma };
  const look: Settings<string> = { inputMode: "decimal", ...settings };
  return makeSpec("text", label, look, "", (typed) => readNumber(typed, bounds));
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
  return { ...makeSpec("choice", label, settings, initial, (value) => ({ value })), options };
}

export const flag = (label: string, settings: Settings<boolean> = {}): FieldSpec<boolean, boolean> =>
  makeSpec("flag", label, settings, false, (value) => ({ value }));

/** A value that the form keeps without a standard control. */
export const held = <Value>(
  initial: Value,
  settings: Pick<FieldSpec, "path"> = {},
): FieldSpec<Value, Value> => makeSpec("held", "", settings, initial, (value) => ({ value }));

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;
/** Contents of a form's controls. */
export type Typed<Specs extends FieldSpecs> = { [Name in keyof Specs]: Specs[Name]["initial"] };
/** Parsed values of a form. */
export type Values<Specs extends FieldSpecs> = {
  [Name in keyof Specs]: ReturnType<Specs[Name]["read"]>["value"];
};

/** Error messages keyed by field name, in field order. */
export type Problems = Readonly<Record<string, string>>;

export interface FormReading<Value> {
  /** Values of invalid and hidden fields are meaningless. */
  readonly values: Value;
  readonly problems: Problems;
}

export interface FieldTable<Specs extends FieldSpecs> {
  readonly specs: Specs;
  readonly initial: Typed<Specs>;
  /** Returns true if the form shows this field while it holds `typed`. */
  asks: (name: keyof Specs, typed: Typed<Specs>) => boolean;
  read: (typed: Typed<Specs>) => FormReading<Values<Specs>>;
  /** Returns the field that a server error is about; null if the form does not show it. */
  fieldAt: (path: string | null, typed: Typed<Specs>) => (keyof Specs & string) | null;
}

type Conditions<Specs extends FieldSpecs> = {
  readonly [Name in keyof Specs]?: (typed: Typed<Specs>) => boolean;
};

/** A form's fields; `conditions` decide which are shown. */
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

/** Length of the longest of `paths` that equals `path` or is a prefix of it; 0 if none is. */
function matchedLength(path: string, paths: string | readonly string[]): number {
  const plain = path.replace(/\.\d+(?=\.|$)/g, ".*");
  const above = [paths].flat().filter((each) => plain === each || plain.startsWith(`${each}.`));
  return Math.max(0, ...above.map(({ length }) => length));
}
