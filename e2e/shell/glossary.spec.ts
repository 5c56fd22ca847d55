import { readFile } from "node:fs/promises";
import { expect, expectNoAxeViolations, test } from "../support/test.ts";

test("the glossary of the documents is a page, with a place for every term, that needs no script", async ({
  signedInAs,
}) => {
  const document = await readFile(new URL("../../docs/glossary.md", import.meta.url), "utf8");
  const terms = [...document.matchAll(/^\| (?!Term |-)(.+?) +\|/gm)].map(([, term]) => term);
  expect(terms.length).toBeGreaterThan(30);
  const { page } = await signedInAs("viewer");
  const html = await (await page.goto("/help/glossary"))?.text();
  for (const term of terms) {
    expect(html).toContain(`id="${term?.toLowerCase().replaceAll(" ", "-")}"`);
    await expect(page.getByRole("term").filter({ hasText: new RegExp(`^${term}$`) })).toBeVisible();
  }
  await expectNoAxeViolations(page);
});

test("a term on a page says what it means and leads to its place in the glossary", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/stash");
  const term = page.getByRole("link", { name: "purge lag" });
  await expect(term).toHaveAttribute("title", /from a shard being durable on the stash to its purge/);
  await term.click();
  await expect(page).toHaveURL("/help/glossary#purge-lag");
  await expect(page.locator("#purge-lag")).toBeInViewport();
});
