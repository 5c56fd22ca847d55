/**
 * Content of the image as a folder: the sources of programs that run without a build, the built console, the production
 * packages, and the bundled program. The Containerfile copies it; a test runs it without a container.
 */
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { runTurbo } from "../run/command.ts";
import { repositoryRoot } from "../run/environment.ts";
import { bundleProgram } from "./bundle.ts";
import { type Licensed, licenceFindings } from "./licences.ts";
import { needPnpm } from "./pnpm.ts";

/** Folders that the roles run. Every other workspace folder contributes only its manifest, which pnpm requires. */
const CONTENT = [
  "apps/console",
  "apps/ingest",
  "apps/local",
  "apps/worker",
  "packages",
  "prisma",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ".npmrc",
  "LICENSE",
  "tools/package.json",
  "tools/pack/health.mjs",
];
const ONLY_MANIFESTS = ["apps/cli", "apps/program", "agents", "e2e"];
const LEFT_OUT = /(^|\/)(node_modules|\.turbo|testing|\.next\/(cache|dev|types))(\/|$)|\.test\.[a-z]+$/;

/**
 * Packages whose code the build has already put into the console's scripts, and those that only a compiler reads. Each
 * is a dependency of a workspace package, so that pnpm installs it.
 */
const BUILT_IN =
  /^(@base-ui|@fontsource-variable|@tailwindcss|@types|echarts|lightningcss|lucide-react|tailwindcss|typescript|zrender)([+@]|$)/;
/** For debuggers, other databases, or development servers. */
const NOT_RUN = new RegExp(
  [
    String.raw`\.(map|d\.[cm]?ts|md)$`,
    String.raw`/query_compiler_.*\.(cockroachdb|mysql|sqlite|sqlserver)\.`,
    "/next/dist/(docs|esm)/",
    String.raw`/next/dist/compiled/next-server/.*\.dev\.js$`,
  ].join("|"),
);

const BILL_OF_MATERIALS = "sbom.cdx.json";

export interface Image {
  readonly folder: string;
  readonly sizeBytes: number;
}

export function isConsoleBuilt(): boolean {
  return ["apps/console/.next/BUILD_ID", "packages/db/src/generated/client.ts"].every((path) =>
    existsSync(join(repositoryRoot, path)),
  );
}

/** Rewrites the folder, including a built console. Throws if a package may not be shipped. */
export async function assembleImage(folder: string): Promise<Image> {
  rmSync(folder, { recursive: true, force: true });
  for (const path of CONTENT) copy(path, folder, (inside) => !LEFT_OUT.test(inside));
  for (const path of ONLY_MANIFESTS) copy(path, folder, isOnWayToManifest);
  await needPnpm(
    ["install", "--prod", "--no-optional", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"],
    folder,
  );
  prune(join(folder, "node_modules/.pnpm"));
  const packages = packagesIn(join(folder, "node_modules/.pnpm"));
  const findings = licenceFindings(packages);
  if (findings.length > 0) throw new Error(findings.join("\n"));
  await writeBillOfMaterials(folder, packages);
  translateConfiguration(join(folder, "apps/console/next.config.ts"));
  await bundleProgram(join(folder, "stashlight.cjs"));
  return { folder, sizeBytes: folderBytes(folder) };
}

/** Uses turbo's cached result if nothing changed. */
export async function buildConsole(): Promise<void> {
  const { isGreen, output } = await runTurbo(["generate", "build"]);
  if (!isGreen) throw new Error(`The console could not be built:\n${output}`);
}

function copy(path: string, folder: string, takes: (inside: string) => boolean): void {
  const from = join(repositoryRoot, path);
  cpSync(from, join(folder, path), {
    recursive: true,
    filter: (source) => takes(relative(repositoryRoot, source).split(sep).join("/")),
  });
}

/** True for `agents/node` and `agents/node/package.json`, and for nothing deeper. */
function isOnWayToManifest(path: string): boolean {
  if (LEFT_OUT.test(path) && !path.startsWith("agents/testing")) return false;
  return path.endsWith("/package.json") || !/\/(src|node_modules|\.turbo)(\/|$)|\.[a-z]+$/.test(path);
}

function prune(store: string): void {
  for (const name of readdirSync(store)) {
    if (BUILT_IN.test(name)) rmSync(join(store, name), { recursive: true });
  }
  for (const path of filesIn(store)) if (NOT_RUN.test(path)) rmSync(path);
}

/** Does not follow links: pnpm's lead to the same files by many ways. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

interface Installed extends Licensed {
  readonly version: string;
}

/** Entries of pnpm's store: `NAME@VERSION_PEERS/node_modules/NAME`, beside links to their dependencies. */
function packagesIn(store: string): Installed[] {
  const manifests = globSync("*/node_modules/{*,@*/*}/package.json", { cwd: store }).filter(
    (path) => !lstatSync(join(store, dirname(path))).isSymbolicLink(),
  );
  return manifests.map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(store, path), "utf8"));
    return { name, version, licence: typeof license === "string" ? license : "no licence" };
  });
}

/** Writes a bill of materials in CycloneDX; of the dependencies that pnpm lists, it keeps those that are present. */
async function writeBillOfMaterials(folder: string, packages: readonly Installed[]): Promise<void> {
  const file = join(folder, BILL_OF_MATERIALS);
  const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application"];
  await needPnpm(["sbom", "--prod", "--no-optional", ...format, "--out", file], folder);
  const all = JSON.parse(readFileSync(file, "utf8"));
  const kept = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const isThere = (reference: string) => {
    const id = decodeURIComponent(reference.replace(/^pkg:npm\//, ""));
    return id.startsWith("@stashlight/") || kept.has(id);
  };
  const components = all.components.filter(({ purl }: { purl: string }) => isThere(purl));
  const dependencies = all.dependencies
    .filter(({ ref }: { ref: string }) => ref === all.metadata.component["bom-ref"] || isThere(ref))
    .map(({ ref, dependsOn = [] }: { ref: string; dependsOn?: string[] }) => ({
      ref,
      dependsOn: dependsOn.filter(isThere),
    }));
  writeFileSync(file, `${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
}

/** Prevents Next from looking for its compiler to read TypeScript, and from downloading a missing one. */
function translateConfiguration(file: string): void {
  const script = stripTypeScriptTypes(readFileSync(file, "utf8"));
  writeFileSync(file.replace(/\.ts$/, ".mjs"), script);
  rmSync(file);
}

function folderBytes(folder: string): number {
  let bytes = 0;
  for (const path of filesIn(folder)) bytes += statSync(path).size;
  return bytes;
}
