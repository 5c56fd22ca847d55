import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

test("the glossary page has an entry for every term, and needs no script", async ({ signedInAs }) => {
  const document = await readFile(new URL("../../docs/glossary.md", import.meta.url), "utf8");
  const terms = [...document.matchAll(/^\| (?!Term |-)(.+?) +\|/gm)].map(([, term]) => term);
  expect(terms.length).toBeGreaterThan(30);
  const { page } = await signedInAs("viewer");
  const html = await (await page.goto("/help/glossary"))?.text();
  for (const term of terms) {
    expect(html).toContain(`id="${term?.toLowerCase().replaceAll(" ", "-")}"`);
    await expect(page.getByRole("term").filter({ hasText: new RegExp(`^${term}$`) })).toBeVisible();
  }
});

const openings: [how: string, open: (term: Locator) => Promise<void>][] = [
  ["a mouse that points at it", (term) => term.hover()],
  ["a press", (term) => term.click()],
  ["a finger", (term) => term.tap()],
  ["the keyboard", (term) => term.press("Enter")],
];

test.describe("a term on a page", () => {
  test.use({ hasTouch: true });
  test("shows its meaning and leads to its entry in the glossary", async ({ signedInAs }) => {
    const { page } = await signedInAs("viewer");
    await page.goto("/stash");
    for (const [how, open] of openings) {
      await test.step(`by ${how}`, async () => {
        await expectLoaded(page);
        await open(page.getByRole("button", { name: "purge lag" }));
        const tip = page.getByRole("dialog", { name: "Purge lag" });
        await expect(tip).toContainText(/from a shard being durable on the stash to its purge/);
        await tip.getByRole("link", { name: "Glossary" }).click();
        await expect(page).toHaveURL("/help/glossary#purge-lag");
        await expect(page.locator("#purge-lag")).toBeInViewport();
        await page.goBack();
        await expect(page.getByRole("heading", { name: "Stash", level: 1 })).toBeVisible();
      });
    }
  });

  test("closes its explanation with Escape, and gets the focus back", async ({ signedInAs }) => {
    const { page } = await signedInAs("viewer");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/stash");
    await expectLoaded(page);
    const term = page.getByRole("button", { name: "occupancy" });
    await term.press("Enter");
    const tip = page.getByRole("dialog", { name: "Occupancy" });
    await expect(tip.getByRole("link", { name: "Glossary" })).toBeFocused();
    await expectNoAxeViolations(page);
    await page.keyboard.press("Escape");
    await expect(tip).toHaveCount(0);
    await expect(term).toBeFocused();
  });
});
