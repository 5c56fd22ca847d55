import { expect, seedUser, signIn, submitSignIn, test, turnOnTwoFactor, withRows } from "../support/test.ts";

const passwordLink = /https?:\/\/\S+\/new-password#[A-Za-z0-9_-]{43}/;
const newPassword = "harbour lentil violin crest";

test("npm start -- --recover prints a link that lets a disabled admin without password and phone in again", async ({
  install,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 403.*sign-in\/email/);
  guard.expectError(/status of 401.*sign-in\/email/);
  guard.expectError(/status of 4\d\d.*link\.describe/);
  const installation = await install();
  const admin = await seedUser(installation, "admin");
  const before = await visitor();
  await signIn(before.context(), installation.url, admin);
  await turnOnTwoFactor(before, admin.password, installation.url);
  // Closes the page, which would query a console that is restarting; its session stays.
  await before.close();
  await withRows(installation.databaseUrl, (rows) =>
    rows("UPDATE user_account SET disabled_at = now() WHERE id = $1", [admin.id]),
  );
  const page = await visitor();
  const refusal = page.getByRole("main").getByRole("alert");
  await page.goto(`${installation.url}/sign-in`);
  await submitSignIn(page, admin);
  await expect(refusal).toHaveText("This user is disabled; ask an admin.");

  const output = await installation.restart(["--recover", admin.email]);
  expect(output).toContain(`${admin.email} sets a new password with this link, once and within a day:`);
  const link = passwordLink.exec(output)?.[0] ?? "";
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(newPassword);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Users" })).toBeVisible();

  const later = await visitor();
  await later.goto(link);
  await expect(later.getByRole("main").getByRole("alert")).toContainText("was used already");
  await later.goto(`${installation.url}/sign-in`);
  await submitSignIn(later, admin);
  await expect(later.getByRole("main").getByRole("alert")).toHaveText(
    "The e-mail address or the password is wrong.",
  );
  await submitSignIn(later, { email: admin.email, password: newPassword });
  await expect(later.getByRole("heading", { name: "Overview" })).toBeVisible();

  await withRows(installation.databaseUrl, async (rows) => {
    expect(
      await rows("SELECT disabled_at, two_factor_enabled FROM user_account WHERE id = $1", [admin.id]),
    ).toEqual([{ disabled_at: null, two_factor_enabled: false }]);
    // The earlier session has ended; the sessions of the two pages are left.
    expect(await rows("SELECT id FROM session WHERE user_id = $1", [admin.id])).toHaveLength(2);
    expect(
      await rows(
        "SELECT actor_name, target_name, before, after FROM audit_event WHERE action = 'user.recovered'",
      ),
    ).toEqual([
      {
        actor_name: "npm start --recover",
        target_name: admin.email,
        before: { state: "disabled", twoFactor: true },
        after: { state: "active", twoFactor: false, sessionsEnded: 1 },
      },
    ]);
  });
});
