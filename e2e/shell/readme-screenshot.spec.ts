import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Role } from "@stashlight/contracts";
import { expect, expectLoaded, signIn, test } from "../support/test.ts";

const repository = resolve(import.meta.dirname, "../..");

/** The README's picture changes only on purpose: otherwise every run would leave a changed file behind. */
const path =
  process.env.STASHLIGHT_UPDATE_SCREENSHOTS === "1"
    ? "docs/images/overview.png"
    : "test-results/screenshots/readme-overview.png";

test("the README's picture shows the overview with what this installation really did", async ({
  stashlight,
  visitor,
  rows,
}) => {
  const person = async (role: Role, name: string) => {
    const user = await stashlight.seed.user(role);
    const email = `${name.toLowerCase().replace(" ", ".")}@example.org`;
    await rows("UPDATE user_account SET name = $1, email = $2 WHERE id = $3", [name, email, user.id]);
    const page = await visitor();
    await signIn(page.context(), stashlight.url, { email, password: user.password });
    return { page, id: user.id };
  };
  const lin = await person("viewer", "Lin Chen");
  const omar = await person("operator", "Omar Reyes");
  const { page, id } = await person("admin", "Ada Byron");
  for (const [userId, role] of [
    [lin.id, "operator"],
    [omar.id, "admin"],
  ]) {
    const data = { json: { userId, role } };
    expect((await page.request.post("/api/trpc/user.changeRole", { data })).ok()).toBe(true);
  }
  const invitation = { json: { email: "grace@example.org", role: "operator" } };
  expect((await page.request.post("/api/trpc/user.invite", { data: invitation })).ok()).toBe(true);
  const [schedule] = await rows<{ id: string }>("SELECT id FROM schedule WHERE id = 'housekeeping'");
  const run = { json: { scheduleId: schedule?.id } };
  expect((await page.request.post("/api/trpc/schedule.runNow", { data: run })).ok()).toBe(true);
  await expect
    .poll(() => rows("SELECT state FROM schedule_run WHERE requested_by_id = $1", [id]), {
      timeout: 20_000,
    })
    .toEqual([{ state: "succeeded" }]);

  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await expect(page.getByText("Nothing needs you")).toBeVisible();
  await expect(page.getByRole("region", { name: "Recent changes" }).getByRole("listitem")).not.toHaveCount(0);
  await expectLoaded(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const file = resolve(repository, path);
  await mkdir(dirname(file), { recursive: true });
  const picture = await page.screenshot({ path: file, animations: "disabled" });
  expect(picture.byteLength, "a README's picture loads quickly").toBeLessThanOrEqual(300_000);
});
