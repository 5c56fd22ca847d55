import { expect, expectNoAxeViolations, submitSignIn, test, turnOnTwoFactor } from "../support/test.ts";

test("an admin turns off the second factor of a user who lost it, and the password alone then signs in", async ({
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  // The open page may poll the number of alerts just after its session ended.
  guard.expectError(/status of 401.*\/api\/trpc\//);
  const { page: lost, user } = await signedInAs("operator");
  await turnOnTwoFactor(lost, user.password);
  const page = await visitor();
  await page.goto("/sign-in");
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible();

  const { page: admin, user: adminUser } = await signedInAs("admin");
  await admin.goto(`/admin/users?q=${encodeURIComponent(user.email)}`);
  await admin.getByRole("button", { name: `Actions for ${user.name}` }).click();
  await admin.getByRole("menuitem", { name: "Turn off two-factor sign-in" }).click();
  const dialog = admin.getByRole("dialog", { name: `Turn off the two-factor sign-in of ${user.name}?` });
  await expect(dialog).toContainText(
    "then signs in with the password alone. Open sessions that end at once: 1.",
  );
  await expectNoAxeViolations(admin);
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(admin.getByText(`Two-factor sign-in of ${user.name} is off`)).toBeVisible();
  await admin.getByRole("button", { name: `Actions for ${user.name}` }).click();
  await expect(admin.getByRole("menuitem", { name: "Change role" })).toBeVisible();
  await expect(admin.getByRole("menuitem", { name: "Turn off two-factor sign-in" })).toHaveCount(0);

  await lost.goto("/health");
  await expect(lost).toHaveURL("/sign-in?next=%2Fhealth");
  await page.goto("/sign-in");
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(await rows("SELECT two_factor_enabled FROM user_account WHERE id = $1", [user.id])).toEqual([
    { two_factor_enabled: false },
  ]);
  expect(await rows("SELECT id FROM two_factor WHERE user_id = $1", [user.id])).toEqual([]);

  await admin.goto(`/admin/audit?action=user.totp_reset&q=${encodeURIComponent(user.email)}`);
  const events = admin.getByRole("table", { name: "Audit log" }).getByRole("row").filter({
    hasText: user.email,
  });
  await expect(events).toHaveCount(1);
  await expect(events).toContainText(adminUser.name);
  expect(
    await rows("SELECT actor_id FROM audit_event WHERE target_id = $1 AND action = 'user.totp_reset'", [
      user.id,
    ]),
  ).toEqual([{ actor_id: adminUser.id }]);
});
