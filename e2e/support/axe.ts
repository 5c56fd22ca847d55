import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type Axe from "axe-core";

declare global {
  interface Window {
    /** Set once axe has been loaded into the page. */
    axe?: typeof Axe;
  }
}

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Rules that depend on colours. Themes differ only in colours, so in the second theme the other rules would find what
 * they found in the first; packages/ui/src/styles/tokens.test.ts checks that.
 */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const RULES_OF = {
  light: { type: "tag" as const, values: WCAG_22_AA },
  dark: { type: "rule" as const, values: COLOUR_RULES },
};

/** An open menu has a guard at each end. It passes the focus on when Tab reaches it, so the focus never rests there. */
const FOCUS_GUARD = "[data-base-ui-focus-guard]";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asserts that the page as it is has no violations of WCAG 2.2 AA, in the light and the dark theme. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const hasAxe = await page.evaluate(() => window.axe !== undefined);
  if (!hasAxe) await page.evaluate(axeSource);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await drawn(page);
    const lines = await violationsOf(page, {
      runOnly: RULES_OF[colorScheme],
      resultTypes: ["violations"],
      // Preloading would fetch style sheets again for a rule that is not used here.
      preload: false,
    });
    expect(lines, `accessibility of ${page.url()} in the ${colorScheme} theme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

function violationsOf(page: Page, options: Axe.RunOptions): Promise<string[]> {
  return page.evaluate(
    async ({ exclude, options }) => {
      if (window.axe === undefined) throw new Error("The page was left while axe read it.");
      // The selectors of all elements that axe reads take a fifth of its time, and only a violation needs one.
      const { axe } = window;
      const run = (selectors: boolean) => axe.run({ exclude: [exclude] }, { ...options, selectors });
      const found = (await run(false)).violations;
      const named = found.length === 0 ? [] : (await run(true)).violations;
      return (named.length === 0 ? found : named).flatMap(({ id, help, nodes }) =>
        nodes.map(
          ({ target, html, failureSummary }) =>
            `${id}: ${help}\n  ${target?.join(" ") ?? html}\n  ${failureSummary}`,
        ),
      );
    },
    { exclude: FOCUS_GUARD, options },
  );
}

/**
 * Waits until the page is drawn in the theme's colours; tests ask for reduced motion, so no transition is in progress.
 */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
