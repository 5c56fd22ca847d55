/**
 * Row of the table of inputs. Everything else about an input is derived from its row: its type in a plan, its check,
 * the field of the form, the example, its variation, and the table in docs/planning.md.
 */
interface AnyRow {
  readonly label: string;
  readonly help: string;
  /** Value of the example, which is a starting point, not a recommendation. */
  readonly default: number | string | null;
  /** Source of that value. */
  readonly defaultFrom: string;
}

export interface NumberRow extends AnyRow {
  /** Absent for a plain number. */
  readonly unit?: string;
  /** Divisor from the stored to the displayed value: a capacity of 3.2e12 bytes is shown as 3.2 TB. */
  readonly factor?: number;
  /** Step in displayed units. */
  readonly step?: number;
  /** A number that may be unknown defaults to null. */
  readonly default: number | null;
  /** Bounds in stored units. They are generous; combinations of numbers are checked in input.ts. */
  readonly min: number;
  readonly max: number;
  readonly isWhole?: true;
  /** Sentence shown for a value out of bounds. */
  readonly outOfBounds: string;
  /** Sentence shown for a value that is not a number. */
  readonly missing?: string;
  /** True for an input added later: plans saved before it existed are read with its default. */
  readonly isLater?: true;
  /** True if sensitivities and uncertain ranges may vary it; a choice such as the scheme cannot grow by a fifth. */
  readonly isVariable?: true;
}

export interface TextRow extends AnyRow {
  readonly default: string;
  readonly lengthMax: number;
  /** Sentences shown for an empty text and for one that is too long. */
  readonly missing: string;
  readonly tooLong: string;
}

export type Row = NumberRow | TextRow;

/** Rows by the path that problems use to name an input, without list indexes: `objects.bytes`, `drive.priceUsd`. */
export type Rows = Readonly<Record<string, Row>>;

export const isNumberRow = (row: Row): row is NumberRow => typeof row.default !== "string";

export const EXAMPLE = "Example";
export const DEMO = "Example; the vault of the demo has it too";
export const PERCENT = 0.01;
export const TB = 1e12;
export const GB = 1e9;
export const MB = 1e6;
export const KIB = 1024;
export const GBIT = 1e9;
