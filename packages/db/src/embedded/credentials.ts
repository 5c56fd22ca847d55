import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { explainFileError } from "./errors.ts";

export interface Credentials {
  /** Chosen once and stored, so that other configuration with this address stays valid. */
  port?: number;
  ownerPassword: string;
  runtimePassword: string;
}

export function newCredentials(): Credentials {
  const password = () => randomBytes(24).toString("base64url");
  return { ownerPassword: password(), runtimePassword: password() };
}

/** Returns undefined if the file is missing or broken; the caller then sets new passwords. */
export function readCredentials(path: string): Credentials | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw explainFileError(error, path);
  }
  return parseCredentials(text);
}

function parseCredentials(text: string): Credentials | undefined {
  try {
    const { port, ownerPassword, runtimePassword } = JSON.parse(text);
    const isWhole = [ownerPassword, runtimePassword].every((value) => /^[\w-]{20,}$/.test(value));
    if (!isWhole) return undefined;
    return { ...(Number.isInteger(port) && { port }), ownerPassword, runtimePassword };
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically, so that a crash leaves either the old or the new one. */
export function writeCredentials(path: string, credentials: Credentials): void {
  const partial = `${path}.partial`;
  try {
    rmSync(partial, { force: true });
    writeFileSync(partial, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true });
    chmodSync(partial, 0o600);
    renameSync(partial, path);
  } catch (error) {
    throw explainFileError(error, path);
  }
}
