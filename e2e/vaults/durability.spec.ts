import type { Locator, Page } from "@playwright/test";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const section = (page: Page) => page.getByRole("region", { name: "Durability now", exact: true });
const figure = (page: Page, name: string) =>
  section(page).getByRole("row", { name: new RegExp(`^${name} `) });
/** Tolerance: the figures have two and three digits, and the probability depends on the third power of a rate. */
const ROUNDING = 0.12;

async function numberIn(place: Locator, pattern: RegExp): Promise<number> {
  const text = (await place.textContent()) ?? "";
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in: ${text}`);
  return Number(found.replaceAll(",", ""));
}

/**
 * Computes, independently of the product, the probability that m + 1 of n shards are missing before none is, starting
 * from `missing`. Solves a linear system over all states.
 */
function lossBeforeWhole(
  n: number,
  m: number,
  missing: number,
  yearlyFailures: number,
  rebuildYears: number,
): number {
  // Unknowns are x[1..m], with x[0] = 0 and x[i] = 1 above m. A failure takes one drive, or two with a share of 5 %.
  const rows = Array.from({ length: m }, (_, at) => {
    const i = at + 1;
    const single = (n - i) * yearlyFailures * 0.95;
    const double = ((n - i) * yearlyFailures * 0.05) / 2;
    const back = i / rebuildYears;
    const row = Array<number>(m + 1).fill(0);
    const put = (state: number, rate: number) => {
      if (state > m) row[m] = (row[m] ?? 0) + rate;
      else if (state > 0) row[state - 1] = (row[state - 1] ?? 0) - rate;
    };
    put(i, -(single + double + back));
    put(i + 1, single);
    put(i + 2, double);
    put(i - 1, back);
    return row;
  });
  for (let pivot = 0; pivot < m; pivot += 1) {
    for (const [at, row] of rows.entries()) {
      if (at === pivot) continue;
      const factor = (row[pivot] ?? 0) / (rows[pivot]?.[pivot] ?? 1);
      for (let column = 0; column <= m; column += 1)
        row[column] = (row[column] ?? 0) - factor * (rows[pivot]?.[column] ?? 0);
    }
  }
  const row = rows[missing - 1] ?? [];
  return (row[m] ?? 0) / (row[missing - 1] ?? 1);
}

test("a vault with two pods away shows when it is whole again and the chance of loss until then, which a second computation confirms", async ({
  signedInAs,
  measuredVault,
}) => {
  // Seeds windows of the next minutes too, so that the vault keeps reporting while the page is read.
  const { name } = await measuredVault({
    spanMs: 40 * MINUTE_MS,
    endMs: Date.now() + 12 * MINUTE_MS,
    podFill: [0.4, 0.4],
    podsAway: ["p4", "p11"],
  });
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?${new URLSearchParams({ vault: name })}`);
  await expect(section(page)).toContainText(
    /2 of 20 missing: whole again in 4 h \d+ min; chance of loss until then 1 in [\d,]+ \(1 in [\d,]+ to 1 in [\d,]+\); a third failure would make it 1 in [\d,]+; a fifth loses data\./,
  );
  await expect(section(page)).toContainText("Modelled: ");
  await expect(section(page)).toContainText("Main assumption: 5 % of failures take 2 drives at once.");
  await section(page).getByText("Figures and assumptions behind it").click();

  const gigabytes = await numberIn(figure(page, "Data on the fullest pod"), /([\d.]+) GB/);
  const rate = await numberIn(figure(page, "Rebuild rate"), /([\d.]+) MB\/s/);
  const yearly = (await numberIn(figure(page, "Failures per drive-year"), /([\d.]+) %/)) / 100;
  const seconds = 4 * 3600 + (gigabytes * 1e9) / (rate * 1e6);
  const chance = (missing: number) => lossBeforeWhole(20, 4, missing, yearly, seconds / (365 * 86_400));
  const odds = await numberIn(section(page), /chance of loss until then 1 in ([\d,]+)/);
  expect(Math.abs(odds * chance(2) - 1)).toBeLessThan(ROUNDING);
  const oddsAfterNext = await numberIn(section(page), /a third failure would make it 1 in ([\d,]+)/);
  expect(Math.abs(oddsAfterNext * chance(3) - 1)).toBeLessThan(ROUNDING);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "vault-durability");

  await page.goto(`/?scope=${name}`);
  await expect(section(page)).toContainText(`${name}: 2 of 20 missing: whole again in 4 h`);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "overview-durability");
  await section(page).getByRole("link", { name }).click();
  await expect(page).toHaveURL(new RegExp(`vault=${name}`));
});

test("a vault that no longer reports has an unknown durability, with the reason", async ({
  signedInAs,
  measuredVault,
}) => {
  const { name } = await measuredVault({ spanMs: 10 * MINUTE_MS, endMs: Date.now() - 5 * MINUTE_MS });
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?${new URLSearchParams({ vault: name })}`);
  await expect(section(page)).toContainText(
    "Durability is unknown: no coordinator reported the scheme of the vault in the last minute; all are silent, of an earlier version, or their clocks are wrong.",
  );
});
