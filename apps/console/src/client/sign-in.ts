/** Calls of the sign-in endpoints, which return errors as sentences. */
export type SignInResult =
  | { state: "signed-in" }
  | { state: "needs-code" }
  | { state: "start-over" }
  | { state: "refused"; message: string };

/** better-auth's codes for a second step that came too late or was tried too often; only a new sign-in helps. */
const challengeOver = new Set(["INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"]);

const wrongCredentials = "The e-mail address or the password is wrong.";
const wrongCode = "The code is wrong; enter the one that your app shows now.";
const noSingleSignOn = "Single sign-on did not start; sign in with a password or contact an admin.";
const noAnswer = "Stashlight does not answer; check that it is running.";

async function post(path: string, body: object): Promise<{ status: number; data: Record<string, unknown> }> {
  try {
    const response = await fetch(`/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, data: await response.json().catch(() => ({})) };
  } catch {
    return { status: 0, data: {} };
  }
}

/** Message of the server, if it sent one. */
function failureMessage(status: number, data: Record<string, unknown>, fallback: string): string {
  if (status === 0) return noAnswer;
  return typeof data.message === "string" ? data.message : fallback;
}

function refusal(status: number, data: Record<string, unknown>, fallback: string): SignInResult {
  // Replaces better-auth's vague message for a wrong password or code.
  if (status === 401) return { state: "refused", message: fallback };
  return { state: "refused", message: failureMessage(status, data, fallback) };
}

export async function signInWithPassword(email: string, password: string): Promise<SignInResult> {
  const { status, data } = await post("/sign-in/email", { email, password });
  if (status !== 200) return refusal(status, data, wrongCredentials);
  return data.twoFactorRedirect === true ? { state: "needs-code" } : { state: "signed-in" };
}

export async function signInWithCode(code: string): Promise<SignInResult> {
  const isBackupCode = !/^\d{6}$/.test(code);
  const path = isBackupCode ? "/two-factor/verify-backup-code" : "/two-factor/verify-totp";
  const { status, data } = await post(path, { code });
  if (status === 200) return { state: "signed-in" };
  return challengeOver.has(String(data.code)) ? { state: "start-over" } : refusal(status, data, wrongCode);
}

/** Starts single sign-on, and returns the identity provider's address. */
export async function startSingleSignOn(nextPath: string): Promise<{ url: string } | { message: string }> {
  const { status, data } = await post("/sign-in/social", {
    provider: "oidc",
    callbackURL: nextPath,
    errorCallbackURL: "/sign-in",
  });
  if (typeof data.url === "string") return { url: data.url };
  return { message: failureMessage(status, data, noSingleSignOn) };
}

export async function signOut(): Promise<void> {
  await post("/sign-out", {});
}

/** Destination after sign-in: always a path of this console. */
export function safeNextPath(next: string | null | undefined): string {
  if (!next?.startsWith("/")) return "/";
  // Parses as browsers do: they drop tabs and line ends, and read a backslash as a slash, so that "/\t/host" is another
  // site.
  const here = "http://here.invalid";
  const url = new URL(next, here);
  return url.origin === here ? `${url.pathname}${url.search}` : "/";
}

/** Address of the sign-in page that returns to a path of this console. */
export const signInPath = (path: string): string =>
  path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;
