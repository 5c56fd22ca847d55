import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/test.ts";

interface Exported {
  sequence: number;
  action: string;
  actorName: string;
  hash: string;
}

async function download(page: Page, link: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: link }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

test("CSV and JSON contain exactly the filtered events of the database", async ({ signedInAs, rows }) => {
  const { page, user } = await signedInAs("admin");
  // A range that ends in the future includes events of the current minute.
  await page.goto(`/admin/audit?from=2020-01-01&to=2100-01-01&q=${encodeURIComponent(user.name)}`);
  await expect(page.getByRole("button", { name: /^Details of event/ }).first()).toBeVisible();
  const stored = () =>
    rows<Record<keyof Exported, string>>(
      `SELECT sequence, action, actor_name AS "actorName", hash
       FROM audit_event WHERE actor_id = $1 ORDER BY sequence`,
      [user.id],
    );

  const json = await download(page, "Export JSON");
  expect(json.name).toMatch(/^stashlight-audit-\d{4}-\d{2}-\d{2}\.json$/);
  const events = JSON.parse(json.text) as Exported[];
  const pick = ({ sequence, action, actorName, hash }: Exported) => ({ sequence, action, actorName, hash });
  expect(events.map(pick)).toEqual(
    (await stored()).map((row) => ({ ...row, sequence: Number(row.sequence) })),
  );
  expect(events.map(({ action }) => action)).toEqual(["session.signed_in", "audit.exported"]);

  const csv = await download(page, "Export CSV");
  expect(csv.name).toMatch(/\.csv$/);
  const [header, ...lines] = csv.text.trim().split(/\r?\n/);
  expect(header).toMatch(/^sequence,occurred_at,actor_id,actor_name,/);
  expect(lines.map((line) => line.slice(-64))).toEqual((await stored()).map(({ hash }) => hash));
});

test("only an admin can export the log", async ({ signedInAs, visitor }) => {
  const query = `format=json&fromMs=0&toMs=${Date.now()}`;
  const { page: operator } = await signedInAs("operator");
  expect((await operator.request.get(`/api/audit/export?${query}`)).status()).toBe(403);
  const nobody = await visitor();
  expect((await nobody.request.get(`/api/audit/export?${query}`)).status()).toBe(401);
});
