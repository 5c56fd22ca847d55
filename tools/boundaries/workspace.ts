import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A folder with its own import rule: an app, an agent, a package, e2e, tools, prisma or the root. */
export interface Unit {
  /** Relative to the root, `.` for the root itself. */
  readonly folder: string;
  /** Folder (relative to the root) whose package.json lists what this unit may depend on. */
  readonly manifestFolder: string;
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, unknown>> | string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Workspace {
  readonly root: string;
  readonly units: readonly Unit[];
  /** Source files relative to the root, with forward slashes, sorted. */
  readonly files: readonly string[];
  unitOf(file: string): Unit;
}

const GROUPS = ["apps", "agents", "packages"];
const SINGLES = ["e2e", "tools", "prisma"];
const SKIPPED_FOLDERS = new Set(["node_modules", "generated", "test-results", "playwright-report"]);
const SOURCE = /\.(?:[cm]?[jt]sx?|css)$/;

export function readWorkspace(root: string): Workspace {
  const grouped = GROUPS.flatMap((group) => foldersIn(join(root, group)).map((name) => `${group}/${name}`));
  const singles = SINGLES.filter((name) => existsSync(join(root, name)));
  const units = [...grouped, ...singles, "."].map((folder) => readUnit(root, folder));
  const byFolder = new Map(units.map((unit) => [unit.folder, unit]));
  const findUnit = (file: string): Unit => {
    const [first = "", second = ""] = file.split("/");
    return (byFolder.get(`${first}/${second}`) ?? byFolder.get(first) ?? byFolder.get(".")) as Unit;
  };
  const files = units.flatMap((unit) =>
    unit.folder === "." ? filesIn(root, root, false) : filesIn(root, join(root, unit.folder), true),
  );
  return { root, units, files: files.sort(), unitOf: findUnit };
}

function readUnit(root: string, folder: string): Unit {
  const own = existsSync(join(root, folder, "package.json"));
  const manifestFolder = own ? folder : ".";
  const path = join(root, manifestFolder, "package.json");
  const manifest = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : {};
  return { folder, manifestFolder, manifest };
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name);
}

function filesIn(root: string, folder: string, recursive: boolean): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const skipped = !recursive || entry.name.startsWith(".") || SKIPPED_FOLDERS.has(entry.name);
      if (!skipped) found.push(...filesIn(root, path, true));
    } else if (SOURCE.test(entry.name) && entry.name !== "next-env.d.ts") {
      found.push(relative(root, path).replaceAll("\\", "/"));
    }
  }
  return found;
}

const RESOLVED_SUFFIXES = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

/** Resolves a relative import to a source file, relative to the root; null if there is none among `files`. */
export function resolveRelative(from: string, specifier: string, files: ReadonlySet<string>): string | null {
  const target = join(dirname(from), specifier).replaceAll("\\", "/");
  const suffix = RESOLVED_SUFFIXES.find((each) => files.has(target + each));
  return suffix === undefined ? null : target + suffix;
}
