import type { TOTP } from "otpauth";
import {
  confirmPassword,
  expect,
  expectNoAxeViolations,
  nextCode,
  readBackupCodes,
  submitSignIn,
  test,
  turnOnTwoFactor,
} from "../support/test.ts";

/** A code that the authenticator app will not show. */
const wrongCode = (totp: TOTP) => String((Number(totp.generate()) + 500_000) % 1_000_000).padStart(6, "0");

test("sign-in asks for the app's code while two-factor is on, and no longer once it is off", async ({
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 40[01].*two-factor\/verify-totp/);
  guard.expectError(/status of 4\d\d.*account\.disableTotp/);
  const { page, user } = await signedInAs("viewer");
  const { totp } = await turnOnTwoFactor(page, user.password);
  expect(await rows("SELECT two_factor_enabled FROM user_account WHERE id = $1", [user.id])).toEqual([
    { two_factor_enabled: true },
  ]);
  const [stored] = await rows<{ secret: string }>("SELECT secret FROM two_factor WHERE user_id = $1", [
    user.id,
  ]);
  expect(stored?.secret).not.toContain(totp.secret.base32);

  const other = await visitor();
  await other.goto("/sign-in?next=/health");
  await submitSignIn(other, user);
  await expect(other.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible();
  await expectNoAxeViolations(other);
  const code = other.getByRole("textbox", { name: "Code" });
  await code.fill(wrongCode(totp));
  await expect(other.getByRole("main").getByRole("alert")).not.toBeEmpty();
  await expect(code).toBeVisible();
  await code.fill(nextCode(totp));
  await expect(other.getByRole("heading", { name: "System health" })).toBeVisible();

  await page.getByRole("button", { name: "Turn off" }).click();
  await confirmPassword(page, "Turn off two-factor sign-in", "not the password");
  const dialog = page.getByRole("dialog", { name: "Turn off two-factor sign-in" });
  await expect(dialog.getByLabel("Password", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await confirmPassword(page, "Turn off two-factor sign-in", user.password);
  await expect(page.getByText("Two-factor sign-in is off")).toBeVisible();
  expect(await rows("SELECT id FROM two_factor WHERE user_id = $1", [user.id])).toEqual([]);
  const third = await visitor();
  await third.goto("/sign-in");
  await submitSignIn(third, user);
  await expect(third.getByRole("heading", { name: "Overview" })).toBeVisible();
});

test("a backup code signs in once, and renewing replaces all codes", async ({
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 40[01].*two-factor\/verify-backup-code/);
  const { page, user } = await signedInAs("viewer");
  const { backupCodes } = await turnOnTwoFactor(page, user.password);
  const [used = "", unused = ""] = backupCodes;

  const other = await visitor();
  const useBackupCode = async (code: string) => {
    // Leaves the page, which must not notice that its session has ended.
    await other.goto("about:blank");
    await other.context().clearCookies();
    await other.goto("/sign-in");
    await submitSignIn(other, user);
    await other.getByRole("button", { name: "Use a backup code" }).click();
    await other.getByRole("textbox", { name: "Backup code" }).fill(code);
    await other.getByRole("button", { name: "Confirm" }).click();
  };
  const refusal = other.getByRole("main").getByRole("alert");
  await useBackupCode(used);
  await expect(other.getByRole("heading", { name: "Overview" })).toBeVisible();
  await useBackupCode(used);
  await expect(refusal).not.toBeEmpty();

  await page.getByRole("button", { name: "Renew backup codes" }).click();
  await confirmPassword(page, "Renew backup codes", user.password);
  const renewed = await readBackupCodes(page);
  expect(renewed).toHaveLength(backupCodes.length);
  expect(renewed.filter((code) => backupCodes.includes(code))).toEqual([]);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Two-factor sign-in" })).toBeVisible();
  await expect(page.getByText(renewed[0] ?? "")).toHaveCount(0);

  await useBackupCode(unused);
  await expect(refusal).not.toBeEmpty();
  await useBackupCode(renewed[0] ?? "");
  await expect(other.getByRole("heading", { name: "Overview" })).toBeVisible();
  const events = await rows<{ action: string }>(
    "SELECT action FROM audit_event WHERE actor_id = $1 AND action LIKE 'user.%' ORDER BY sequence",
    [user.id],
  );
  expect(events.map(({ action }) => action)).toEqual(["user.totp_enabled", "user.backup_codes_renewed"]);
});
