import { pages } from "../support/console-pages.ts";
import { expect, test } from "../support/test.ts";

test("an admin sees every item of the navigation at 1440 x 900 without scrolling", async ({ signedInAs }) => {
  const { page } = await signedInAs("admin");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/health");
  const navigation = page.getByRole("navigation", { name: "Main" });
  for (const { title, group } of pages) {
    if (group === null) continue;
    const link = navigation.getByRole("link", { name: title, exact: true });
    await expect(link, title).toBeInViewport({ ratio: 1 });
    // Checks the item's lower edge too, because the navigation scrolls and what follows it may cover the item.
    const isCovered = await link.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const atFoot = document.elementFromPoint(x + width / 2, y + height - 1);
      return atFoot === null || !element.contains(atFoot);
    });
    expect(isCovered, `${title} is covered`).toBe(false);
  }
});
