import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { post } from "../support/post.ts";
import { type ProbeAgent, startProbeAgent } from "../support/probe-agent.ts";
import { screenshot } from "../support/screenshot.ts";
import {
  expect,
  expectLoaded,
  expectNoAxeViolations,
  type SeededInstallation,
  test,
} from "../support/test.ts";

/** Time for a probe, which polls every few seconds, fills its file, and measures for up to a minute. */
const RUN_MS_MAX = 300_000;

/**
 * Three machines of two providers; the third machine's drive is limited by a known token bucket.
 */
const north = { provider: "North", volumeType: "ssd-a", pricePerMonth: 20 };
const south = {
  provider: "South",
  volumeType: "gp2",
  sizeBytes: 100 * 1_073_741_824,
  pricePerMonth: 10,
  // A busy machine reaches these rates too; the burst ends after 12 s.
  modelledBucket: { burst: 120, base: 30, tokens: 1_080 },
};
const shortSweep = {
  name: "disk-sweep",
  parameters: {
    blockSizesBytes: [4_096, 65_536],
    queueDepths: [1],
    cellSeconds: 1,
    coolDownSeconds: 0,
    fileBytes: 67_108_864,
  },
};
/** Finding a limit takes at least 30 s. */
const check = {
  name: "volume-check",
  parameters: { checkSeconds: 32, queueDepths: [8], fileBytes: 67_108_864 },
};

const probes: ProbeAgent[] = [];
test.afterEach(async () => {
  await Promise.all(probes.splice(0).map((probe) => probe.stop()));
});

async function startHosts(page: Page, { url, ingestUrl }: SeededInstallation): Promise<string[]> {
  const vault = `vault-${randomUUID().slice(0, 6)}`;
  const hosts = [north, north, south].map((benchmark) => ({
    name: `host-${randomUUID().slice(0, 8)}`,
    benchmark,
  }));
  for (const { name, benchmark } of hosts) {
    const asked = { vault, role: "probe", isAutoApproved: true };
    const { token } = await post<{ token: string }>(page.request, url, "node.createToken", asked);
    const own = { name, node: name, device: "data", benchmark };
    probes.push(await startProbeAgent({ ...own, ingestUrl, enrolmentToken: token }));
  }
  return hosts.map(({ name }) => name);
}

async function createPlan(page: Page, url: string, name: string, drive: Drive, method: object) {
  const { planId } = await post<{ planId: string }>(page.request, url, "benchmarkPlan.create", {
    name,
    endpointIds: [drive.id],
    vantageNodeId: drive.nodeId,
    method,
    cron: "0 0 1 1 *",
  });
  await post(page.request, url, "benchmarkPlan.runNow", { planId });
}

interface Drive {
  readonly id: string;
  readonly nodeId: string;
}

async function planSweepOnPage(page: Page, drive: string): Promise<void> {
  await page.goto("/disks");
  const row = page.getByRole("row").filter({ hasText: drive });
  await expect(row).toContainText("modelled");
  await expect(row).toContainText("South");
  await row.getByRole("button", { name: `Measure ${drive}` }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue(`Sweep of ${drive}`);
  await expect(dialog.getByLabel(drive)).toBeChecked();
  await dialog.getByText("Advanced", { exact: true }).click();
  await dialog.getByLabel("Block sizes").fill("4 KiB; 64 KiB");
  await dialog.getByLabel("Queue depths").fill("1");
  await dialog.getByLabel("Time of each cell").fill("1");
  await dialog.getByLabel("Cool-down").fill("0");
  await dialog.getByLabel("Test file").fill("64 MiB");
  await dialog.getByLabel("Write limit per month").fill("100000");
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("at most 215 GB written");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await expect(dialog).toBeHidden();
}

async function expectDriveInPlan(page: Page, drive: string): Promise<void> {
  await page.getByRole("link", { name: "Use in a plan" }).click();
  const driveName = page.getByRole("textbox", { name: "Drive", exact: true });
  await expect(driveName).toHaveValue(new RegExp(`^${drive}, modelled \\d{4}-\\d{2}-\\d{2}$`));
  await expect(
    page.getByText(
      /^This drive bursts to [\d.]+ IOPS and then sustains [\d.]+; the plan uses the sustained rate/,
    ),
  ).toBeVisible();
  await expect(page).not.toHaveURL(/drive=/);
}

async function expectComparison(page: Page, bursting: string): Promise<void> {
  await page.goto("/disks/compare");
  const compared = page.getByRole("table", { name: "Compared cells" });
  await expect(compared.getByRole("row")).toHaveCount(1 + 8);
  await expect(compared).toContainText("2 machines");
  await expect(compared).toContainText("Too few hosts to distinguish North");
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "disks-compare");
  await page.goto("/disks/compare?method=volume-check");
  await expect(
    page.getByRole("region", { name: "Random I/O with 80 % reads of 4 KiB, queue depth 8" }).first(),
  ).toContainText(`South: ${bursting}`);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "disks-compare-check");
}

const drivesSql =
  'SELECT id, probe_node_id AS "nodeId" FROM endpoint WHERE drive_node = ANY ($1) ORDER BY array_position($1, drive_node)';

const scheduleRow = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

test("three hosts of two providers are swept and checked, the limit of one is named, and the hosts are compared", async ({
  signedInAs,
  stashlight,
  rows,
}) => {
  test.setTimeout(2 * RUN_MS_MAX + 60_000);
  const admin = await signedInAs("admin");
  const { url } = stashlight;
  const hosts = await startHosts(admin.page, stashlight);
  await expect.poll(async () => (await rows(drivesSql, [hosts])).length).toBe(3);
  const drives = await rows<Drive>(drivesSql, [hosts]);
  const [first, second, third] = drives as [Drive, Drive, Drive];
  const { page } = await signedInAs("operator");
  for (const [at, drive] of [first, second].entries()) {
    await createPlan(page, url, `Sweep of ${hosts[at]}`, drive, shortSweep);
  }

  // Plans the third sweep on the page, as an operator does.
  await planSweepOnPage(page, `${hosts[2]}/data`);

  await createPlan(page, url, `Check of ${hosts[2]}`, third, check);
  await page.goto("/benchmarks");
  const name = `Sweep of ${hosts[2]}/data`;
  const row = scheduleRow(page, name);
  await expect(row).toContainText("of at most 100 TB");
  await row.getByRole("button", { name: `Run ${name} now` }).click();
  const runsSql =
    "SELECT id, state, outcome FROM benchmark_run WHERE endpoint_id = ANY ($1) ORDER BY created_at";
  const ids = drives.map(({ id }) => id);
  const states = async () =>
    (await rows<{ state: string; outcome: string | null }>(runsSql, [ids])).map(({ state }) => state);
  await expect.poll(states, { timeout: RUN_MS_MAX }).toEqual(Array(4).fill("succeeded"));

  await page.goto(`/disks/${third.id}`);
  await expect(
    page.getByText(/IOPS for \d+\.\d s, then [\d,]+: a token bucket of [\d,]+ I\/Os/).first(),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: "How fast is it at which block size?" })).toBeVisible();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "disks-drive");

  await expectDriveInPlan(page, `${hosts[2]}/data`);
  await page.goBack();

  await page.getByRole("link", { name: /^The check of/ }).click();
  await expect(page.getByText(/Measured against modelled: .* model of an EBS gp2 of 100 GiB/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Is the rate sustained at queue depth 8?" })).toBeVisible();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "disks-run");

  await page.goto("/benchmarks");
  await row.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("Written this month")).toHaveCount(1);
  await screenshot(page, "disks-plan");
  await page.getByRole("link", { name: "Results" }).click();
  await expectLoaded(page);
  await screenshot(page, "disks-results");

  await expectComparison(page, `${hosts[2]}/data`);

  await page.goto("/disks");
  await expect(page.getByRole("row").filter({ hasText: `${hosts[0]}/data` })).toContainText(/[1-9]/);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "disks");
});

test("IOPS and MB/s are converted both ways, an invalid rate is reported, and a viewer cannot create a schedule", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/disks");
  const converter = page.getByRole("region", { name: "IOPS and MB/s" });
  await expect(converter.getByLabel("MB/s", { exact: true })).toHaveValue("12");
  await converter.getByLabel("MB/s", { exact: true }).fill("125");
  await expect(converter.getByLabel("IOPS", { exact: true })).toHaveValue("30,518");
  await converter.getByLabel("MB/s", { exact: true }).fill("fast");
  await expect(converter).toContainText("Enter a number from 0 to");
  await expect(page.getByRole("button", { name: "New schedule" })).toBeHidden();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
});
