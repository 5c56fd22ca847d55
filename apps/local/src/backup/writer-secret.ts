/** Finds the secret for a backup's MACs. It is never read from the command line, which other users can see. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { checkSecretLength } from "../secret.ts";
import type { GivenSecret } from "./options.ts";

/** Undefined if none is given and the folder has none. */
export function findSecret(given: GivenSecret, folder?: string): string | undefined {
  if (given.secretFile !== undefined) return readGivenSecret("--secret-file", given.secretFile);
  if (given.secret !== undefined) return checkSecretLength("STASHLIGHT_SECRET", given.secret);
  return folder === undefined ? undefined : readGivenSecret("the folder's secret", join(folder, "secret"));
}

/** `name` is the option or variable that contains the path. */
export function readGivenSecret(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Failure(
      `The secret in ${path} cannot be read (${code}, ${name}). Name a file that has the secret and that this user may read.`,
      { cause },
    );
  }
  return checkSecretLength(`The secret in ${path}`, text.trim());
}
