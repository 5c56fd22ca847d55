import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { S3Client, S3ClientError } from "@stashlight/s3/client";
import { post } from "../support/post.ts";
import { screenshot } from "../support/screenshot.ts";
import { expect, expectLoaded, expectNoAxeViolations, type QueryRows, test } from "../support/test.ts";
import { startEnrolledVault } from "../support/vault-agents.ts";

/** The page promises that a change takes effect within this time. */
const EFFECT_MS_MAX = 30_000;

interface Key {
  readonly id: string;
  readonly secret: string;
}

interface Terms {
  readonly name: string;
  readonly owner: string;
  readonly permission?: string;
  readonly buckets?: string;
}

async function readIssued(page: Page): Promise<Key> {
  const dialog = page.getByRole("dialog", { name: "Secret of the access key" });
  const setup = await dialog.getByRole("figure", { name: "AWS CLI" }).getByRole("code").textContent();
  const variable = (name: string) => new RegExp(`${name}=(\\S+)`).exec(setup ?? "")?.[1] ?? "";
  const [id, secret] = [variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")];
  await expect(dialog.getByRole("button", { name: `Copy access key ID ${id}` })).toBeVisible();
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return { id, secret };
}

async function makeKey(page: Page, vault: string, terms: Terms): Promise<Key> {
  await page.getByRole("button", { name: "New access key" }).click();
  const form = page.getByRole("dialog", { name: "New access key" });
  await form.getByRole("textbox", { name: "Name" }).first().fill(terms.name);
  await form.getByRole("textbox", { name: "Owner" }).fill(terms.owner);
  await form.getByRole("combobox", { name: "Vault" }).click();
  await page.getByRole("option", { name: vault }).click();
  if (terms.permission !== undefined) {
    await form.getByRole("combobox", { name: "Permission" }).click();
    await page.getByRole("option", { name: terms.permission, exact: true }).click();
  }
  if (terms.buckets !== undefined) {
    await form.getByRole("combobox", { name: "Buckets" }).click();
    await page.getByRole("option", { name: "these buckets only" }).click();
    await form.getByRole("textbox", { name: "Bucket names" }).fill(terms.buckets);
  }
  await form.getByRole("button", { name: "Create access key" }).click();
  return await readIssued(page);
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function disableKey(page: Page, name: string): Promise<void> {
  await choose(page, name, "Disable access key");
  await page.getByRole("dialog").getByRole("button", { name: "Disable access key" }).click();
  await expect(page.getByRole("row", { name }).getByText("disabled")).toBeVisible();
}

async function deleteKey(page: Page, name: string): Promise<void> {
  await choose(page, name, "Delete access key");
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Delete access key" }).click();
  await expect(page.getByRole("row", { name })).toHaveCount(0);
}

/** Actions in the audit log without their common prefix, oldest first. */
async function accessKeyActions(rows: QueryRows): Promise<string[]> {
  const actions = await rows<{ action: string }>(
    "SELECT action FROM audit_event WHERE action LIKE 'access_key.%' ORDER BY sequence",
    [],
  );
  return actions.map(({ action }) => action.slice("access_key.".length));
}

/** S3 error code of the refusal, or "ok". */
async function requestOutcome(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "ok";
  } catch (error) {
    if (error instanceof S3ClientError) return error.code;
    throw error;
  }
}

/** Looks an object up, which proves that questions reach the coordinator and its answers return. */
async function locateByPalette(page: Page, vault: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill("photos/k");
  await page.getByRole("option", { name: "Where are the shards of photos/k?" }).click();
  const dialog = page.getByRole("dialog", { name: "Where are the shards of photos/k?" });
  await expect(dialog.getByText(/of 3 shards are durable; any 2 restore it/)).toBeVisible({
    timeout: 20_000,
  });
  await expect(dialog.getByRole("link", { name: `${vault}.pod-1` }).first()).toBeVisible();
  await expectNoAxeViolations(page);
  await screenshot(page, "object-location");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}

test("keys of two owners are created, limited, rotated and disabled, and a real vault obeys each change", async ({
  stashlight,
  signedInAs,
  rows,
}) => {
  test.setTimeout(360_000);
  const { page } = await signedInAs("admin");
  const { vault, agents } = await startEnrolledVault(page, stashlight);
  const clients: S3Client[] = [];
  const createKeyClient = (accessKey: Key) => {
    const client = new S3Client({ endpoint: agents.s3Url, region: "us-east-1", accessKey });
    clients.push(client);
    return client;
  };
  const eventually = (request: () => Promise<unknown>, outcome: string) =>
    expect.poll(() => requestOutcome(request()), { timeout: EFFECT_MS_MAX }).toBe(outcome);
  try {
    const named = async (query: string) =>
      (await rows<{ count: number }>("SELECT count(*)::int AS count FROM node WHERE name = $1", [query]))[0]
        ?.count;
    await expect.poll(() => named(`${vault}.coordinator-1`), { timeout: 45_000 }).toBe(1);
    await page.goto(`/admin/access-keys?q=${vault}`);
    await expectLoaded(page);
    await expectNoAxeViolations(page);

    const ada = createKeyClient(await makeKey(page, vault, { name: "Ada's backups", owner: "ada" }));
    await eventually(() => ada.createBucket("photos"), "ok");
    await ada.putObject({ bucket: "photos", key: "k", body: Buffer.from("mine") });
    await locateByPalette(page, vault);
    const bob = createKeyClient(await makeKey(page, vault, { name: "Bob's backups", owner: "bob" }));
    await eventually(() => bob.listBuckets(), "ok");
    expect(await bob.listBuckets()).toEqual([]);
    expect(await requestOutcome(bob.getObject({ bucket: "photos", key: "k" }))).toBe("AccessDenied");
    expect(await requestOutcome(bob.createBucket("photos"))).toBe("BucketAlreadyExists");

    const narrow = { name: "Ada's reader", owner: "ada", permission: "read only", buckets: "photos" };
    const reader = createKeyClient(await makeKey(page, vault, narrow));
    await eventually(() => reader.getObject({ bucket: "photos", key: "k" }), "ok");
    expect(await requestOutcome(reader.deleteObject({ bucket: "photos", key: "k" }))).toBe("AccessDenied");
    expect(await requestOutcome(reader.listPage("films"))).toBe("AccessDenied");
    await expectNoAxeViolations(page);

    await choose(page, "Ada's reader", "Rotate secret");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    const rotated = createKeyClient(await readIssued(page));
    await eventually(() => reader.listPage("photos"), "SignatureDoesNotMatch");
    expect(await requestOutcome(rotated.listPage("photos"))).toBe("ok");

    await disableKey(page, "Ada's backups");
    await eventually(() => ada.getObject({ bucket: "photos", key: "k" }), "AccessDenied");

    await deleteKey(page, "Bob's backups");
    await eventually(() => bob.listBuckets(), "SignatureDoesNotMatch");

    expect(await accessKeyActions(rows)).toEqual([
      ...["created", "created", "created", "secret_rotated", "disabled", "deleted"],
    ]);
  } finally {
    for (const client of clients) client.close();
    await agents.stop();
  }
});

test("an access key with an invalid owner or without a bucket is refused, and the form shows why", async ({
  stashlight,
  signedInAs,
  guard,
}) => {
  guard.expectError(/status of 400.*accessKey\.create/);
  const { page } = await signedInAs("admin");
  const vault = `vault-${randomUUID().slice(0, 8)}`;
  const terms = { vault, role: "coordinator" };
  const { token } = await post<{ token: string }>(page.request, stashlight.url, "node.createToken", terms);
  const body = JSON.stringify({ token, name: `${vault}.coordinator-1`, role: "coordinator" });
  await fetch(`${stashlight.ingestUrl}/v1/enrol`, { method: "POST", body });
  await page.goto("/admin/access-keys");
  await page.getByRole("button", { name: "New access key" }).click();
  const form = page.getByRole("dialog", { name: "New access key" });
  const make = form.getByRole("button", { name: "Create access key" });
  await form.getByRole("textbox", { name: "Name" }).first().fill("Backups");
  await form.getByRole("textbox", { name: "Owner" }).fill("Ada Byron");
  await form.getByRole("combobox", { name: "Buckets" }).click();
  await page.getByRole("option", { name: "these buckets only" }).click();
  await make.click();
  await expect(form.getByText(/An owner can have up to 63 lower-case letters/)).toBeVisible();
  await expectNoAxeViolations(page);
  await form.getByRole("textbox", { name: "Owner" }).fill("ada");
  await make.click();
  await expect(form.getByText(/Name at least one bucket/)).toBeVisible();
});
