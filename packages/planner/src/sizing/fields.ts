/** Returns the rows of the table as fields, for forms and the command line. */
import { isNumberRow, type Row } from "./rows/row.ts";
import { type Bounds, type PlanGroup, planGroups, rowsByGroup } from "./table.ts";

export interface PlanField {
  /** Path in problems, without the index of a list: `objects.bytes`, `drive.priceUsd`. */
  readonly path: string;
  readonly label: string;
  readonly group: PlanGroup;
  /** Unit as displayed; empty for plain numbers and text. */
  readonly unit: string;
  readonly factor: number;
  /** Step in displayed units. */
  readonly step: number;
  readonly help: string;
  /** Default in stored units. */
  readonly default: number | string | null;
  readonly defaultFrom: string;
  /** True if an empty field means an unknown value. */
  readonly mayBeEmpty: boolean;
  /** Bounds in stored units; null for text. */
  readonly bounds: Bounds | null;
}

export const planFields: readonly PlanField[] = planGroups.flatMap(({ id }) =>
  Object.entries<Row>(rowsByGroup[id]).map(([path, row]) => makeField(path, id, row)),
);

function makeField(path: string, group: PlanGroup, row: Row): PlanField {
  const { label, help, default: value, defaultFrom } = row;
  const shared = { path, label, group, help, default: value, defaultFrom, mayBeEmpty: value === null };
  if (!isNumberRow(row)) return { ...shared, unit: "", factor: 1, step: 1, bounds: null };
  const { unit = "", factor = 1, step = 1, min, max } = row;
  return { ...shared, unit, factor, step, bounds: { min, max } };
}
