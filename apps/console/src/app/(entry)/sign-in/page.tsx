import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { safeNextPath } from "../../../client/sign-in.ts";
import { doors } from "../../../server/doors.ts";
import { currentPrincipal } from "../../../server/principal.ts";
import { SignInForm } from "./sign-in-form.tsx";

export const metadata: Metadata = { title: "Sign in" };

/** Messages for the identity provider's error codes; other codes get a general sentence. */
const singleSignOnErrors: Record<string, string> = {
  not_invited:
    "There is no user or open invitation with your e-mail address; ask an admin for an invitation.",
  email_unverified: "Your identity provider has not verified your e-mail address.",
  user_disabled: "Your user is disabled; ask an admin.",
  access_denied: "The identity provider refused the sign-in.",
};

export default async function SignInPage(props: {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}) {
  const { next, error } = await props.searchParams;
  const nextPath = safeNextPath(typeof next === "string" ? next : null);
  if ((await currentPrincipal()) !== null) redirect(nextPath);
  const { platform, isSetUp } = doors();
  const code = typeof error === "string" ? error : null;
  return (
    <SignInForm
      nextPath={nextPath}
      isFresh={!(await isSetUp(platform))}
      singleSignOnName={platform.options.oidc?.name ?? null}
      initialError={code === null ? null : (singleSignOnErrors[code] ?? "Single sign-on failed; try again.")}
    />
  );
}
