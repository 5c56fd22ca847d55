import { join } from "node:path";
import { defineConfig } from "vitest/config";

const UNIT_TESTS = [
  "packages/*/src/**/*.test.{ts,tsx}",
  "apps/*/src/**/*.test.{ts,tsx}",
  "agents/{coordinator,host,node,probe}/src/**/*.test.ts",
  "tools/**/*.test.ts",
];

/** They start whole vaults of real processes, each file its own. */
const VAULT_TESTS = "agents/testing/src/**/*.test.ts";

const DATABASE_TESTS = "{packages,apps,tools}/**/*.db.test.ts";

/** Tests that read or write the metric tables run on every engine. */
const ENGINE_TESTS = [
  "packages/db/src/metrics/**/*.db.test.ts",
  "packages/services/src/{metrics,alert,trace}/**/*.db.test.ts",
];

const engines = [
  ["db-timescale", process.env.STASHLIGHT_TEST_TIMESCALE_URL],
  ["db-citus", process.env.STASHLIGHT_TEST_CITUS_URL],
] as const;

/** Paths that this run leaves out; `--exclude` of the command line does not reach projects. */
const LEFT_OUT = process.env.STASHLIGHT_TEST_LEFT_OUT?.split(",") ?? [];

const NEVER = ["**/node_modules/**", "**/.next/**", "**/generated/**", ...LEFT_OUT];

/** `tools/bootstrap.mjs` names the same folder: a process that a test starts would compile all that it loads again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/node-compile");

/** Clients of vaults hold the bodies of objects, for which V8 would otherwise collect the heap before it grows. */
const VAULT_CLIENT_FLAGS = ["--initial-old-space-size=256", "--external-memory-accounted-in-global-limit"];

const GLOBAL_SETUP = "packages/db/src/testing/global-setup.ts";

/** A database of several machines takes seconds to copy. */
const engineProject = (name: string) => ({
  extends: true as const,
  test: {
    name,
    include: ENGINE_TESTS,
    exclude: NEVER,
    globalSetup: GLOBAL_SETUP,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

/*
 * `isolate: false`: a process and its modules serve many files of tests; a process for each file took as long as the
 * tests themselves. So no test may replace a module (`vi.mock`), which files before it have loaded.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    retry: 0,
    // Generous enough for a machine three times slower than a developer's.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: UNIT_TESTS,
          exclude: [...NEVER, DATABASE_TESTS],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: [DATABASE_TESTS],
          exclude: NEVER,
          isolate: false,
          globalSetup: GLOBAL_SETUP,
        },
      },
      ...engines.flatMap(([name, url]) => (url ? [engineProject(name)] : [])),
      {
        extends: true,
        test: {
          name: "vault",
          include: [VAULT_TESTS],
          exclude: NEVER,
          isolate: false,
          globalSetup: "tools/pack/test-program.ts",
          execArgv: VAULT_CLIENT_FLAGS,
          testTimeout: 300_000,
        },
      },
    ],
  },
});
