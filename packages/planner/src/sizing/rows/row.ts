/**
 * What a row of the table of inputs says. Everything else about an input is derived from its row: the type of a plan,
 * its check, the field of the form, the example, what can be varied, and the table in docs/planning.md.
 */
interface AnyRow {
  readonly label: string;
  readonly help: string;
  /** The value of the example, which is something to start from and not a recommendation. */
  readonly default: number | string | null;
  /** Where that value is from. */
  readonly defaultFrom: string;
}

export interface NumberRow extends AnyRow {
  /** A plain number has none. */
  readonly unit?: string;
  /** A field shows what is stored divided by it: a capacity of 3.2e12 bytes is 3.2 TB. */
  readonly factor?: number;
  /** As shown. */
  readonly step?: number;
  /** A number that may be unknown is null at first. */
  readonly default: number | null;
  /** Bounds are wide, and as stored; what numbers mean together is checked in input.ts. */
  readonly min: number;
  readonly max: number;
  readonly isWhole?: true;
  /** The sentence that refuses what is out of bounds. */
  readonly outOfBounds: string;
  /** The sentence that refuses what is no number. */
  readonly missing?: string;
  /** Plans were saved before this input existed; they are read with its default. */
  readonly isLater?: true;
  /** Sensitivities and uncertain ranges may turn it up and down; a choice such as the scheme has no fifth more. */
  readonly isVariable?: true;
}

export interface TextRow extends AnyRow {
  readonly default: string;
  readonly lengthMax: number;
  /** The sentences that refuse an empty text and one that is too long. */
  readonly missing: string;
  readonly tooLong: string;
}

export type Row = NumberRow | TextRow;

/** By the path at which problems name an input, without the index of a list: `objects.bytes`, `drive.priceUsd`. */
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
