import type { Page } from "@playwright/test";
import {
  findServer,
  type IndependentStore,
  openAzuriteStore,
  openFakeGcsStore,
  openVersityStore,
} from "@stashlight/benchmark/testing";
import { post } from "../support/post.ts";
import { expect, expectNoAxeViolations, type SeededInstallation, screenshot, test } from "../support/test.ts";

/** Time for three stores one after another, each with 120 operations, on a busy machine. */
const SLOT_MS_MAX = 300_000;

const openers = { versitygw: openVersityStore, fakeGcsServer: openFakeGcsStore, azurite: openAzuriteStore };
const programs = Object.keys(openers) as (keyof typeof openers)[];
const commands = programs.map((program) => [program, findServer(program)] as const);
let stores: IndependentStore[] = [];

test.skip(
  commands.some(([, command]) => command === null),
  "An independent server is not installed.",
);
test.beforeAll(async () => {
  stores = await Promise.all(commands.map(([program, command]) => openers[program](command ?? "")));
});
test.afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
});

/** Adds the three stores as endpoints, with a plan that has never run. */
async function addEndpoints(page: Page, { url }: SeededInstallation): Promise<void> {
  await post(page.request, url, "channel.allowNetwork", { cidr: "127.0.0.1/32" });
  const endpointIds: string[] = [];
  for (const [at, { kind, url: address, bucket, credentials }] of stores.entries()) {
    const { endpointId } = await post<{ endpointId: string }>(page.request, url, "endpoint.create", {
      name: programs[at],
      kind,
      url: address,
      region: "us-east-1",
      bucket,
      credentials,
    });
    endpointIds.push(endpointId);
  }
  await post(page.request, url, "benchmarkPlan.create", {
    name: "Another region",
    endpointIds,
    cron: "0 */6 * * *",
    isPaused: true,
    method: { name: "object-sweep", parameters: {} },
  });
}

async function createSweepPlan(page: Page): Promise<void> {
  await page.goto("/benchmarks");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name", { exact: true }).fill("Three providers");
  for (const program of programs) await dialog.getByLabel(program, { exact: true }).check();
  await dialog.getByRole("combobox", { name: "Method" }).click();
  await page.getByRole("option", { name: "Object sweep" }).click();
  await dialog.getByRole("combobox", { name: "Preset" }).click();
  await page.getByRole("option", { name: /Quick look: 1 kB to 1 MB/ }).click();
  await dialog.getByRole("button", { name: "Create schedule" }).click();
}

/** Shares the report and returns its address; the dialog stays open. */
async function shareReport(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share report" }).click();
  const share = page.getByRole("dialog", { name: "Share report" });
  await share.getByRole("button", { name: "Create link" }).click();
  const shown = share.getByText(/\/report#[A-Za-z0-9_-]{43}/);
  await expect(shown).toBeVisible();
  return /\S+\/report#[A-Za-z0-9_-]{43}/.exec((await shown.textContent()) ?? "")?.[0] ?? "";
}

async function expectSharedSweep(reader: Page): Promise<void> {
  await expect(reader.getByRole("heading", { name: "Three providers", level: 1 })).toBeVisible();
  await expect(reader.getByRole("table", { name: "Medians of runs by operation and size" })).toBeVisible();
  await expect(reader.getByText(/1,000 objects of 1 MB .* over 16 connections/)).toHaveCount(3);
  await expect(reader.getByText(/sampler \d.*, method version 1, Node\.js/)).toHaveCount(3);
  await expectNoAxeViolations(reader);
  await screenshot(reader, "benchmark-sweep-report");
}

test("an object sweep of three providers ends with medians by size, a restore time and a report", async ({
  signedInAs,
  stashlight,
  visitor,
}) => {
  test.setTimeout(SLOT_MS_MAX + 120_000);
  const { page: adminPage } = await signedInAs("admin");
  await addEndpoints(adminPage, stashlight);
  const { page } = await signedInAs("operator");
  await createSweepPlan(page);
  await page.getByRole("button", { name: "Run Three providers now" }).click();
  await page.getByRole("link", { name: "Three providers" }).click();
  const slot = page.getByRole("table", { name: "Slots" }).getByRole("row").filter({ hasText: "Manual" });
  for (const program of programs)
    await expect(slot).toContainText(`${program}: succeeded: 140 samples`, { timeout: SLOT_MS_MAX });

  await page.getByRole("link", { name: "Results" }).click();
  const table = page.getByRole("table", { name: "Medians of runs by operation and size" });
  await expect(table.getByRole("row")).toHaveCount(13);
  await expect(table.getByRole("row").filter({ hasText: "Download 1 MB" })).toContainText("n 10");
  await expect(
    page.getByText(/^Upload: .*(leads, not tested|not judged yet) \(.*: 1 of 6 slots/),
  ).toBeVisible();
  await expect(page.getByText("“Fastest” appears once there are enough undisturbed slots.")).toBeVisible();
  for (const title of ["Upload", "Download", "Delete"])
    await expect(page.getByRole("img", { name: `${title} Its figures are in the table.` })).toBeVisible();

  await page.getByRole("combobox", { name: "Connections" }).click();
  await page.getByRole("option", { name: "16", exact: true }).click();
  const objects = page.getByRole("textbox", { name: "Objects" });
  await objects.fill("many");
  await expect(page.getByText("Enter a whole number from 1 to 1,000,000,000.")).toBeVisible();
  await objects.fill("1000");
  await objects.press("Enter");
  await expect(
    page.getByText(
      /^versitygw: 1 GB \(.*\) as 1,000 objects of 1 MB .* over 16 connections, .* extrapolated\.$/,
    ),
  ).toBeVisible();
  await expectNoAxeViolations(page);
  await screenshot(page, "benchmark-sweep");

  const url = await shareReport(page);
  const reader = await visitor();
  await reader.goto(url);
  await expectSharedSweep(reader);

  await page.getByRole("dialog", { name: "Share report" }).getByRole("button", { name: "Done" }).click();
  await page.getByRole("combobox", { name: "Compare with another schedule" }).click();
  await page.getByRole("option", { name: "Another region" }).click();
  await expect(
    page.getByText("No slot has figures of two endpoints yet, so nothing is compared."),
  ).toBeVisible();
  await expect(page).toHaveURL(/[?&]with=/);
  await page.getByRole("button", { name: "Remove Another region from the comparison" }).click();
  await expect(page).not.toHaveURL(/[?&]with=/);
  await expect(page.getByText(/^Upload: .*(leads, not tested|not judged yet)/)).toBeVisible();
});
