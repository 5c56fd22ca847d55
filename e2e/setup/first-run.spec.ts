import { expect, expectNoAxeViolations, test, withRows } from "../support/test.ts";

const ada = { name: "Ada Byron", email: "ada@example.org", password: "lantern orbit velvet mango" };

test("the one-time link makes the admin, signs them in and works only once", async ({
  install,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 4\d\d.*link\.describe/);
  const installation = await install();
  const page = await visitor();
  await page.goto(installation.setupUrl);
  await expect(page.getByRole("heading", { name: "Set up Stashlight" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("textbox", { name: "Name" }).fill(ada.name);
  await page.getByRole("textbox", { name: "E-mail" }).fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Create admin" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByRole("button", { name: `Account of ${ada.name}` })).toBeVisible();

  await withRows(installation.databaseUrl, async (rows) => {
    expect(await rows("SELECT name, email, role FROM user_account")).toEqual([
      { name: ada.name, email: ada.email, role: "admin" },
    ]);
    expect(await rows("SELECT action FROM audit_event ORDER BY sequence")).toEqual([
      { action: "setup.completed" },
      { action: "session.signed_in" },
    ]);
  });

  const second = await visitor();
  await second.goto(installation.setupUrl);
  await expect(second.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await expect(second.getByRole("main").getByRole("alert")).toContainText("was used already");
  await expectNoAxeViolations(second);
  await second.getByRole("link", { name: "Go to sign-in" }).click();
  await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("weak passwords and links that are mangled or an hour old make nothing", async ({
  install,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 4\d\d.*link\.describe/);
  const installation = await install();
  guard.expectError(/status of 400.*link\.completeSetup/);
  const page = await visitor();
  const password = page.getByLabel("Password", { exact: true });
  const create = page.getByRole("button", { name: "Create admin" });
  await page.goto(installation.setupUrl);
  await page.getByRole("textbox", { name: "Name" }).fill(ada.name);
  await page.getByRole("textbox", { name: "E-mail" }).fill(ada.email);

  await password.fill("short");
  await create.click();
  expect(await password.evaluate((input: HTMLInputElement) => input.validity.tooShort)).toBe(true);
  await password.fill("qwertyuiop123");
  await create.click();
  await expect(password).toHaveAccessibleDescription(/on the list of most used passwords/);
  await expect(password).toHaveAttribute("aria-invalid", "true");

  const mangled = await visitor();
  await mangled.goto(installation.setupUrl.slice(0, -3));
  await expect(mangled.getByRole("main").getByRole("alert")).toContainText(
    "The link is incomplete; copy it whole.",
  );
  const bare = await visitor();
  await bare.goto(`${installation.url}/setup`);
  await expect(bare.getByRole("main").getByRole("alert")).toContainText("The link is incomplete");

  await withRows(installation.databaseUrl, async (rows) => {
    expect(await rows("SELECT id FROM user_account")).toEqual([]);
    expect(await rows("SELECT used_at FROM one_time_link")).toEqual([{ used_at: null }]);
    await rows("UPDATE one_time_link SET expires_at = now() - interval '1 second'");
    const late = await visitor();
    await late.goto(installation.setupUrl);
    await expect(late.getByRole("main").getByRole("alert")).toContainText(
      "has expired. Start Stashlight again to get another.",
    );
    // The page that was open before must be refused too, not only the one that is opened now.
    await password.fill(ada.password);
    guard.expectError(/status of 4\d\d.*link\.completeSetup/);
    await create.click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText("has expired");
    expect(await rows("SELECT id FROM user_account")).toEqual([]);
  });
});
