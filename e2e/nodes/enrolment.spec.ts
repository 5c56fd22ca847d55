import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { startPodAgent } from "../support/agent.ts";
import { expect, expectNoAxeViolations, test } from "../support/test.ts";

const TOKEN = /sle_[A-Za-z0-9_-]{43}/;

async function makeToken(page: Page, vault: string, options: { role?: string; autoApproved?: boolean } = {}) {
  await page.getByRole("button", { name: "Enrol nodes" }).first().click();
  const form = page.getByRole("dialog", { name: "Enrol nodes" });
  await form.getByRole("textbox", { name: "Vault" }).fill(vault);
  if (options.autoApproved) await form.getByRole("checkbox", { name: "Approve at once" }).check();
  await form.getByRole("button", { name: "Create token" }).click();
  const progress = page.getByRole("dialog", { name: "Enrol a pod node" });
  const command = (await progress.getByRole("code").first().textContent()) ?? "";
  return { progress, command, token: TOKEN.exec(command)?.[0] ?? "" };
}

async function enrol(ingestUrl: string, token: string, name: string): Promise<Response> {
  const body = JSON.stringify({ token, name, role: "pod", agentVersion: "1.2.3" });
  return fetch(`${ingestUrl}/v1/enrol`, { method: "POST", body });
}

/** Asks for approval, as an agent does from its start until it is approved. */
const beat = (ingestUrl: string, key: string): Promise<Response> =>
  fetch(`${ingestUrl}/v1/node`, {
    headers: { authorization: `Bearer ${key}`, "x-stashlight-sent-ms": String(Date.now() + 5000) },
  });

test("a machine enrols while the admin watches, is approved, gets another key and is revoked", async ({
  stashlight,
  signedInAs,
  rows,
}) => {
  const { page } = await signedInAs("admin");
  const name = `pod-${randomUUID().slice(0, 8)}`;
  await page.goto("/admin/nodes");
  const { progress, command, token } = await makeToken(page, "main");
  await expect(progress.getByText(`"ingest": "${stashlight.ingestUrl}"`)).toBeVisible();
  expect(command).toContain("node tools/bootstrap.mjs agents/node/src/main.ts");
  await expect(progress.getByText("Waiting for the first heartbeat")).toBeVisible();
  await expectNoAxeViolations(page);

  const enrolled = await enrol(stashlight.ingestUrl, token, name);
  const { key } = (await enrolled.json()) as { key: string };
  await expect(progress.getByText(name)).toBeVisible();
  await expect(progress.getByText("Waits for approval")).toBeVisible();
  await progress.getByRole("button", { name: "Approve" }).click();
  await expect(progress.getByText("Waits for its first heartbeat")).toBeVisible();
  expect((await beat(stashlight.ingestUrl, key)).status).toBe(200);
  await expect(progress.getByText("Reporting")).toBeVisible();
  await progress.getByRole("button", { name: "Done" }).click();

  await page.goto(`/admin/nodes?q=${name}`);
  const row = page.getByRole("row", { name });
  await expect(row.getByText("Reporting")).toBeVisible();
  await expect(row.getByText("1.2.3")).toBeVisible();
  await expect(row.getByText(/^\+[45]\.\d s$/)).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Rotate key" }).click();
  const rotate = page.getByRole("dialog", { name: `Rotate the key of ${name}` });
  await rotate.getByRole("button", { name: "Create key" }).click();
  const another = (await rotate.getByRole("code").textContent()) ?? "";
  expect(another).not.toBe(key);
  expect((await beat(stashlight.ingestUrl, another)).status).toBe(200);
  expect((await beat(stashlight.ingestUrl, key)).status).toBe(200);
  await rotate.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Revoke node" }).click();
  const revoke = page.getByRole("dialog", { name: `Revoke ${name}?` });
  await revoke.getByRole("button", { name: "Revoke node" }).click();
  await expect(revoke.getByText(`The text does not match: type ${name} exactly.`)).toBeVisible();
  await revoke.getByRole("textbox").fill(name);
  await revoke.getByRole("button", { name: "Revoke node" }).click();
  await expect(row.getByText("Revoked")).toBeVisible();
  await expect(async () => expect((await beat(stashlight.ingestUrl, another)).status).toBe(403)).toPass();
  expect(await rows("SELECT status FROM node WHERE name = $1", [name])).toEqual([{ status: "revoked" }]);
});

test("an agent started with a token waits for approval, and then its measurements are stored", async ({
  stashlight,
  signedInAs,
  rows,
}) => {
  const { page } = await signedInAs("admin");
  await page.goto("/admin/nodes");
  const vault = `vault-${randomUUID().slice(0, 8)}`;
  const { progress, token } = await makeToken(page, vault);
  const { ingestUrl } = stashlight;
  const agent = await startPodAgent({ vault, ingestUrl, enrolmentToken: token });
  try {
    await expect(progress.getByText(agent.name)).toBeVisible({ timeout: 45_000 });
    await expect(progress.getByText("Waits for approval")).toBeVisible();
    const stored = async () => {
      const [row] = await rows<{ count: number }>(
        "SELECT count(*)::int AS count FROM metric.sample_raw WHERE node_id = (SELECT id FROM node WHERE name = $1)",
        [agent.name],
      );
      return row?.count;
    };
    expect(await stored()).toBe(0);
    await progress.getByRole("button", { name: "Approve" }).click();
    await expect(progress.getByText("Reporting")).toBeVisible({ timeout: 45_000 });
    await expect.poll(stored, { timeout: 90_000 }).toBeGreaterThan(2);
    const [node] = await rows("SELECT agent_version, vault, role FROM node WHERE name = $1", [agent.name]);
    expect(node).toEqual({ agent_version: expect.stringMatching(/^\d+\.\d+\.\d+/), vault, role: "pod" });
  } finally {
    await agent.stop();
  }
});

test("a token that was created by mistake is revoked before it is used", async ({
  stashlight,
  signedInAs,
}) => {
  const { page } = await signedInAs("admin");
  await page.goto("/admin/nodes");
  const vault = `vault-${randomUUID().slice(0, 8)}`;
  const { progress, token } = await makeToken(page, vault, { autoApproved: true });
  await progress.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("table", { name: "Enrolment tokens" }).getByRole("row", { name: vault });
  await expect(row.getByText("auto-approve")).toBeVisible();
  await row.getByRole("button", { name: `Revoke the token …${token.slice(-4)}` }).click();
  await page
    .getByRole("dialog", { name: `Revoke the token …${token.slice(-4)}?` })
    .getByRole("button", { name: "Revoke token" })
    .click();
  // Waits for the dialog to close, because rows behind an open dialog have no role.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row).toHaveCount(0);
  const refused = await enrol(stashlight.ingestUrl, token, "pod-of-nobody");
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining("was revoked") });
});

test("the form shows each problem beside its field", async ({ signedInAs, guard }) => {
  guard.expectError(/status of 400/);
  const { page } = await signedInAs("admin");
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Enrol nodes" }).first().click();
  const form = page.getByRole("dialog", { name: "Enrol nodes" });
  await form.getByRole("textbox", { name: "Number of nodes" }).fill("many");
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByText("Enter a whole number of nodes.")).toBeVisible();
});
