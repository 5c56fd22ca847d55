/** `npm test` runs the quick tests, and `npm run test:full` then the rest. Paths are of test files. */
import { globSync } from "node:fs";
import { repositoryRoot } from "./environment.ts";

/** `quick` and `rest` have no test in common, and together are `all`. */
export type Extent = "quick" | "rest" | "all";

/** Files that take two thirds of the time of all unit and database tests: processes, clocks and exhaustive searches. */
export const LONG_TESTS: readonly string[] = [
  "agents/coordinator/src/several-vaults/daily-outages.test.ts",
  "agents/node/src/main.test.ts",
  "apps/cli/src/bench/run.test.ts",
  "apps/cli/src/drill/full.test.ts",
  "apps/cli/src/drill/power-cut.test.ts",
  "apps/ingest/src/away.db.test.ts",
  "apps/ingest/src/database-restart.db.test.ts",
  "apps/ingest/src/flood.db.test.ts",
  "apps/ingest/src/join.db.test.ts",
  "apps/ingest/src/offline.db.test.ts",
  "apps/ingest/src/probe.db.test.ts",
  "apps/local/src/backup/command.db.test.ts",
  "apps/local/src/killed-parts.db.test.ts",
  "apps/local/src/role/killed.db.test.ts",
  "apps/local/src/start-beside-build.db.test.ts",
  "apps/local/src/supervisor.test.ts",
  "apps/local/src/vault/several-vaults.db.test.ts",
  "packages/benchmark/src/drive/measure-drive.test.ts",
  "packages/benchmark/src/methods/backup/backup.test.ts",
  "packages/benchmark/src/methods/methods.test.ts",
  "packages/benchmark/src/methods/object-sweep.test.ts",
  "packages/benchmark/src/run/companion-ping.test.ts",
  "packages/benchmark/src/sampler/start-sampler.test.ts",
  "packages/benchmark/src/sampler/stores.test.ts",
  "packages/db/src/backup/file-format.test.ts",
  "packages/db/src/embedded/interrupted.test.ts",
  "packages/disk-benchmark/src/measure-disk.test.ts",
  "packages/services/src/account/totp.db.test.ts",
  "packages/services/src/alert/built-in-by-vault.db.test.ts",
  "packages/services/src/backup/restore-console.db.test.ts",
  "packages/services/src/benchmark-result/import.db.test.ts",
  "packages/services/src/database-error.db.test.ts",
  "packages/services/src/health/health.db.test.ts",
  "packages/services/src/link/link.db.test.ts",
  "packages/services/src/metrics/query/fleets.db.test.ts",
  "packages/services/src/metrics/roll-up/fleet-samples.db.test.ts",
  "packages/services/src/metrics/roll-up/roll-up.db.test.ts",
  "packages/services/src/schedule/queue.db.test.ts",
  "packages/services/src/weekly-report/weekly-report.db.test.ts",
  "packages/shard-log/src/garbled-reads.test.ts",
  "packages/shard-log/src/wall.test.ts",
  "packages/simulation/src/cli/main.test.ts",
  "packages/simulation/src/testing/exhaustive/exhaustive.test.ts",
  "packages/simulation/src/mutants/canary.test.ts",
  "packages/simulation/src/run.test.ts",
  "packages/timing-simulation/src/simulate.test.ts",
  "packages/stats/src/fail-slow/simulated-fleets.test.ts",
  "tools/bootstrap.test.ts",
  "tools/pack/bundle.test.ts",
  // Needs the console's build, which the quick tests make meanwhile.
  "tools/pack/image.db.test.ts",
];

/** One vault of each kind: what a client sees, a process that dies, and a stop in good order. */
export const VAULT_SMOKE: readonly string[] = [
  "agents/testing/src/clients/aws-objects.test.ts",
  "agents/testing/src/crashes/one-process.test.ts",
  "agents/testing/src/starts/graceful-stop.test.ts",
];

/** The main paths: sign in, watch, read an upload, compare two stores, plan a stash, use a phone. */
export const MAIN_SPECS: readonly string[] = [
  "e2e/benchmarks/verdict.spec.ts",
  "e2e/overview/glance.spec.ts",
  "e2e/planner/print.spec.ts",
  "e2e/shell/phone.spec.ts",
  "e2e/sign-in/password.spec.ts",
  "e2e/write-path/waterfall.spec.ts",
];

export const SEEDS = {
  quick: { from: 1, count: 100 },
  rest: { from: 101, count: 300 },
  all: { from: 1, count: 400 },
};

/** The files of a stage. If no file is named, all are selected except `leftOut`. */
export interface Chosen {
  readonly named: readonly string[];
  readonly leftOut: readonly string[];
}

const EVERYTHING: Chosen = { named: [], leftOut: [] };

/** All but a few files are quick. */
export function chooseUnitFiles(extent: Extent): Chosen {
  if (extent === "all") return EVERYTHING;
  return extent === "quick" ? { named: [], leftOut: LONG_TESTS } : { named: LONG_TESTS, leftOut: [] };
}

/** Only a few files are quick. */
export function chooseVaultFiles(extent: Extent): Chosen {
  if (extent === "all") return EVERYTHING;
  return extent === "quick" ? { named: VAULT_SMOKE, leftOut: [] } : { named: [], leftOut: VAULT_SMOKE };
}

/** Playwright cannot exclude paths, so the rest is named file by file. */
export function chooseSpecs(extent: Extent): readonly string[] {
  if (extent === "all") return [];
  return extent === "quick" ? MAIN_SPECS : listSpecs().filter((path) => !MAIN_SPECS.includes(path));
}

export function listSpecs(): string[] {
  return globSync("e2e/*/**/*.spec.ts", {
    cwd: repositoryRoot,
    exclude: (path) => path.includes("node_modules"),
  }).toSorted();
}
