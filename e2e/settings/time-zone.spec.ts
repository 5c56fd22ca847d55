import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

test("times are shown in the zone that the user chose, until the user returns to the browser's", async ({
  signedInAs,
  stashlight,
  guard,
}) => {
  guard.expectError(/status of 400.*account\.updateProfile/);
  const { page } = await signedInAs("operator");
  await page.goto("/settings");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  const save = page.getByRole("button", { name: "Save profile" });
  const since = page.getByRole("region", { name: "Open sessions" }).locator("time").last();
  const printed = async () => ({
    instant: (await since.getAttribute("datetime")) ?? "",
    text: ((await since.textContent()) ?? "").slice(0, 16),
  });
  const inZone = (instant: string, timeZone: string) =>
    new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone }).format(
      new Date(instant),
    );
  await zone.fill("Mars/Olympus");
  await save.click();
  await expect(page.getByText("There is no such time zone")).toBeVisible();
  await expectNoAxeViolations(page);
  await zone.fill("Asia/Kolkata");
  await save.click();
  await expect(page.getByText("Saved")).toBeVisible();
  await expect
    .poll(async () => {
      const { instant, text } = await printed();
      return text === inZone(instant, "Asia/Kolkata");
    })
    .toBe(true);

  const from = Date.now() - 3_600_000;
  await page.goto(`${stashlight.url}/jobs?from=${encodeURIComponent(new Date(from).toISOString())}&to=now`);
  await expectLoaded(page);
  await expect(
    page.getByRole("button", { name: inZone(new Date(from).toISOString(), "Asia/Kolkata") }),
  ).toBeVisible();

  await page.goto("/settings");
  await zone.fill("");
  await save.click();
  const own = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  await expect
    .poll(async () => {
      const { instant, text } = await printed();
      return text === inZone(instant, own);
    })
    .toBe(true);
});
