/** Reads an input out of what may be anything, field by field; each field says why it is refused. */
import {
  driveRules,
  NAME_LENGTH_MAX,
  type NumberRule,
  objectRules,
  planRules,
  poolRules,
  type Rules,
  SIZES_MAX,
} from "./rules.ts";
import type { DriveInput, ObjectClass, PoolInput, StashPlanInput } from "./types.ts";

/** Takes the path of a field and a sentence. What is read after a refusal is thrown away. */
export type Refuse = (field: string, message: string) => void;

/** Unknown names are left out. What it returns is an input only if nothing was refused. */
export function readInput(given: unknown, refuse: Refuse): StashPlanInput | null {
  if (!isRecord(given)) {
    refuse("", "A plan is an object of inputs.");
    return null;
  }
  const { podFlushBytesPerSecond, ...numbers } = readNumbers(given, planRules, "", refuse);
  const drive = readDrive(given.drive, refuse);
  const objects = readObjects(given.objects, refuse);
  const installed = readInstalled(given.installed, refuse);
  return drive && { ...numbersOf(numbers), podFlushBytesPerSecond, objects, drive, installed };
}

/** Null where a rule's default is, and for what was refused. */
function readNumbers<Name extends string>(
  given: Record<string, unknown>,
  rules: Rules<Name>,
  prefix: string,
  refuse: Refuse,
): Record<Name, number | null> {
  const names = Object.keys(rules) as Name[];
  const read = names.map((name) => {
    const say = (message: string) => refuse(`${prefix}${name}`, message);
    return [name, readNumber(given[name], rules[name], say)];
  });
  return Object.fromEntries(read);
}

/** None of them is null when none was refused. */
function numbersOf<Name extends string>(read: Record<Name, number | null>): Record<Name, number> {
  return read as Record<Name, number>;
}

export function readNumber(
  value: unknown,
  { min, max, isWhole, told, missing, otherwise }: NumberRule,
  say: (message: string) => void,
): number | null {
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (value === null && otherwise === null) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) say(missing);
  else if (value < min || value > max) say(told);
  else if (isWhole && !Number.isInteger(value)) say("Write a whole number.");
  else return value;
  return null;
}

function readObjects(given: unknown, refuse: Refuse): ObjectClass[] {
  if (!Array.isArray(given) || given.length === 0) refuse("objects", "Give at least one object size.");
  else if (given.length > SIZES_MAX) refuse("objects", `A mix has at most ${SIZES_MAX} sizes.`);
  else {
    const objects = given.map((part: unknown, at) => {
      if (isRecord(part)) return numbersOf(readNumbers(part, objectRules, `objects.${at}.`, refuse));
      refuse(`objects.${at}`, "A size has bytes and a share.");
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
  const name = typeof given.name === "string" ? given.name.trim() : "";
  if (name === "") refuse("drive.name", "Give the drive a name.");
  else if (name.length > NAME_LENGTH_MAX) {
    refuse("drive.name", `A name has at most ${NAME_LENGTH_MAX} characters.`);
  }
  return { name, ...numbersOf(readNumbers(given, driveRules, "drive.", refuse)) };
}

function readInstalled(given: unknown, refuse: Refuse): PoolInput | null {
  if (given === undefined || given === null) return null;
  if (isRecord(given)) return numbersOf(readNumbers(given, poolRules, "installed.", refuse));
  refuse("installed", "A pool has servers and drivesPerServer; null when nothing is installed.");
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
