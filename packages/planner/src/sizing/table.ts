/**
 * Table of inputs. To add one, write its row into a table of `rows/` and use it in a formula; its type, check, form
 * field, example and documentation follow.
 */
import { availabilityRows } from "./rows/availability.ts";
import { loadRows, objectsRows, residenceRows } from "./rows/demand.ts";
import { durabilityRows } from "./rows/durability.ts";
import { costRows, limitsRows, riskRows } from "./rows/limits.ts";
import { networkRows } from "./rows/network.ts";
import { driveRows, installedRows, serversRows } from "./rows/pool.ts";
import { isNumberRow, type NumberRow, type Row, type Rows } from "./rows/row.ts";

export const planGroups = [
  { id: "objects", label: "Objects" },
  { id: "load", label: "Load" },
  { id: "residence", label: "Residence and outage" },
  { id: "drive", label: "Drive" },
  { id: "servers", label: "Servers and placement" },
  { id: "network", label: "Network" },
  { id: "limits", label: "Limits and the log" },
  { id: "cost", label: "Endurance and cost" },
  { id: "risk", label: "Risk" },
  { id: "durability", label: "Durability" },
  { id: "availability", label: "Availability" },
  { id: "installed", label: "Installed" },
] as const;
export type PlanGroup = (typeof planGroups)[number]["id"];

export const rowsByGroup = {
  objects: objectsRows,
  load: loadRows,
  residence: residenceRows,
  drive: driveRows,
  servers: serversRows,
  network: networkRows,
  limits: limitsRows,
  cost: costRows,
  risk: riskRows,
  durability: durabilityRows,
  availability: availabilityRows,
  installed: installedRows,
} as const satisfies Record<PlanGroup, Rows>;

export const planRows = {
  ...objectsRows,
  ...loadRows,
  ...residenceRows,
  ...driveRows,
  ...serversRows,
  ...networkRows,
  ...limitsRows,
  ...costRows,
  ...riskRows,
  ...durabilityRows,
  ...availabilityRows,
  ...installedRows,
} as const;
export type PlanRows = typeof planRows;
export type PlanPath = keyof PlanRows;

/** List or object of figures inside a plan. */
export type PlanPart = "objects" | "drive" | "installed";

/** Rows of a part by the names of its figures; with null, those of the plan itself. */
export function inputRows(part: PlanPart | null): readonly (readonly [name: string, row: Row])[] {
  return partRows[part ?? "plan"];
}

const partRows = {
  plan: tableLeaves(null),
  objects: tableLeaves("objects"),
  drive: tableLeaves("drive"),
  installed: tableLeaves("installed"),
};

function tableLeaves(part: PlanPart | null): [string, Row][] {
  return Object.entries<Row>(planRows).flatMap(([path, row]): [string, Row][] => {
    const [first = "", leaf] = path.split(".");
    if (part === null) return leaf === undefined ? [[path, row]] : [];
    return first === part && leaf !== undefined ? [[leaf, row]] : [];
  });
}

/** Bounds of the number at a path, such as `drive.priceUsd` or `objects.bytes`; null if there is no number. */
export function numberRowAt(path: string): NumberRow | null {
  const row: Row | undefined = (planRows as Rows)[path];
  return row !== undefined && isNumberRow(row) ? row : null;
}

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export function boundsAt(path: string): Bounds | null {
  const row = numberRowAt(path);
  return row === null ? null : { min: row.min, max: row.max };
}
