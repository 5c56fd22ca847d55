import { defineConfig } from "vitest/config";

const UNIT_TESTS = [
  "packages/*/src/**/*.test.{ts,tsx}",
  "apps/*/src/**/*.test.{ts,tsx}",
  "agents/{coordinator,host,node,pod,probe,stash}/src/**/*.test.ts",
  "tools/**/*.test.ts",
];

/** They start whole vaults of real processes, each file its own. */
const VAULT_TESTS = "agents/testing/src/**/*.test.ts";

const DATABASE_TESTS = "{packages,apps,tools}/**/*.db.test.ts";

const NEVER = ["**/node_modules/**", "**/.next/**", "**/generated/**"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    retry: 0,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      { extends: true, test: { name: "unit", include: UNIT_TESTS, exclude: [...NEVER, DATABASE_TESTS] } },
      {
        extends: true,
        test: {
          name: "db",
          include: [DATABASE_TESTS],
          exclude: NEVER,
          globalSetup: "packages/db/src/testing/global-setup.ts",
        },
      },
      {
        extends: true,
        test: { name: "vault", include: [VAULT_TESTS], exclude: NEVER, testTimeout: 120_000 },
      },
    ],
  },
});
