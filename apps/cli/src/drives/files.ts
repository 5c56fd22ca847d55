/** Files of Drive Stats: CSV files themselves, or folders of them. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { UsageError } from "../usage-error.ts";

export interface StatsFile {
  readonly path: string;
  readonly bytes: number;
}

const UNPACK: Readonly<Record<string, (path: string) => string>> = {
  ".zip": (path) => `unzip "${path}" -d FOLDER`,
  ".gz": (path) => `gunzip "${path}"`,
};

/** In the order of their names, which is chronological. Throws a UsageError. */
export function listStatsFiles(paths: readonly string[]): StatsFile[] {
  const files = paths.flatMap(filesIn);
  const found = new Map(files.map((file) => [file.path, file]));
  return [...found.values()].toSorted((a, b) => (basename(a.path) < basename(b.path) ? -1 : 1));
}

function filesIn(path: string): StatsFile[] {
  const found = statOf(path);
  if (!found.isDirectory()) {
    refusePacked(path);
    return [{ path, bytes: found.size }];
  }
  // An archive made on a Mac has a hidden companion for each file.
  const inside = readdirSync(path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("."),
  );
  const files = inside
    .filter(({ name }) => /\.csv$/i.test(name))
    .map(({ parentPath, name }) => join(parentPath, name));
  if (files.length === 0) {
    for (const { parentPath, name } of inside) refusePacked(join(parentPath, name));
    throw new UsageError(`${path} has no CSV file.`);
  }
  return files.map((file) => ({ path: file, bytes: statOf(file).size }));
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

function refusePacked(path: string): void {
  const ending = Object.keys(UNPACK).find((each) => path.toLowerCase().endsWith(each));
  if (ending === undefined) return;
  throw new UsageError(`${path} is compressed. Unpack it first: ${UNPACK[ending]?.(path)}`);
}
