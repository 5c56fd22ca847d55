/**
 * Import rules as data. The default is "forbidden": a folder without a row, or a package missing from its row, is an
 * error. `pnpm docs:imports` writes it into docs/architecture.md.
 */

/** One row of the table: a folder that is built or run on its own, and the workspace packages it may import. */
export interface UnitRule {
  /** Folder relative to the root; `agents/*` means every folder directly under agents/ without a row above it. */
  readonly unit: string;
  /** Names under packages/ and paths of other folders, or "any package". */
  readonly mayImport: readonly string[] | "any package";
  /** Names under packages/ that only this unit's tests may import in addition. */
  readonly testsMayImport?: readonly string[];
}

/** Modules and globals that a unit must not use, even if its package.json lists them. */
export interface PurityRule {
  readonly units: readonly string[];
  /** Module names; a trailing `*` matches any rest. Tests are exempt: they may read golden files. */
  readonly modules: readonly string[];
  /** Exceptions to `modules`. */
  readonly modulesAllowed?: readonly string[];
  /** Globals such as `process` or `Math.random`; `new Date()` means the call without arguments. */
  readonly globals: readonly string[];
  /** Files (relative to the root) for which the rule on modules does not hold: adapters to the platform. */
  readonly modulesAllowedIn?: readonly string[];
  /** Files (relative to the root) for which the rule on globals does not hold. */
  readonly globalsAllowedIn?: readonly string[];
  /** Completes the sentence "…, because …". */
  readonly because: string;
}

export interface BoundaryRules {
  readonly units: readonly UnitRule[];
  readonly purity: readonly PurityRule[];
  /** Scope of the workspace packages, with the slash. */
  readonly scope: string;
  /** Path aliases a bundler resolves: unit -> prefix -> folder relative to the unit. */
  readonly aliases: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Root development dependencies that test files of every package may import without listing them. */
  readonly testTools: readonly string[];
  /** Files (relative to the root) that may import a module whose name is computed. */
  readonly computedImportsAllowedIn: readonly string[];
}

const PLATFORM_MODULES = ["node:*", "prisma", "@prisma/*", "pg", "pg-boss"] as const;

/** Adapters to the platform that processes share. No page imports a name of them, so the bundler leaves them out. */
const PROCESS_FILES = [
  "machine-agent",
  "process/compile-cache",
  "process/heap",
  "process/standard-output",
].map((name) => `packages/contracts/src/${name}.ts`);

const PURE_PACKAGES = [
  "write-path",
  "erasure",
  "checksum",
  "paged-memory",
  "shard-log",
  "shard-store",
  "telemetry",
].map((name) => `packages/${name}`);

/** Pure, without even the platform's assertions. */
const PURE_IN_BROWSERS = ["packages/planner", "packages/stats", "packages/devices", "packages/durability"];

const IMPURE_GLOBALS = [
  "Date.now",
  "new Date()",
  "performance.now",
  "Math.random",
  "crypto.randomUUID",
  "crypto.getRandomValues",
  "process",
];

/** Files in which a pure package uses the platform; its other files may not import them. */
const NODE_ADAPTERS = [
  "packages/paged-memory/src/node/scratch-file.ts",
  "packages/shard-log/src/node/disk.ts",
  "packages/shard-log/src/node/lock.ts",
  "packages/shard-log/src/node/transfer.ts",
  "packages/telemetry/src/delivery/http-post.ts",
  "packages/telemetry/src/delivery/post-traces.ts",
  "packages/telemetry/src/delivery/probe-jobs.ts",
  "packages/telemetry/src/delivery/quarantine.ts",
  "packages/telemetry/src/enrolment/private-file.ts",
  "packages/telemetry/src/http/ingest-request.ts",
  "packages/telemetry/src/spool/files.ts",
  "packages/telemetry/src/spool/segment.ts",
];

export const boundaryRules: BoundaryRules = {
  scope: "@stashlight/",
  units: [
    {
      unit: "apps/console",
      mayImport: ["api", "ui", "planner", "devices", "stats", "contracts"],
    },
    {
      unit: "apps/ingest",
      mayImport: ["services", "telemetry", "contracts"],
      testsMayImport: ["db", "node-runtime", "s3", "vault-setup"],
    },
    {
      unit: "apps/worker",
      mayImport: ["services", "contracts"],
      testsMayImport: ["s3"],
    },
    { unit: "apps/local", mayImport: "any package" },
    {
      unit: "apps/cli",
      mayImport: [
        "benchmark",
        "benchmark-formats",
        "disk-benchmark",
        "devices",
        "node-runtime",
        "s3",
        "planner",
        "stats",
        "vault-setup",
        "contracts",
      ],
    },
    // The program only chooses which agent or command runs; the bundle is built from it.
    {
      unit: "apps/program",
      mayImport: [
        "agents/host",
        "agents/node",
        "agents/probe",
        "apps/cli",
        "benchmark",
        "disk-benchmark",
        "s3",
        "contracts",
      ],
    },
    {
      unit: "agents/node",
      mayImport: ["agents/coordinator", "node-runtime", "paged-memory", "shard-store", "write-path"],
    },
    {
      unit: "agents/*",
      mayImport: [
        "write-path",
        "node-runtime",
        "shard-store",
        "telemetry",
        "checksum",
        "s3",
        "benchmark",
        "disk-benchmark",
        "outbound",
        "stats",
        "contracts",
      ],
      testsMayImport: ["shard-log", "transport"],
    },
    { unit: "packages/api", mayImport: ["services", "contracts"] },
    {
      unit: "packages/services",
      mayImport: [
        "db",
        "telemetry",
        "planner",
        "timing-simulation",
        "benchmark",
        "benchmark-formats",
        "outbound",
        "stats",
        "devices",
        "contracts",
      ],
    },
    { unit: "packages/db", mayImport: ["contracts"] },
    { unit: "packages/ui", mayImport: [] },
    { unit: "packages/contracts", mayImport: [] },
    {
      unit: "packages/simulation",
      mayImport: [
        "write-path",
        "devices",
        "shard-log",
        "shard-store",
        "paged-memory",
        "checksum",
        "stats",
        "contracts",
      ],
    },
    {
      unit: "packages/timing-simulation",
      mayImport: ["write-path", "devices", "shard-store", "stats", "contracts"],
    },
    {
      unit: "packages/node-runtime",
      mayImport: [
        "write-path",
        "shard-log",
        "shard-store",
        "paged-memory",
        "transport",
        "telemetry",
        "checksum",
        "devices",
        "contracts",
      ],
    },
    {
      unit: "packages/shard-store",
      mayImport: ["write-path", "shard-log", "paged-memory", "erasure", "checksum"],
    },
    { unit: "packages/planner", mayImport: ["devices", "durability", "stats", "contracts"] },
    { unit: "packages/durability", mayImport: ["stats"] },
    { unit: "packages/write-path", mayImport: ["erasure", "paged-memory"] },
    { unit: "packages/erasure", mayImport: [] },
    { unit: "packages/checksum", mayImport: [] },
    { unit: "packages/paged-memory", mayImport: [] },
    { unit: "packages/stats", mayImport: [] },
    { unit: "packages/devices", mayImport: ["stats", "contracts"] },
    // The test helpers of `benchmark` start third-party object stores.
    { unit: "e2e", mayImport: ["benchmark", "contracts", "db", "services", "telemetry", "s3"] },
    {
      unit: "tools",
      mayImport: [
        "contracts",
        "erasure",
        "checksum",
        "shard-log",
        "shard-store",
        "simulation",
        "timing-simulation",
        "transport",
        "write-path",
        "node-runtime",
        "s3",
        "services",
        "db",
        "telemetry",
        "fleet",
        "stats",
        "benchmark",
        "disk-benchmark",
        "planner",
      ],
    },
    { unit: "packages/shard-log", mayImport: ["paged-memory"] },
    { unit: "packages/transport", mayImport: ["write-path", "checksum"] },
    { unit: "packages/s3", mayImport: ["checksum", "contracts"] },
    { unit: "packages/telemetry", mayImport: ["contracts", "stats"] },
    { unit: "packages/outbound", mayImport: ["contracts"] },
    {
      unit: "packages/benchmark",
      mayImport: ["s3", "disk-benchmark", "contracts", "stats"],
      testsMayImport: ["transport"],
    },
    { unit: "packages/benchmark-formats", mayImport: ["contracts", "stats"] },
    { unit: "packages/disk-benchmark", mayImport: ["telemetry", "stats", "contracts"] },
    {
      unit: "packages/vault-setup",
      mayImport: ["node-runtime", "transport", "write-path", "shard-log", "telemetry", "contracts"],
    },
    { unit: "packages/fleet", mayImport: ["db", "telemetry", "contracts"] },
    { unit: "prisma", mayImport: [] },
    { unit: ".", mayImport: [] },
  ],
  purity: [
    {
      units: ["packages/ui", "packages/contracts"],
      modules: PLATFORM_MODULES,
      modulesAllowedIn: [...PROCESS_FILES, "packages/contracts/src/testing/folders.ts"],
      globals: ["process"],
      globalsAllowedIn: [
        ...PROCESS_FILES,
        "packages/contracts/src/process/process.ts",
        "packages/contracts/src/process/process.test.ts",
        "packages/contracts/src/process/standard-output.test.ts",
      ],
      because: "it also runs in a browser",
    },
    {
      units: PURE_IN_BROWSERS,
      modules: PLATFORM_MODULES,
      globals: IMPURE_GLOBALS,
      because: "it also runs in a browser, and its clock and randomness are arguments",
    },
    {
      units: PURE_PACKAGES,
      modules: PLATFORM_MODULES,
      modulesAllowed: ["node:assert/strict"],
      modulesAllowedIn: NODE_ADAPTERS,
      globals: IMPURE_GLOBALS,
      globalsAllowedIn: NODE_ADAPTERS,
      because: "its clock, disk, network and randomness are arguments",
    },
  ],
  aliases: { "apps/console": { "@/": "src/" } },
  testTools: ["vitest", "fast-check", "libpg-query"],
  // The loader requires the bundle's modules, by the names that the bundler gave them, and Node's modules.
  computedImportsAllowedIn: ["tools/pack/loader.cjs"],
};
