import { expect, expectNoAxeViolations, test } from "../support/test.ts";

const paths = ["/", "/jobs", "/health", "/admin/users", "/admin/audit", "/settings"];

test("on a phone the drawer leads everywhere and no page is wider than the screen", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("admin");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open navigation" }).click();
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  await expect(drawer.getByRole("link", { name: "Audit log" })).toBeVisible();
  await expectNoAxeViolations(page);
  await drawer.getByRole("link", { name: "System health" }).click();
  await expect(page.getByRole("heading", { name: "System health", level: 1 })).toBeVisible();
  await expect(drawer).toHaveCount(0);
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const { content, screen } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      screen: document.documentElement.clientWidth,
    }));
    expect(content, `width of ${path}`).toBeLessThanOrEqual(screen);
  }
});
