/** Values of options and variables that all programs of an installation share. */
import type { StorageProfile } from "@stashlight/db/migrate";
import { Failure } from "./failure.ts";

export function parsePort(name: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Failure(`${name} must be a number from 1 to 65535; got "${text}".`);
}

export function parseCount(name: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new Failure(`${name} must be a whole number from ${least} to ${most}; got "${text}".`);
}

/** Profiles of the migration runner, listed here because only a separate process loads it. */
const storageProfiles = ["plain", "timescale", "citus"] as const satisfies readonly StorageProfile[];

export function parseStorageProfile(
  option: string | undefined,
  env: NodeJS.ProcessEnv,
): StorageProfile | undefined {
  const name = option === undefined ? "STASHLIGHT_STORAGE_PROFILE" : "--storage-profile";
  const text = option ?? env[name];
  if (text === undefined || (text === "" && option === undefined)) return undefined;
  const storageProfile = storageProfiles.find((each) => each === text);
  if (storageProfile !== undefined) return storageProfile;
  throw new Failure(`${name} must be one of ${storageProfiles.join(", ")}; got "${text}".`);
}

export function parseDatabaseUrl(
  optionName: string,
  option: string | undefined,
  variableName: string,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const text = option ?? (env[variableName] === "" ? undefined : env[variableName]);
  if (text === undefined) return undefined;
  const name = option === undefined ? variableName : optionName;
  const isPostgres = ["postgres:", "postgresql:"].includes(URL.parse(text)?.protocol ?? "");
  // Does not repeat the value, which contains a password.
  if (!isPostgres) throw new Failure(`${name} must look like postgresql://user:password@host:5432/database.`);
  return text;
}

/** `name` is the option or variable that the text comes from. */
export function parsePublicUrl(text: string, name = "--public-url"): string {
  const url = URL.parse(text);
  const isPlain = url !== null && ["http:", "https:"].includes(url.protocol);
  if (!isPlain || url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new Failure(`${name} must look like https://stashlight.example.com, and "${text}" does not.`);
  }
  return url.origin;
}
