import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * The rules that read colours. A theme is nothing but colours, so the other rules find in the second theme what they
 * found in the first; packages/ui/src/styles/tokens.test.ts holds themes to it.
 */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const RULES_OF = {
  light: { type: "tag" as const, values: WCAG_22_AA },
  dark: { type: "rule" as const, values: COLOUR_RULES },
};

/** Does nothing, for a page that axe is in already: a megabyte and a half, twice, costs more than the rules do. */
const NO_SOURCE = "undefined";

/** Asserts that axe finds nothing against WCAG 2.2 AA on the page as it stands, in the light and the dark theme. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await settleColours(page);
    const hasAxe = await page.evaluate(() => "axe" in window);
    const axe = new AxeBuilder({ page, ...(hasAxe ? { axeSource: NO_SOURCE } : {}) })
      // There are no frames whose results a second, blank page would have to merge.
      .setLegacyMode()
      // An open menu has one at each end: whoever comes to it by Tab is led on at once, so nobody's focus rests there.
      .exclude("[data-base-ui-focus-guard]")
      .options({ runOnly: RULES_OF[colorScheme], resultTypes: ["violations"] });
    const { violations } = await axe.analyze();
    const lines = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(" ")}\n  ${failureSummary}`),
    );
    expect(lines, `accessibility of ${page.url()} in the ${colorScheme} theme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/**
 * A colour on its way from one theme to the other is neither's: waits until all are drawn and none is moving. A colour
 * that an element inherits begins to move again with each step of its parent's, and last when that has arrived.
 */
async function settleColours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const movingColours = () =>
      document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await nextFrame();
    await nextFrame();
    for (let moving = movingColours(); moving.length > 0; moving = movingColours()) {
      await Promise.allSettled(moving.map(({ finished }) => finished));
      await nextFrame();
    }
  });
}
