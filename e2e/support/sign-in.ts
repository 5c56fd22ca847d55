import type { BrowserContext } from "@playwright/test";

/** Signs a browser context in over the API, as the sign-in page does; the cookies stay in the context. */
export async function signIn(
  context: BrowserContext,
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const response = await context.request.post(`${url}/api/auth/sign-in/email`, {
    headers: { origin: url },
    data: { email, password },
  });
  if (!response.ok()) {
    throw new Error(`Signing in as ${email} gave ${response.status()}: ${await response.text()}`);
  }
}
