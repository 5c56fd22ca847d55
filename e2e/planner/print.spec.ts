import type { Page } from "@playwright/test";
import { expect, expectLoaded, test } from "../support/test.ts";

/** A4 without its print margins, in pixels. */
const PAPER = { width: 700, height: 1000 };

/** Finds elements that the paper's edge would cut off, except text for screen readers only. */
const overflowing = (page: Page) =>
  page.evaluate(() => {
    const right = document.documentElement.clientWidth + 1;
    return [...document.querySelectorAll("main *")]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > right)
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 60)}`);
  });

const cutTables = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main [data-print=flow]")]
      .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.getAttribute("aria-label")),
  );

test("a printed plan has its answer, inputs, ranges and pictures, is not cut off, and has no controls", async ({
  signedInAs,
  measuredVault,
}) => {
  const { name } = await measuredVault();
  const { page } = await signedInAs("viewer");
  await page.goto(`/planner?vault=${name}`);
  await page.getByRole("button", { name: "Fill from the fleet" }).click();
  await page.getByRole("textbox", { name: "Notes for readers" }).fill("Offer of May");
  await expect(page.getByRole("region", { name: "How sure is it?" })).toContainText(/of 10,000 draws/);
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await expect(page.getByText(/drives in \d+ servers; (placement|load) decides/)).toBeVisible();
  await expect(page.getByRole("paragraph").filter({ hasText: "Offer of May" })).toBeVisible();
  await expect(page.getByText(`are figures of the vault ${name}`)).toBeVisible();
  await expect(page.getByRole("table", { name: "Inputs" })).toContainText("From the fleet: n ");
  await expect(page.getByRole("table", { name: "Ranges" })).toContainText("± 20 %");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("combobox")).toHaveCount(0);
  expect(await overflowing(page)).toEqual([]);
  expect(await cutTables(page)).toEqual([]);
  // Expects every picture, and few enough pages to be read.
  await expect(page.getByRole("img", { name: /figures are in the table/ })).toHaveCount(5);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeLessThanOrEqual(10);
});

test("a printed plan has no empty sections", async ({ signedInAs }) => {
  const { page } = await signedInAs("operator");
  await page.goto("/planner");
  await expectLoaded(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("inputs as entered")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Compare" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Notes" })).toHaveCount(0);
  await expect(page.getByText("Skip to content")).toBeHidden();
});
