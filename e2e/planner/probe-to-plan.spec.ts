import { randomUUID } from "node:crypto";
import { post } from "../support/post.ts";
import { startProbeAgent } from "../support/probe-agent.ts";
import { expect, test } from "../support/test.ts";

/** Time for the probe, which polls every few seconds, fills a file and measures two sizes. */
const PROBE_MS_MAX = 180_000;

test("a real probe measures a drive at the press of a button, and a plan takes the result", async ({
  signedInAs,
  stashlight,
  rows,
  measuredVault,
}) => {
  const vault = await measuredVault();
  const node = vault.stashNodes[0] ?? "";
  const admin = await signedInAs("admin");
  const name = `probe-${randomUUID().slice(0, 8)}`;
  const { ingestUrl, url } = stashlight;
  const asked = { vault: vault.name, role: "probe", isAutoApproved: true };
  const { token: enrolmentToken } = await post<{ token: string }>(
    admin.page.request,
    url,
    "node.createToken",
    asked,
  );
  const probe = await startProbeAgent({ name, ingestUrl, enrolmentToken, node, device: "s1" });
  try {
    await expect.poll(() => rows("SELECT 1 FROM probe_drive WHERE node_name = $1", [node])).toHaveLength(1);
    const { page } = await signedInAs("operator");
    await page.goto(`/vaults?${new URLSearchParams({ node, device: "s1" })}`);
    const section = page.getByRole("region", { name: "How fast can it sync?" });
    await section.getByRole("button", { name: "Run fsync probe" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run fsync probe" }).click();
    const table = section.getByRole("table", { name: "What the fsync probe measured" });
    await expect(table).toBeVisible({ timeout: PROBE_MS_MAX });
    await expect(section).toContainText(/(fio-\d|Stashlight's own writer \d).* · probe probe-/);

    const [{ figures = [] } = {}] = await rows<{ figures: { syncsPerSecond: number }[] }>(
      "SELECT result->'figures' AS figures FROM fsync_probe WHERE node_name = $1",
      [node],
    );
    const told = figures.map(({ syncsPerSecond }) => String(Number(syncsPerSecond.toPrecision(3))));
    await page.goto(`/planner?vault=${vault.name}`);
    await page.locator("summary", { hasText: /^Drive$/ }).click();
    await expect(page.getByTitle(/measured by a probe with (fio|stashlight)/)).toBeVisible();
    await page.getByRole("button", { name: "Use the fleet's Syncs" }).click();
    const taken = await page.getByRole("textbox", { name: /^Syncs/ }).inputValue();
    expect(told).toContain(taken);
    await expect(page.getByRole("button", { name: "Override Syncs" })).toBeVisible();
  } finally {
    await probe.stop();
  }
});
