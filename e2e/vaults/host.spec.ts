import { randomUUID } from "node:crypto";
import { startCephExporter } from "../support/ceph-exporter.ts";
import { startHostAgent } from "../support/host-agent.ts";
import { post } from "../support/post.ts";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

/** Time for the agent, which sends every ten seconds and has no rates in its first window. */
const WINDOW_MS_MAX = 120_000;

test("a machine outside any vault shows how long its drive takes to sync, and a plan offers that figure", async ({
  signedInAs,
  stashlight,
  rows,
}) => {
  test.setTimeout(4 * WINDOW_MS_MAX);
  const { page } = await signedInAs("admin");
  const { ingestUrl, url } = stashlight;
  const name = `db-${randomUUID().slice(0, 8)}`;
  const vault = `${name}-machines`;
  const { token: enrolmentToken } = await post<{ token: string }>(page.request, url, "node.createToken", {
    vault,
    role: "host",
    isAutoApproved: true,
  });
  const store = await startCephExporter();
  const agent = await startHostAgent({ name, ingestUrl, enrolmentToken, storeUrl: store.url });
  try {
    await expect
      .poll(
        () =>
          rows("SELECT 1 FROM node WHERE name = $1 AND role = 'host' AND last_seen_at IS NOT NULL", [name]),
        {
          timeout: WINDOW_MS_MAX,
        },
      )
      .toHaveLength(1);
    await page.goto(`/vaults?${new URLSearchParams({ node: name })}`);
    const syncs = page.getByRole("region", { name: "How long do its SSDs take to sync?" });
    await expect(syncs.getByText(/every \d+ (s|min) · read from 1 series/)).toBeVisible({
      timeout: WINDOW_MS_MAX,
    });
    const load = page.getByRole("region", { name: "How loaded is it?" });
    await expect(load.getByText(/every \d+ (s|min) · read from 2 series/)).toBeVisible();
    await expect(page.getByRole("table", { name: "Drives" })).toBeVisible();
    await expect(page.getByRole("region", { name: "prod/osd.3 · kv-sync" })).toBeVisible({
      timeout: WINDOW_MS_MAX,
    });
    await expect(page.getByRole("region", { name: "prod/osd.3 · db" })).toBeVisible();
    await expectLoaded(page);
    await expectNoAxeViolations(page);
    await screenshot(page, "host");
    await page
      .getByRole("table", { name: "Drives" })
      .getByRole("row")
      .nth(1)
      .getByRole("link")
      .first()
      .click();
    const drive = page.getByRole("region", { name: "Drive", exact: true });
    await expect(drive).toContainText(/Firmware\s*E2MU200/);
    await expect(drive).toContainText(/SMART health\s*healthy/);
    await expect(drive).toContainText(/Wear\s*12 % of its rated endurance/);
    // Opens the plan again until the first windows count, because it queries only once.
    await expect(async () => {
      await page.goto(`/planner?${new URLSearchParams({ vault, span: "1h" })}`);
      await page.locator("summary", { hasText: /^Drive$/ }).click();
      await expect(page.getByTitle(/of SSDs of watched machines/)).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: WINDOW_MS_MAX });
  } finally {
    await agent.stop();
    await store.close();
  }
});
