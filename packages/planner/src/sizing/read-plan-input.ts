/** Reads an input from an unknown value, field by field; each refused field has a reason. */

import type { DriveInput, ObjectClass, PoolInput, StashPlanInput } from "./plan-types.ts";
import { isNumberRow, type NumberRow, type TextRow } from "./rows/row.ts";
import { inputRows, type PlanPart } from "./table.ts";

const SIZES_MAX = 100;

/** Receives the path of a field and a sentence. The result after a refusal is discarded. */
export type Refuse = (field: string, message: string) => void;

const EMPTY =
  'The plan has no inputs; start from the example that npm run stashlight -- plan --example prints, which begins {"objects": [{"bytes": 256000, "share": 1}], "uploadsPerSecond": 2000, "peakFactor": 3, ...}.';

/** Unknown names are ignored. The result is valid only if nothing was refused. */
export function readInput(given: unknown, refuse: Refuse): StashPlanInput | null {
  if (!isRecord(given)) {
    refuse("", "A plan must be an object of inputs.");
    return null;
  }
  if (Object.keys(given).length === 0) {
    refuse("", EMPTY);
    return null;
  }
  const own = readFigures(given, null, "", refuse);
  const drive = readDrive(given.drive, refuse);
  const objects = readObjects(given.objects, refuse);
  const installed = readInstalled(given.installed, refuse);
  return drive && ({ ...own, objects, drive, installed } as StashPlanInput);
}

/** Returns every figure of a part; each has the row's type if none was refused. */
function readFigures(
  given: Record<string, unknown>,
  part: PlanPart | null,
  prefix: string,
  refuse: Refuse,
): Record<string, number | string | null> {
  const read = inputRows(part).map(([name, row]) => {
    const say = (message: string) => refuse(`${prefix}${name}`, message);
    return [name, isNumberRow(row) ? readNumber(given[name], row, say) : readText(given[name], row, say)];
  });
  return Object.fromEntries(read);
}

export type NumberRule = Pick<
  NumberRow,
  "min" | "max" | "outOfBounds" | "isWhole" | "missing" | "isLater" | "default"
>;

export function readNumber(value: unknown, rule: NumberRule, say: (message: string) => void): number | null {
  const { min, max, isWhole, outOfBounds, missing = "Enter a number.", isLater } = rule;
  if (value === undefined && isLater) return rule.default;
  if (value === null && rule.default === null) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) say(missing);
  else if (value < min || value > max) say(outOfBounds);
  else if (isWhole && !Number.isInteger(value)) say("Enter a whole number.");
  else return value;
  return null;
}

function readText(value: unknown, row: TextRow, say: (message: string) => void): string {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "") say(row.missing);
  else if (text.length > row.lengthMax) say(row.tooLong);
  return text;
}

function readObjects(given: unknown, refuse: Refuse): ObjectClass[] {
  if (!Array.isArray(given) || given.length === 0) refuse("objects", "Enter at least one object size.");
  else if (given.length > SIZES_MAX) refuse("objects", `A mix can have at most ${SIZES_MAX} sizes.`);
  else {
    const objects = given.map((part: unknown, at) => {
      if (isRecord(part)) return readFigures(part, "objects", `objects.${at}.`, refuse) as ObjectClass;
      refuse(`objects.${at}`, "A size needs bytes and a share.");
      return { bytes: 1, share: 1 };
    });
    if (objects.every(({ share }) => share === 0)) {
      refuse("objects", "At least one size needs a share above 0.");
    }
    return objects;
  }
  return [];
}

function readDrive(given: unknown, refuse: Refuse): DriveInput | null {
  if (!isRecord(given)) {
    refuse("drive", "Describe the drive by its figures.");
    return null;
  }
  return readFigures(given, "drive", "drive.", refuse) as DriveInput;
}

function readInstalled(given: unknown, refuse: Refuse): PoolInput | null {
  if (given === undefined || given === null) return null;
  if (isRecord(given)) return readFigures(given, "installed", "installed.", refuse) as PoolInput;
  refuse("installed", "A pool needs servers and drivesPerServer; give null when nothing is installed.");
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
