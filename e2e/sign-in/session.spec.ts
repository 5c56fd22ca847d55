import { expect, submitSignIn, test } from "../support/test.ts";

test("sign-in leads to the requested page, with its query", async ({ stashlight, visitor }) => {
  const user = await stashlight.seed.user("viewer");
  const page = await visitor();
  await page.goto("/jobs?from=now-7d");
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent("/jobs?from=now-7d")}`);
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Jobs", level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/jobs?from=now-7d");
});

test("sign-in never leads to another origin", async ({ stashlight, visitor }) => {
  const user = await stashlight.seed.user("viewer");
  const page = await visitor();
  await page.goto(`/sign-in?next=${encodeURIComponent("//evil.example")}`);
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page).toHaveURL("/");
});

test("a signed-in user skips the sign-in page", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/sign-in?next=/health");
  await expect(page.getByRole("heading", { name: "System health" })).toBeVisible();
  await expect(page).toHaveURL("/health");
});

test("signing out ends the session, in the database too", async ({ signedInAs, rows }) => {
  const { page, user } = await signedInAs("viewer");
  await page.goto("/");
  await page.getByRole("button", { name: `Account of ${user.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await rows("SELECT id FROM session WHERE user_id = $1", [user.id])).toEqual([]);
  const events = await rows("SELECT action FROM audit_event WHERE actor_id = $1 ORDER BY sequence", [
    user.id,
  ]);
  expect(events).toEqual([{ action: "session.signed_in" }, { action: "session.signed_out" }]);
  await page.goto("/health");
  await expect(page).toHaveURL("/sign-in?next=%2Fhealth");
});

test("a page whose session was ended in another browser leads to sign-in, and back to the same place", async ({
  stashlight,
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 401.*\/api\/trpc\//);
  const { page: lost, user } = await signedInAs("viewer");
  await lost.goto("/jobs?from=now-7d");
  await lost.getByRole("button", { name: /^Time range/ }).click();
  await lost.getByRole("button", { name: "Last 30 days", exact: true }).click();
  await expect(lost).toHaveURL("/jobs?from=now-30d&to=now");
  await expect(lost.getByRole("heading", { name: "Schedules" })).toBeVisible();

  const page = await visitor();
  await page.goto("/sign-in?next=/settings");
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Open sessions" })).toBeVisible();
  await page.getByRole("button", { name: /^End session of / }).click();
  await expect(page.getByText("Session ended")).toBeVisible();
  await expect(page.getByRole("button", { name: /^End session of / })).toHaveCount(0);
  expect(await rows("SELECT id FROM session WHERE user_id = $1", [user.id])).toHaveLength(1);

  // The page polls its runs every 15 seconds, and is then refused.
  const signIn = `/sign-in?next=${encodeURIComponent("/jobs?from=now-30d&to=now")}`;
  await expect(lost).toHaveURL(signIn, { timeout: 90_000 });
  await submitSignIn(lost, user);
  await expect(lost.getByRole("heading", { name: "Jobs", level: 1 })).toBeVisible();
  expect(new URL(lost.url()).href).toBe(`${stashlight.url}/jobs?from=now-30d&to=now`);
});

test("a new name and password are saved, and the other sessions end", async ({
  stashlight,
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 400.*account\.changePassword/);
  const { page, user } = await signedInAs("viewer");
  const other = await visitor();
  await other.goto("/sign-in");
  await submitSignIn(other, user);
  await expect(other.getByRole("heading", { name: "Overview" })).toBeVisible();
  // Signed in, but leaves the live page, which would notice the end of its session at an unknown moment.
  await other.goto("about:blank");

  await page.goto("/settings");
  await page.getByRole("textbox", { name: "Name" }).fill(`Renamed ${user.id.slice(0, 8)}`);
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByRole("button", { name: `Account of Renamed ${user.id.slice(0, 8)}` })).toBeVisible();

  const newPassword = "copper meadow thistle raft";
  await page.getByLabel("Current password", { exact: true }).fill("wrong");
  await page.getByLabel("New password", { exact: true }).fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Current password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Other sessions ended: 1.")).toBeVisible();
  expect(await rows("SELECT name FROM user_account WHERE id = $1", [user.id])).toEqual([
    { name: `Renamed ${user.id.slice(0, 8)}` },
  ]);
  await other.goto("/");
  await expect(other).toHaveURL(`${stashlight.url}/sign-in`);
  await submitSignIn(other, { email: user.email, password: newPassword });
  await expect(other.getByRole("heading", { name: "Overview" })).toBeVisible();
});
