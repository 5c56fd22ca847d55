import { expect, test } from "../support/test.ts";

const theme = (page: import("@playwright/test").Page) =>
  page.evaluate(() => ({ ...document.documentElement.dataset }));

test("the chosen theme survives a reload, and is set before the first paint", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/health");
  expect(await theme(page)).toMatchObject({ theme: "dark", themeChoice: "system" });
  await page.getByRole("radio", { name: "Light" }).check();
  expect(await theme(page)).toMatchObject({ theme: "light", themeChoice: "light" });

  // Runs before any script of the page, and records the theme when the body's first element appears.
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.body === null) return;
      observer.disconnect();
      sessionStorage.setItem("theme-at-body", document.documentElement.dataset.theme ?? "none");
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  expect(await page.evaluate(() => sessionStorage.getItem("theme-at-body"))).toBe("light");
  await expect(page.getByRole("radio", { name: "Light" })).toBeChecked();

  await page.getByRole("radio", { name: "System" }).check();
  await expect.poll(() => theme(page)).toMatchObject({ theme: "dark", themeChoice: "system" });
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => theme(page)).toMatchObject({ theme: "light" });
});

test("another theme applies at once, without a transition of colours", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "no-preference" });
  await page.goto("/health");
  const transitionCounts = await page.evaluate(async () => {
    document.querySelector<HTMLInputElement>('input[type="radio"][value="light"]')?.click();
    const counts: number[] = [];
    for (let frame = 0; frame < 5; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      counts.push(document.getAnimations().filter((each) => each instanceof CSSTransition).length);
    }
    return counts;
  });
  expect(await theme(page)).toMatchObject({ theme: "light" });
  expect(Math.max(...transitionCounts)).toBeLessThanOrEqual(4);
});
