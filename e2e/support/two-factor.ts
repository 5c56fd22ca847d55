import { expect, type Page } from "@playwright/test";
import { type TOTP, URI } from "otpauth";

const STEP_MS = 30_000;

/** Turns on two-factor sign-in as a user does; returns the secret's generator and the backup codes. */
export async function turnOnTwoFactor(
  page: Page,
  password: string,
  url = "",
): Promise<{ totp: TOTP; backupCodes: string[] }> {
  await page.goto(`${url}/settings`);
  const section = page.getByRole("region", { name: "Two-factor sign-in" });
  await section.getByRole("button", { name: "Turn on" }).click();
  await confirmPassword(page, "Turn on two-factor sign-in", password);
  const setup = page.getByRole("dialog", { name: "Set up your authenticator app" });
  await expect(setup.getByRole("img", { name: "Set-up code for your authenticator app" })).toBeVisible();
  const secret = (await setup.getByRole("button", { name: /^Copy id / }).textContent()) ?? "";
  const totp = URI.parse(`otpauth://totp/Stashlight?secret=${secret.trim()}`) as TOTP;
  await setup.getByRole("textbox", { name: "Code" }).fill(totp.generate());
  const dialog = page.getByRole("dialog", { name: "Keep your backup codes" });
  const backupCodes = await readBackupCodes(page);
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await expect(section.getByText("On", { exact: true })).toBeVisible();
  return { totp, backupCodes };
}

export async function confirmPassword(page: Page, title: string, password: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
}

export async function readBackupCodes(page: Page): Promise<string[]> {
  const codes = page.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
  await expect(codes.first()).toBeVisible();
  return codes.allInnerTexts();
}

/** The next code of the app, which is already accepted; the current one may have been used. */
export function nextCode(totp: TOTP): string {
  return totp.generate({ timestamp: Date.now() + STEP_MS });
}
