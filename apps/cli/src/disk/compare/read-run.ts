/** Reads files written by `disk --output`. */
import { readFile } from "node:fs/promises";
import { diskCellResultSchema } from "@stashlight/contracts/disk";
import { z } from "zod";
import { UsageError } from "../../usage-error.ts";
import type { RunArgument } from "../arguments.ts";

const runSchema = z.object({
  label: z.enum(["measured", "modelled"]),
  cells: z.array(diskCellResultSchema).min(1, "it has no measured cell"),
});

export interface ReadRun extends RunArgument, z.infer<typeof runSchema> {}

/** Throws a UsageError that names the file. */
export async function readRun(argument: RunArgument): Promise<ReadRun> {
  const { path } = argument;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not JSON" : `cannot be read: ${(error as Error).message}`;
    throw new UsageError(`--run: ${path} ${why}.`);
  }
  const parsed = runSchema.safeParse(value);
  if (parsed.success) return { ...argument, ...parsed.data };
  const issue = parsed.error.issues[0];
  throw new UsageError(
    `--run: ${path} was not written by disk --output; ${issue?.path.join(".") || "all of it"}: ${issue?.message}.`,
  );
}
