import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainFileError, Failure } from "./failure.ts";

const lengthMin = 32;

/** The installation's secret: the given one, or else the one in the data folder, which the first start creates. */
export function loadSecret(dataDirectory: string, given: string | undefined): string {
  if (given !== undefined && given !== "") {
    return checkSecretLength("STASHLIGHT_SECRET", given);
  }
  const path = join(dataDirectory, "secret");
  try {
    return readSecret(path) ?? createSecret(path);
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/** `name` is where the secret comes from. */
export function checkSecretLength(name: string, secret: string): string {
  if (secret.length >= lengthMin) return secret;
  throw new Failure(`${name} has ${secret.length} characters and needs ${lengthMin} or more.`);
}

/** Undefined if there is no such file. */
export function readSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, "utf8").trim();
    if (secret.length >= lengthMin) return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  throw new Failure(
    `The secret in ${path} is broken; restore the file from a backup, or, if it is lost, remove it and start once with --accept-new-secret: all users then sign in again, and users with two-factor sign-in need it turned off first (by an admin, or with --recover).`,
  );
}

function createSecret(path: string): string {
  const secret = randomBytes(32).toString("base64url");
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${secret}\n`, { mode: 0o600, flush: true });
  linkSync(partial, path);
  rmSync(partial);
  return secret;
}
