import { type BrowserContext, expect, type Page } from "@playwright/test";
import { untilHydrated } from "./hydrated.ts";

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Signs a browser context in over the API, as the sign-in page does; the context keeps the cookies. */
export async function signIn(
  context: BrowserContext,
  url: string,
  { email, password }: Credentials,
): Promise<void> {
  const response = await context.request.post(`${url}/api/auth/sign-in/email`, {
    headers: { origin: url },
    data: { email, password },
  });
  if (!response.ok()) {
    throw new Error(`Signing in as ${email} gave ${response.status()}: ${await response.text()}`);
  }
}

/** Fills in and submits the open sign-in page, without checking the result. */
export async function submitSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  // The console itself may have navigated here, which does not wait for hydration.
  await untilHydrated(page);
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
