import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { toggleColumn } from "../support/column-menu.ts";
import { expect, test } from "../support/test.ts";

/** Orders text as the table does: digits by their value. */
const byText = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

/** E-mail addresses that the table shows, from top to bottom. */
async function shownEmails(page: Page): Promise<string[]> {
  const cells = await page.getByRole("table", { name: "Users" }).getByRole("cell").allInnerTexts();
  return cells.filter((text) => text.includes("@"));
}

async function download(page: Page, item: string): Promise<{ name: string; text: string }> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

test("sort, filter and columns are in the address, so a reload and a shared link show the same", async ({
  stashlight,
  signedInAs,
}) => {
  const { page } = await signedInAs("admin");
  const first = await stashlight.seed.user("operator");
  const second = await stashlight.seed.user("operator");
  const emails = [first.email, second.email];
  await page.goto("/admin/users");
  const filter = page.getByRole("searchbox", { name: "Filter Users" });
  await filter.fill("operator-");
  await expect(page).toHaveURL(/[?&]q=operator-/);
  const users = page.getByRole("table", { name: "Users" });
  const byEmail = users.getByRole("columnheader", { name: "E-mail" });
  await byEmail.getByRole("button").click();
  await expect(byEmail).toHaveAttribute("aria-sort", "ascending");
  const ascending = await shownEmails(page);
  expect(ascending).toEqual(ascending.toSorted(byText));
  expect(ascending).toEqual(expect.arrayContaining(emails));
  await byEmail.getByRole("button").click();
  await expect(byEmail).toHaveAttribute("aria-sort", "descending");
  expect(await shownEmails(page)).toEqual(ascending.toReversed());

  await toggleColumn(page, "Users", "Last seen");
  await expect(users.getByRole("columnheader", { name: "Last seen" })).toHaveCount(0);
  await expect(page).toHaveURL(/sort=-email/);
  await expect(page).toHaveURL(/hide=seen,created/);
  const shared = page.url();

  await page.reload();
  await expect(byEmail).toHaveAttribute("aria-sort", "descending");
  await expect(filter).toHaveValue("operator-");
  await expect.poll(() => shownEmails(page)).toEqual(ascending.toReversed());
  const { page: colleague } = await signedInAs("admin");
  await colleague.goto(shared);
  await expect(colleague.getByRole("searchbox", { name: "Filter Users" })).toHaveValue("operator-");
  await expect(colleague.getByRole("columnheader", { name: "Last seen" })).toHaveCount(0);
  await expect.poll(() => shownEmails(colleague)).toEqual(ascending.toReversed());
});

test("the export has the rows and columns that are shown", async ({ stashlight, signedInAs, rows }) => {
  const { page } = await signedInAs("admin");
  const user = await stashlight.seed.user("operator");
  await page.goto(`/admin/users?q=${encodeURIComponent(user.email)}&hide=created,seen`);
  await expect(page.getByText("1 of")).toBeVisible();

  const json = await download(page, "Export JSON");
  expect(json.name).toBe("users.json");
  const [row] = await rows("SELECT name, email, role FROM user_account WHERE id = $1", [user.id]);
  expect(JSON.parse(json.text)).toEqual([
    { ...row, state: "active", "two-factor": false, "sign-in": "password", sessions: 0 },
  ]);
  const csv = await download(page, "Export CSV");
  expect(csv.name).toBe("users.csv");
  const [header, line, ...more] = csv.text.trim().split("\r\n");
  expect(header?.split(",")).toHaveLength(7);
  expect(line).toContain(user.email);
  expect(more).toEqual([]);
});

test("a filter without matches shows a message, and offers to clear it", async ({ signedInAs }) => {
  const { page } = await signedInAs("admin");
  await page.goto("/admin/users?q=nobody-is-called-this");
  await expect(page.getByText("No rows match “nobody-is-called-this”.")).toBeVisible();
  await page.getByRole("cell").getByRole("button", { name: "Clear filter" }).click();
  await expect(page).toHaveURL("/admin/users");
  expect((await shownEmails(page)).length).toBeGreaterThan(0);
});
