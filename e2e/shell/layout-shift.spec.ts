import { randomUUID } from "node:crypto";
import { pages } from "../support/console-pages.ts";
import { watchLayoutShift } from "../support/layout-shift.ts";
import { seedBenchmark } from "../support/seeded-benchmark.ts";
import { expect, test } from "../support/test.ts";

/** A fifth of the shift that Web Vitals call good. */
const SHIFT_MAX = 0.02;

const PAGE_MS_MAX = 60_000;

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

test("no page moves while its data arrives", async ({ signedInAs, stashlight, rows, measuredVault }) => {
  test.setTimeout((pages.length + 8) * sizes.length * PAGE_MS_MAX);
  const { page } = await signedInAs("admin");
  const vault = await measuredVault();
  const other = await measuredVault();
  await stashlight.seed.firingDrives(3);
  const planId = await seedBenchmark(page, stashlight, rows, `Stays in place ${randomUUID().slice(0, 6)}`);
  const [rule] = await rows("SELECT id FROM alert_rule WHERE built_in_key = 'purge-lag'");
  const search = (fields: Record<string, string>) => new URLSearchParams(fields);
  // Restricts the table of vaults to this test's, because others come, change and go while the page loads.
  const ownVaults = `/vaults?${search({ scope: `${vault.name},${other.name}` })}`;
  const paths = [
    ...pages.map(({ path }) => (path === "/vaults" ? ownVaults : path)),
    `/vaults?${search({ vault: vault.name })}`,
    `/vaults?${search({ node: vault.podNodes[0] ?? "" })}`,
    `/vaults?${search({ node: vault.stashNodes[0] ?? "", device: "s1" })}`,
    "/explorer?metric=stashlight_fsync_seconds&by=device&where=tier:stash",
    `/alerts/${rule?.id}`,
    `/benchmarks/plans/${planId}`,
    `/benchmarks/plans/${planId}/results`,
  ];
  const watch = await watchLayoutShift(page);
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const path of paths) {
      const { total, shifts } = await watch.measure(path);
      const subject = `layout shift of ${path} at ${size.width} px\n  ${shifts.join("\n  ")}`;
      expect.soft(total, subject).toBeLessThanOrEqual(SHIFT_MAX);
    }
  }
});
