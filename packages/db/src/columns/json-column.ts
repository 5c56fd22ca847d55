/**
 * Codecs for JSON columns. A row outlives the release that wrote it, so each codec reads every form its column has ever
 * had. A field missing in older rows has a default in the schema. Any other change of form is handled by `upgrade`,
 * documented at each codec.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { z } from "zod";
import type { Prisma } from "../generated/client.ts";

/** Writable values: the type as read, deeply read-only. */
type Writable<Value> = Value extends Date
  ? Date
  : Value extends object
    ? { readonly [Key in keyof Value]: Writable<Value[Key]> }
    : Value;

/** Limits the reason in an error message. */
const REASON_LENGTH_MAX = 200;

export interface JsonColumn<Value> {
  /** "table.column" */
  readonly place: string;
  /** `row` is the key of the row, named in the error for a malformed value. */
  read(stored: unknown, row: string): Value;
  /** Reads a column that may be NULL. */
  readOrNull(stored: unknown, row: string): Value | null;
  /** Stores dates as text, and leaves undefined fields out. */
  write(value: Writable<Value>): Prisma.InputJsonObject;
}

export function jsonColumn<Schema extends z.ZodType>(
  place: string,
  schema: Schema,
  upgrade: (stored: unknown) => unknown = (stored) => stored,
): JsonColumn<z.output<Schema>> {
  const read = (stored: unknown, row: string): z.output<Schema> => {
    const { data, error } = schema.safeParse(upgrade(stored));
    if (error === undefined) return data;
    const [issue] = error.issues;
    const field = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    throw new StashlightError(
      "internal",
      `${place} of row ${row} holds a value that cannot be read${field}: ${issue?.message.slice(0, REASON_LENGTH_MAX)}`,
      { cause: error },
    );
  };
  return {
    place,
    read,
    readOrNull: (stored, row) => (stored === null ? null : read(stored, row)),
    write: (value) => JSON.parse(JSON.stringify(value)),
  };
}
