import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { type SpecObjectStore, startObjectStore } from "../support/object-store.ts";
import { post } from "../support/post.ts";
import {
  expect,
  expectNoAxeViolations,
  type QueryRows,
  type SeededInstallation,
  test,
} from "../support/test.ts";

/** Time for a busy machine to start a worker's run and the process that measures. */
const RUN_MS_MAX = 180_000;

let store: SpecObjectStore;
test.beforeEach(async () => {
  store = await startObjectStore();
});
test.afterEach(() => store.close());

/** Lets benchmarks upload to this machine, as an admin does under Allowed networks. */
async function allowThisMachine(page: Page): Promise<void> {
  await page.goto("/admin/endpoints");
  const remove = page.getByRole("button", { name: "Remove network 127.0.0.1/32" });
  const none = page.getByText("No allowed networks");
  await expect(remove.or(none)).toBeVisible();
  if (await remove.isVisible()) return;
  await page.getByRole("textbox", { name: "Network" }).fill("127.0.0.1/32");
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(remove).toBeVisible();
}

async function addEndpoint(page: Page, name: string, secretAccessKey: string): Promise<void> {
  await page.getByRole("button", { name: "New endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await dialog.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Other S3 store" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Address", { exact: true }).fill(store.url);
  await dialog.getByLabel("Bucket").fill(store.bucket);
  await dialog.getByLabel("Access key ID").fill(store.accessKeyId);
  await dialog.getByLabel("Secret access key").fill(secretAccessKey);
  await dialog.getByRole("button", { name: "Add and test" }).click();
}

/** Creates an endpoint and a plan over the API, so that specs of plans do not repeat the clicks for endpoints. */
async function seedPlan(page: Page, { url }: SeededInstallation, name: string, parameters: object) {
  await post(page.request, url, "channel.allowNetwork", { cidr: "127.0.0.1/32" });
  const { endpointId } = await post<{ endpointId: string }>(page.request, url, "endpoint.create", {
    name: `Store of ${name}`,
    kind: "s3-compatible",
    url: store.url,
    region: "us-east-1",
    bucket: store.bucket,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
  });
  const { planId } = await post<{ planId: string }>(page.request, url, "benchmarkPlan.create", {
    name,
    endpointIds: [endpointId],
    method: { name: "small-uploads", parameters },
    cron: "0 */6 * * *",
  });
  return planId;
}

const scheduleRow = (page: Page, name: string) =>
  page.getByRole("table", { name: "Benchmark schedules" }).getByRole("row").filter({ hasText: name });
const slots = (page: Page) => page.getByRole("table", { name: "Slots" }).getByRole("row");
/** Parameters of a run that lasts until it is cancelled. */
const longRun = { repetitionCount: 10_000, sizesBytes: [4096], pauseMs: 50, pingCount: 0 };

test("an admin adds an endpoint: a wrong key is explained, the right one shows what the store supports", async ({
  signedInAs,
  rows,
  guard,
}) => {
  guard.expectError(/status of 400.*endpoint\.create/);
  const { page, user } = await signedInAs("admin");
  const name = `Store ${user.id.slice(0, 8)}`;
  await page.goto("/admin/endpoints");
  await allowThisMachine(page);
  await addEndpoint(page, name, "not the secret key");
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await expect(dialog.getByText("The secret access key must not contain spaces.")).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByLabel("Secret access key").fill("notTheSecretKey");
  await dialog.getByRole("button", { name: "Add and test" }).click();
  const test = page.getByRole("dialog", { name: `Connection test of ${name}` });
  await expect(
    test.getByText("The endpoint does not accept the signature: the secret access key is wrong"),
  ).toBeVisible({ timeout: RUN_MS_MAX });
  await test.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Not usable");
  await expect(row).toContainText("the secret access key is wrong");

  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change access key" }).click();
  const rotation = page.getByRole("dialog", { name: `Replace the access key of ${name}` });
  await rotation.getByLabel("Access key ID").fill(store.accessKeyId);
  await rotation.getByLabel("Secret access key").fill(store.secretAccessKey);
  await rotation.getByRole("button", { name: "Save and test" }).click();
  await expect(test.getByText("The endpoint can be used.")).toBeVisible({ timeout: RUN_MS_MAX });
  await expect(test.getByRole("row").filter({ hasText: "CRC32C check" })).toContainText("yes");
  await expectNoAxeViolations(page);
  await test.getByRole("button", { name: "Done" }).click();
  await expect(row).toContainText("Usable");
  expect(await store.keys()).toEqual([]);
  const [stored] = await rows<{ secret_access_key: string }>(
    "SELECT secret_access_key FROM endpoint WHERE name = $1",
    [name],
  );
  expect(stored?.secret_access_key).toMatch(/^v1\./);
});

test("an operator creates a plan, previews its runs, starts one and reads its result", async ({
  signedInAs,
  stashlight,
}) => {
  const { page: adminPage } = await signedInAs("admin");
  await seedPlan(adminPage, stashlight, "Another plan", {});
  const { page, user } = await signedInAs("operator");
  const name = `Plan ${user.id.slice(0, 8)}`;
  await page.goto("/benchmarks");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Store of Another plan").check();
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("listitem")).toHaveCount(6);
  await expect(preview).toContainText("Store of Another plan: unknown without a price list");
  await dialog.getByText("Advanced", { exact: true }).click();
  await dialog.getByLabel("Sizes", { exact: true }).fill("256 kB; a lot");
  await expect(dialog.getByText("Enter one or more values, separated by commas")).toBeVisible();
  await dialog.getByLabel("Sizes", { exact: true }).fill("4 KiB");
  await dialog.getByLabel("Repetitions").fill("20");
  await dialog.getByLabel("Pings").fill("5");
  await expect(preview).toContainText("94.2 kB uploaded");
  await dialog.getByLabel("Limit per slot").fill("0.5");
  await expect(preview).toContainText(
    "The limit of $0.50 cannot be checked for Store of Another plan, which has no price list.",
  );
  await expectNoAxeViolations(page);
  await dialog.getByLabel("Limit per slot").fill("");
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  const row = scheduleRow(page, name);
  await expect(row).toContainText("not run yet");
  await row.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByRole("heading", { name: "In progress" })).toBeVisible();
  const slot = slots(page).filter({ hasText: "Manual" });
  await expect(slot).toContainText("Store of Another plan: succeeded: 25 samples", { timeout: RUN_MS_MAX });
  await expect(page.getByRole("heading", { name: "In progress" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await slot.getByRole("link").first().click();
  await expect(page.getByRole("definition").filter({ hasText: /^beside \d+ samples/ })).toBeVisible();
  const put = page.getByRole("table", { name: "Round trips" }).getByRole("row", { name: /PUT 4 KiB/ });
  await expect(put.getByRole("cell").nth(3)).toHaveText(/^\d+\.\d$/);
  await expectNoAxeViolations(page);
  await expect.poll(() => store.keys(), { timeout: RUN_MS_MAX }).toEqual([]);
});

test("a run shows its progress with an estimate, and a cancelled run keeps what it measured", async ({
  signedInAs,
  stashlight,
}) => {
  const { page } = await signedInAs("admin");
  const planId = await seedPlan(page, stashlight, "Long plan", longRun);
  await page.goto(`/benchmarks/plans/${planId}`);
  await page.getByRole("button", { name: "Run now" }).click();
  const live = page.getByRole("region", { name: "In progress" });
  await expect(live.getByText(/Uploads · \d+ % · [1-9]\d* samples · about .* left/)).toBeVisible({
    timeout: RUN_MS_MAX,
  });
  await expect(live.getByRole("progressbar", { name: "Store of Long plan" })).toBeVisible();
  await expectNoAxeViolations(page);
  await live.getByRole("button", { name: "Cancel run" }).click();
  await page
    .getByRole("dialog", { name: "Cancel this run of Long plan?" })
    .getByRole("button", { name: "Cancel run" })
    .click();
  await expect(slots(page).filter({ hasText: "Manual" })).toContainText(/cancelled: [1-9]\d* samples/, {
    timeout: RUN_MS_MAX,
  });
  await expect(live).toHaveCount(0);
  await expect.poll(() => store.keys(), { timeout: RUN_MS_MAX }).toEqual([]);
});

test("a run whose objects could not be deleted shows where they are, and when deletion is tried again", async ({
  signedInAs,
  stashlight,
}) => {
  const { page } = await signedInAs("admin");
  const planId = await seedPlan(page, stashlight, "Cut-off plan", { ...longRun, repetitionCount: 200 });
  await page.goto(`/benchmarks/plans/${planId}`);
  await page.getByRole("button", { name: "Run now" }).click();
  const live = page.getByRole("region", { name: "In progress" });
  await expect(live.getByText(/Uploads · \d+ % · [1-9]\d* samples/)).toBeVisible({ timeout: RUN_MS_MAX });
  await store.close();
  store = await startObjectStore();
  const slot = slots(page).filter({ hasText: "Manual" });
  await expect(slot).toContainText(/Store of Cut-off plan: (failed|succeeded)/, { timeout: RUN_MS_MAX });
  await slot.getByRole("link").first().click();
  await expect(page.getByText("Objects of this run are still at Store of Cut-off plan")).toBeVisible();
  await expect(page.getByText(/The next attempt is due at /)).toBeVisible();
  await expectNoAxeViolations(page);
});

test("slots that were due while no worker was running are listed as missed", async ({
  signedInAs,
  stashlight,
  rows,
}) => {
  const { page } = await signedInAs("admin");
  const planId = await seedPlan(page, stashlight, "Missed plan", longRun);
  await wasAway(rows, planId);
  await page.goto(`/benchmarks/plans/${planId}`);
  const missed = slots(page).filter({ hasText: "Missed: no worker was running at that time." });
  await expect(missed).toHaveCount(2, { timeout: RUN_MS_MAX });
  await expect(missed.first()).toContainText(/skipped/i);
});

/**
 * Makes the plan look as if the worker had been away while two slots passed. A slot younger than two minutes is run
 * instead of missed, so in that case two earlier slots are missed.
 */
async function wasAway(rows: QueryRows, planId: string): Promise<void> {
  await rows(
    `UPDATE schedule SET planned_until = date_bin('6 hours', now() - interval '115 seconds', '2001-01-01Z')
       - interval '7 hours' WHERE id = $1`,
    [planId],
  );
}

test("a viewer sees plans but cannot change them, and an operator tests endpoints but cannot add or delete them", async ({
  signedInAs,
  stashlight,
}) => {
  const { page: adminPage } = await signedInAs("admin");
  await seedPlan(adminPage, stashlight, "Seen plan", longRun);
  const { page } = await signedInAs("viewer");
  await page.goto("/benchmarks");
  const schedule = scheduleRow(page, "Seen plan");
  await expect(schedule.getByRole("button", { name: "Run Seen plan now" })).toBeDisabled();
  await expect(schedule.getByRole("button", { name: "Pause Seen plan" })).toBeDisabled();
  await expect(
    page.getByText("You need the operator role to run, pause or change a schedule."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: /New schedule|Actions for/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/admin/endpoints");
  await expect(page.getByText("You need the operator role")).toBeVisible();

  const { page: operatorPage } = await signedInAs("operator");
  await operatorPage.goto("/admin/endpoints");
  const row = operatorPage.getByRole("row").filter({ hasText: "Store of Seen plan" });
  await row.getByRole("button", { name: "Test Store of Seen plan" }).click();
  const test = operatorPage.getByRole("dialog", { name: "Connection test of Store of Seen plan" });
  await expect(test.getByText("The endpoint can be used.")).toBeVisible({ timeout: RUN_MS_MAX });
  await test.getByRole("button", { name: "Done" }).click();
  await expect(operatorPage.getByRole("button", { name: "New endpoint" })).toHaveCount(0);
  await row.getByRole("button", { name: "Actions for Store of Seen plan" }).click();
  await expect(operatorPage.getByRole("menuitem", { name: "Delete endpoint" })).toBeDisabled();
});

test("a plan is paused and resumed, and an endpoint that it measures cannot be deleted", async ({
  signedInAs,
  stashlight,
  guard,
}) => {
  guard.expectError(/status of 409.*endpoint\.delete/);
  const { page } = await signedInAs("admin");
  await seedPlan(page, stashlight, "Paused plan", longRun);
  await page.goto("/benchmarks");
  const row = scheduleRow(page, "Paused plan");
  await row.getByRole("button", { name: "Pause Paused plan" }).click();
  await expect(row.getByText("paused", { exact: true })).toBeVisible();
  await row.getByRole("button", { name: "Resume Paused plan" }).click();
  await expect(row).toContainText(/in \d+ /);

  await page.goto("/admin/endpoints");
  await page.getByRole("button", { name: "Actions for Store of Paused plan" }).click();
  await page.getByRole("menuitem", { name: "Delete endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Store of Paused plan?" });
  await dialog.getByRole("textbox").fill("Store of Paused plan");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(dialog.getByText('is measured by "Paused plan"')).toBeVisible();

  await page.goto("/benchmarks");
  await row.getByRole("button", { name: "Actions for Paused plan" }).click();
  await page.getByRole("menuitem", { name: "Delete schedule" }).click();
  const deleting = page.getByRole("dialog", { name: "Delete Paused plan?" });
  await deleting.getByRole("textbox").fill("Paused plan");
  await deleting.getByRole("button", { name: "Delete schedule" }).click();
  await expect(row).toHaveCount(0);
});

test("a nightly backup is chosen in the form, and its run shows each stage, each machine and the stages that exceed the nightly window", async ({
  signedInAs,
  stashlight,
}) => {
  const { page } = await signedInAs("admin");
  await seedPlan(page, stashlight, "Plan beside the backup", {});
  const name = "Backup at night";
  await page.goto("/benchmarks");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Store of Plan beside the backup").check();
  await dialog.getByRole("combobox", { name: "Method" }).click();
  await page.getByRole("option", { name: "Backup", exact: true }).click();
  await dialog.getByRole("combobox", { name: "Preset" }).click();
  await page.getByRole("option", { name: /^Nightly/ }).click();
  await dialog.getByText("Advanced", { exact: true }).click();
  await expect(dialog.getByLabel("Machines", { exact: true })).toHaveValue("3");
  await expect(dialog.getByLabel("Merge into a synthetic full")).toBeChecked();
  await expect(dialog.getByLabel("Restore one machine")).toBeChecked();
  await expect(dialog.getByLabel("Protected data")).toHaveValue("1 TB");
  await dialog.getByLabel("Data set").fill("80 KiB");
  await dialog.getByLabel("Block", { exact: true }).fill("4 KiB");
  await dialog.getByLabel("Connections").fill("2");
  await dialog.getByLabel("Protected data").fill("1000 TB");
  await dialog.getByLabel("Nightly window, h").fill("1");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await scheduleRow(page, name).getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await page.getByRole("button", { name: "Run now" }).click();
  const slot = slots(page).filter({ hasText: "Manual" });
  await expect(slot).toContainText("succeeded", { timeout: RUN_MS_MAX });
  await slot.getByRole("link", { name: /Store of Plan beside the backup/ }).click();

  const stages = page.getByRole("table", { name: "Stages" });
  for (const [title, requestCount] of [
    ["Full backup", 60],
    ["Incremental 1", 3],
    ["Incremental 2", 3],
    ["Merge into a synthetic full", 9],
    ["Restore of machine 1", 20],
    ["Incremental of the others meanwhile", 2],
  ] as const) {
    const row = stages.getByRole("row").filter({ hasText: title });
    await expect(row.getByRole("cell").nth(2)).toHaveText(String(requestCount));
  }
  await expect(stages.getByRole("row").filter({ hasText: "Full backup" })).toContainText("too long");
  await expect(page.getByText("There are no costs, because the endpoint has no price list.")).toBeVisible();
  await page.getByLabel("Show each machine").check();
  await expect(stages.getByRole("rowheader", { name: "Machine 3" })).toHaveCount(5);
  await page.getByRole("combobox", { name: "Operation and size" }).click();
  await page.getByRole("option", { name: "PUT 4 KiB over 6 connections" }).click();
  await expect(page.getByText("66 samples").first()).toBeVisible();
  await page.getByRole("combobox", { name: "Stage" }).click();
  await page.getByRole("option", { name: "Incremental 2" }).click();
  await expect(page.getByText("3 samples,").first()).toBeVisible();
  await expectNoAxeViolations(page);
});

test("the schedule that measures an endpoint against itself has it under two names", async ({
  signedInAs,
  stashlight,
}) => {
  const { page } = await signedInAs("admin");
  const name = `Twice ${randomUUID().slice(0, 6)}`;
  await post(page.request, stashlight.url, "endpoint.create", {
    name,
    kind: "s3-compatible",
    url: store.url,
    region: "us-east-1",
    bucket: store.bucket,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
  });
  await page.goto("/admin/endpoints");
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Measure against itself" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await expect(dialog.getByRole("checkbox", { name, exact: true })).toBeChecked();
  await expect(dialog.getByRole("checkbox", { name: `${name} (again)` })).toBeChecked();
});
