import { openTestIdentityProvider } from "@stashlight/services/testing/identity-provider";
import {
  expect,
  expectNoAxeViolations,
  freePort,
  seedUser,
  signIn,
  submitSignIn,
  test,
  withRows,
} from "../support/test.ts";

interface Client {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const oidcEnvironment = ({ issuer, clientId, clientSecret }: Client) => ({
  STASHLIGHT_OIDC_ISSUER: issuer,
  STASHLIGHT_OIDC_CLIENT_ID: clientId,
  STASHLIGHT_OIDC_CLIENT_SECRET: clientSecret,
  STASHLIGHT_OIDC_NETWORKS: "127.0.0.1/32",
  STASHLIGHT_OIDC_NAME: "Example ID",
});

test("the provider signs an invited user in to the requested page, and a stranger is refused", async ({
  install,
  visitor,
  guard,
}) => {
  const port = await freePort();
  const provider = await openTestIdentityProvider(`http://localhost:${port}`);
  guard.allowOrigin(provider.oidc.issuer);
  try {
    const installation = await install({ port, environment: oidcEnvironment(provider.oidc) });
    const { url, databaseUrl } = installation;
    const adminUser = await seedUser(installation, "admin");
    const admin = await visitor();
    await signIn(admin.context(), url, adminUser);
    const email = "grace@example.org";
    const invited = await admin.request.post(`${url}/api/trpc/user.invite`, {
      data: { json: { email, role: "operator" } },
    });
    expect(invited.ok()).toBe(true);

    provider.person = { sub: "stranger", email: "eve@example.org", email_verified: true, name: "Eve" };
    const stranger = await visitor();
    await stranger.goto(`${url}/sign-in`);
    await stranger.getByRole("button", { name: "Sign in with Example ID" }).click();
    await expect(stranger.getByRole("main").getByRole("alert")).toHaveText(
      "There is no user or open invitation with your e-mail address; ask an admin for an invitation.",
    );
    await expectNoAxeViolations(stranger);

    provider.person = { sub: "grace", email, email_verified: true, name: "Grace Hopper" };
    const page = await visitor();
    await page.goto(`${url}/settings`);
    await page.getByRole("button", { name: "Sign in with Example ID" }).click();
    await expect(page.getByText("You sign in through your identity provider", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(`${url}/settings`);
    await expect(page.getByRole("button", { name: "Account of Grace Hopper" })).toBeVisible();

    await admin.goto(`${url}/admin/users`);
    const row = admin.getByRole("table", { name: "Users" }).getByRole("row").filter({ hasText: email });
    await expect(row).toContainText("Grace Hopper");
    await expect(row).toContainText("identity provider");
    await withRows(databaseUrl, async (rows) => {
      expect(
        await rows(
          `SELECT u.name, u.email, u.role, a.provider_id, a.account_id
           FROM user_account u JOIN sign_in_account a ON a.user_id = u.id WHERE u.email LIKE ANY ($1)`,
          [[email, "eve@%"]],
        ),
      ).toEqual([
        { name: "Grace Hopper", email, role: "operator", provider_id: "oidc", account_id: "grace" },
      ]);
      expect(
        await rows("SELECT action, after FROM audit_event WHERE target_name = $1 ORDER BY sequence", [email]),
      ).toMatchObject([
        { action: "user.invited" },
        { action: "user.joined", after: { role: "operator" } },
        { action: "session.signed_in", after: { method: "identity provider" } },
      ]);
    });
  } finally {
    await provider.close();
  }
});

test("a provider that is down is reported, and sign-in by password still works", async ({
  install,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 424.*sign-in\/social/);
  const installation = await install({
    environment: oidcEnvironment({
      issuer: `http://127.0.0.1:${await freePort()}`,
      clientId: "stashlight",
      clientSecret: "a client secret of the tests",
    }),
  });
  const user = await seedUser(installation, "viewer");
  const page = await visitor();
  await page.goto(`${installation.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "The identity provider does not answer; sign in with a password, or try again in a moment.",
  );
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});
