/** Reads the file that describes a node or machine to add. Throws a VaultFileError. */
import { readFileSync } from "node:fs";
import { VaultFileError } from "@stashlight/node-runtime/config";
import type { z } from "zod";

export function readDescription<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new VaultFileError(`${path} cannot be read: ${(error as Error).message}.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VaultFileError(`${path}: ${issue?.path.join(".")}: ${issue?.message}.`);
}
