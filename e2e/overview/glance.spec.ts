import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { insertSilentNode } from "../support/silent-node.ts";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, scrollTo, test } from "../support/test.ts";

const FOLD_PX = 900;
const figures = (page: Page) => page.getByRole("region", { name: "Write path" });
const charts = ["Are uploads fine?", "Does the stash drain?"];

/** Makes a built-in rule fire for a vault. Parameters: the group and its labels in JSON, and the rule's key. */
const insertFiring = `
  INSERT INTO alert_state (rule_id, "group", labels, status, since, evaluated_at, sample_at)
  SELECT id, $1, $2::jsonb, 'firing', now(), now(), now() FROM alert_rule WHERE built_in_key = $3`;

/** Answers one query of each batch with an error, and the others as they are. */
async function failQuery(page: Page, name: string): Promise<void> {
  await page.route(new RegExp(`trpc/[^?]*${name}`), async (route) => {
    const response = await route.fetch();
    const names = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    const answers = (await response.json()) as unknown[];
    const data = { code: "INTERNAL_SERVER_ERROR", httpStatus: 500, path: name };
    answers[names.indexOf(name)] = { error: { message: "The database failed.", code: -32_603, data } };
    await route.fulfill({ response, json: answers });
  });
}

async function requireBox(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("It is not on the page.");
  return { ...box, endX: box.x + box.width, endY: box.y + box.height };
}

test("with four vaults, problems, nine figures with trends and two charts are visible without scrolling", async ({
  rows,
  signedInAs,
  measuredVault,
}) => {
  test.setTimeout(300_000);
  const silent = `silent-${randomUUID().slice(0, 8)}`;
  const names: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    const label = `of-a-long-name-${i}`;
    names.push((await measuredVault({ spanMs: 12 * 60_000, label })).name);
  }
  const [first = ""] = names.toSorted();
  const { page } = await signedInAs("viewer");
  await page.setViewportSize({ width: 1440, height: FOLD_PX });
  await page.goto(`/?from=now-30m&to=now&scope=${names}`);
  await expectLoaded(page);
  const lines = figures(page).getByRole("img");
  await expect(lines).toHaveCount(9);
  for (const name of [
    /^Stash occupied, unpurged share of every [\d.]+ \w+: [\d.]+ to [\d.]+ %, last [\d.]+ %$/,
    /^Uploads, mean of every [\d.]+ \w+: (?:always|[\d.]+ to) [\d.]+ \/s/,
    /^Bytes stored, mean of every [\d.]+ \w+: .* MB\/s$/,
    /^Failed or refused, number of every/,
    /^Objects, number of every/,
    /^Purge lag, p99 of every/,
    /^Stash upload, p99 of every/,
    /^Direct upload, p99 of every/,
    /^Durable margin, least of every .*: always 3 shards/,
  ]) {
    await expect(figures(page).getByRole("img", { name })).toBeVisible();
  }
  // A figure names the worst vault, and gives the range of the others.
  await expect(figures(page)).toContainText(new RegExp(`(${names.join("|")}); others`));

  // Shows the first problems before the figures, and the number of the others.
  await rows(insertSilentNode, [silent, JSON.stringify({ node: silent })]);
  const firing = [JSON.stringify([first]), JSON.stringify({ vault: first })];
  for (const rule of ["purge-lag", "vault-filling", "stash-occupancy"])
    await rows(insertFiring, [...firing, rule]);
  await page.reload();
  await expectLoaded(page);
  await expect(
    page.getByRole("region", { name: "Problems" }).getByText(/^\d+ more problems?$/),
  ).toBeVisible();
  const problems = await requireBox(page.getByRole("region", { name: "Problems" }));
  const tiles = await requireBox(figures(page));
  expect(problems.endY).toBeLessThan(tiles.y);
  for (const name of charts) {
    const box = await requireBox(page.getByRole("region", { name }));
    expect(box.y, name).toBeGreaterThan(tiles.endY);
    expect(box.endY, name).toBeLessThanOrEqual(FOLD_PX);
    const map = await requireBox(page.getByRole("region", { name: `Vault ${first}` }));
    expect(map.y, "the map comes after the charts").toBeGreaterThan(box.endY);
  }
  await expect(page.getByRole("region", { name: "Does the stash drain?" })).toContainText(first);
  await expectNoAxeViolations(page);
  await screenshot(page, "overview-four-vaults");

  await rows("DELETE FROM alert_state WHERE labels->>'vault' = $1", [first]);
  await page.setViewportSize({ width: 390, height: 844 });
  const starts = await Promise.all((await lines.all()).map(async (line) => (await requireBox(line)).endX));
  expect(new Set(starts.map(Math.round)).size, "two columns").toBe(2);
});

test("the map of a single vault is visible without scrolling, with all its drives", async ({
  signedInAs,
  measuredVault,
}) => {
  const { name } = await measuredVault({ spanMs: 12 * 60_000 });
  const { page } = await signedInAs("viewer");
  await page.setViewportSize({ width: 1440, height: FOLD_PX });
  await page.goto(`/?from=now-30m&to=now&scope=${name}`);
  await expectLoaded(page);
  const map = await requireBox(page.getByRole("region", { name: `Vault ${name}` }));
  expect(map.endY).toBeLessThanOrEqual(FOLD_PX);
  await expect(page.getByRole("region", { name: `Vault ${name}` }).getByRole("listitem")).toHaveCount(26);
});

test("headroom covers the vaults in scope, and names the vault with the least", async ({
  signedInAs,
  measuredVault,
}) => {
  // The load's day ends up to five minutes ago, and its busiest minute needs ten whole minutes before the gap.
  const short = { spanMs: 30 * 60_000 };
  const vault = await measuredVault(short);
  const other = await measuredVault(short);
  const { page } = await signedInAs("viewer");
  const capacity = page.getByRole("region", { name: "Capacity" });
  await page.goto(`/?scope=${other.name}`);
  await scrollTo(capacity);
  await expect(capacity.getByRole("link", { name: "Stash headroom" })).toHaveAttribute(
    "href",
    new RegExp(`vault=${other.name}`),
  );
  await page.goto(`/?scope=${vault.name},${other.name}`);
  await expect(capacity).toContainText("Stash headroom is computed once this is in view.");
  await scrollTo(capacity);
  await expect(capacity).toContainText(
    new RegExp(`(${vault.name}|${other.name}); (${vault.name}|${other.name}) `),
  );
});

test("alerts that cannot be read are unknown, not absent", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await failQuery(page, "alert.listFiring");
  await page.goto("/");
  const problems = page.getByRole("region", { name: "Problems" });
  await expect(problems).toContainText("Firing alerts are not shown: they could not be read.");
  await expect(problems).not.toContainText("No problems");
});
