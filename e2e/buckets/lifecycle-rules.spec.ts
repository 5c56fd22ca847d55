import type { Page } from "@playwright/test";
import { S3Client } from "@stashlight/s3/client";
import { post } from "../support/post.ts";
import { screenshot } from "../support/screenshot.ts";
import {
  expect,
  expectLoaded,
  expectNoAxeViolations,
  type SeededInstallation,
  test,
} from "../support/test.ts";
import { startEnrolledVault } from "../support/vault-agents.ts";

/** Interval of the passes; the first one begins after a quarter of it. */
const LIFECYCLE_EVERY_MS = 8_000;
const ANSWERED_MS_MAX = 30_000;
const DELETED_MS_MAX = 120_000;
/** Time after which a page that has loaded is loaded again. */
const RELOAD_AFTER_MS = 3_000;
const LONG_NAME = `archive-${"x".repeat(55)}`;
const KEYS = ["logs/a", "logs/b", "data/a"];

async function openClient(page: Page, { url }: SeededInstallation, vault: string, endpoint: string) {
  const terms = { vault, owner: "ada", name: "Ada's backups", permission: "write", buckets: null };
  const issued = await post<{ accessKeyId: string; secretAccessKey: string }>(
    page.request,
    url,
    "accessKey.create",
    terms,
  );
  const accessKey = { id: issued.accessKeyId, secret: issued.secretAccessKey };
  return new S3Client({ endpoint, region: "us-east-1", accessKey });
}

async function fillRule(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add rule" }).click();
  const form = page.getByRole("dialog", { name: "New lifecycle rule" });
  await form.getByRole("textbox", { name: "Name" }).fill("old logs");
  await form.getByRole("button", { name: "Preview" }).click();
  await expect(form.getByText("Enter a whole number of days, at least 1.")).toBeVisible();
  await form.getByRole("textbox", { name: "Keys that begin with" }).fill("logs/");
  await form.getByRole("combobox", { name: "Delete objects" }).click();
  await page.getByRole("option", { name: "from a date on" }).click();
  await form.getByLabel("Day, in UTC").fill("2020-01-01");
  await expectNoAxeViolations(page);
  await screenshot(page, "bucket-rule");
  await form.getByRole("button", { name: "Preview" }).click();
}

test("an operator previews a lifecycle rule, saves it, and sees what a real vault deletes because of it", async ({
  stashlight,
  signedInAs,
  rows,
}) => {
  test.setTimeout(300_000);
  const { page: adminPage } = await signedInAs("admin");
  const { page } = await signedInAs("operator");
  const { vault, agents } = await startEnrolledVault(adminPage, stashlight, {
    lifecycleEveryMs: LIFECYCLE_EVERY_MS,
  });
  const client = await openClient(adminPage, stashlight, vault, agents.s3Url);
  try {
    await expect(() => client.createBucket("photos")).toPass({ timeout: ANSWERED_MS_MAX });
    await client.createBucket(LONG_NAME);
    for (const key of KEYS) await client.putObject({ bucket: "photos", key, body: Buffer.from("four") });

    await page.goto(`/buckets?vault=${vault}`);
    await expect(page.getByRole("row", { name: /photos 3 12 B 0 off/ })).toBeVisible({
      timeout: ANSWERED_MS_MAX,
    });
    await expect(page.getByRole("link", { name: LONG_NAME })).toBeVisible();
    await expectLoaded(page);
    await expectNoAxeViolations(page);
    await screenshot(page, "buckets");

    await page.getByRole("link", { name: "photos" }).click();
    await expect(page.getByRole("row", { name: /stashlight-default-abort-after-7-days/ })).toBeVisible({
      timeout: ANSWERED_MS_MAX,
    });
    await fillRule(page);
    const question = page.getByRole("dialog", { name: "Save the rule old logs?" });
    await expect(question.getByText(/It would delete 2 objects now, 8 B, oldest \d{4}-/)).toBeVisible({
      timeout: ANSWERED_MS_MAX,
    });
    await expectNoAxeViolations(page);
    await screenshot(page, "bucket-rule-preview");
    await question.getByRole("textbox").fill("photos");
    await question.getByRole("button", { name: "Save rule" }).click();
    await expect(page.getByRole("row", { name: /old logs keys that begin with “logs\/”/ })).toBeVisible({
      timeout: ANSWERED_MS_MAX,
    });
    const saved = await rows<{ actor: string }>(
      "SELECT target_name AS actor FROM audit_event WHERE action = 'bucket.lifecycle_save_requested'",
      [],
    );
    expect(saved).toEqual([{ actor: `${vault}/photos` }]);

    const deleted = page.getByRole("region", { name: "Deleted by rules" });
    await expect(async () => {
      await page.reload();
      await expectLoaded(page);
      const row = deleted.getByRole("row", { name: /old logs objects 2 8 B/ });
      await expect(row).toBeVisible({ timeout: RELOAD_AFTER_MS });
    }).toPass({ timeout: DELETED_MS_MAX });
    await expect(page.getByRole("row", { name: /old logs/ }).first()).toBeVisible({
      timeout: ANSWERED_MS_MAX,
    });
    await expectNoAxeViolations(page);
    await screenshot(page, "bucket");
    expect((await client.listPage("photos")).objects.map(({ key }) => key)).toEqual(["data/a"]);
  } finally {
    client.close();
    await agents.stop();
  }
});

test("a viewer cannot change rules, and a vault without a reachable coordinator is named", async ({
  signedInAs,
  measuredVault,
}) => {
  test.setTimeout(120_000);
  const { page } = await signedInAs("viewer");
  const { name } = await measuredVault();
  await page.goto(`/buckets?vault=${name}&bucket=photos`);
  await expect(page.getByText(`No coordinator of ${name} answers`)).toBeVisible({ timeout: ANSWERED_MS_MAX });
  await expect(page.getByRole("button", { name: "Add rule" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await screenshot(page, "buckets-away");
});
