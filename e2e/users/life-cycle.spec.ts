import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectNoAxeViolations, submitSignIn, test } from "../support/test.ts";

const openUser = (page: Page, email: string) => page.goto(`/admin/users?q=${encodeURIComponent(email)}`);

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function invite(page: Page, email: string, role: RegExp): Promise<string> {
  await page.getByRole("button", { name: "Invite user" }).click();
  const form = page.getByRole("dialog", { name: "Invite user" });
  await form.getByRole("textbox", { name: "E-mail" }).fill(email);
  await form.getByRole("radio", { name: role }).check();
  await form.getByRole("button", { name: "Create invitation link" }).click();
  const result = page.getByRole("dialog", { name: `Invitation for ${email}` });
  const url = (await result.getByRole("code").textContent()) ?? "";
  await result.getByRole("button", { name: "Done" }).click();
  await expect(result).toHaveCount(0);
  return url;
}

interface InvitedPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

async function joinByLink(page: Page, link: string, person: InvitedPerson): Promise<void> {
  await page.goto(link);
  await expect(page.getByText("invited you as operator.")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("textbox", { name: "Name" }).fill(person.name);
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
}

async function makeAdmin(page: Page, name: string): Promise<void> {
  await choose(page, name, "Change role");
  const roleDialog = page.getByRole("dialog", { name: `Change the role of ${name}` });
  await roleDialog.getByRole("radio", { name: /^admin/i }).check();
  await roleDialog.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText("Role changed")).toBeVisible();
}

async function disableUser(page: Page, name: string): Promise<void> {
  await choose(page, name, "Disable user");
  const disable = page.getByRole("dialog", { name: `Disable ${name}?` });
  await disable.getByRole("button", { name: "Disable user" }).click();
  await expect(disable.getByText(`The text does not match: type ${name} exactly.`)).toBeVisible();
  await disable.getByRole("textbox", { name: /^Type / }).fill(name);
  await disable.getByRole("button", { name: "Disable user" }).click();
  await expect(page.getByText("User disabled")).toBeVisible();
}

test("a user is invited, joins, gets another role, is signed out, disabled and enabled again", async ({
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 40[13]/);
  const { page: admin } = await signedInAs("admin");
  const label = randomUUID().slice(0, 8);
  const grace = {
    name: `Grace ${label}`,
    email: `grace-${label}@example.org`,
    password: "pebble sonar quilt ivory",
  };
  await admin.goto("/admin/users");
  const link = await invite(admin, grace.email, /^operator/i);
  const [kept] = await rows("SELECT email, role, used_at FROM one_time_link WHERE email = $1", [grace.email]);
  expect(kept).toEqual({ email: grace.email, role: "operator", used_at: null });
  await expect(admin.getByText(link)).toHaveCount(0);

  const person = await visitor();
  await joinByLink(person, link, grace);
  await expect(person.getByRole("link", { name: "Users" })).toHaveCount(0);

  await openUser(admin, grace.email);
  await makeAdmin(admin, grace.name);
  await person.goto("/admin/users");
  await expect(person.getByRole("table", { name: "Users" })).toBeVisible();

  await choose(admin, grace.name, "End sessions");
  await admin
    .getByRole("dialog", { name: `End the sessions of ${grace.name}?` })
    .getByRole("button", { name: "End sessions" })
    .click();
  await expect(admin.getByText(`1 session of ${grace.name} ended`)).toBeVisible();
  await person.goto("/health");
  await expect(person).toHaveURL("/sign-in?next=%2Fhealth");
  await submitSignIn(person, grace);
  await expect(person.getByRole("heading", { name: "System health" })).toBeVisible();

  await disableUser(admin, grace.name);
  await person.goto("/");
  await submitSignIn(person, grace);
  await expect(person.getByRole("main").getByRole("alert")).toHaveText(
    "This user is disabled; ask an admin.",
  );

  await choose(admin, grace.name, "Enable user");
  await expect(admin.getByText("User enabled")).toBeVisible();
  await submitSignIn(person, grace);
  await expect(person.getByRole("heading", { name: "Overview" })).toBeVisible();

  const [user] = await rows("SELECT role, disabled_at FROM user_account WHERE email = $1", [grace.email]);
  expect(user).toEqual({ role: "admin", disabled_at: null });
  const events = await rows<{ action: string }>(
    `SELECT action FROM audit_event WHERE target_name = $1 AND action <> 'session.signed_in' ORDER BY sequence`,
    [grace.email],
  );
  expect(events.map(({ action }) => action)).toEqual([
    "user.invited",
    "user.joined",
    "user.role_changed",
    "session.ended_all",
    "user.disabled",
    "user.enabled",
  ]);
});

test("a password link replaces a lost password once, and ends every session", async ({
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 4\d\d.*(link\.describe|sign-in\/email)/);
  const { page: admin } = await signedInAs("admin");
  const { page: lost, user } = await signedInAs("viewer");
  await openUser(admin, user.email);
  await choose(admin, user.name, "Issue password link");
  const dialog = admin.getByRole("dialog", { name: `Password link for ${user.name}` });
  await dialog.getByRole("button", { name: "Issue link" }).click();
  const link = (await dialog.getByRole("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();

  const page = await visitor();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByLabel("Password", { exact: true }).fill("walnut ferry comet stripe");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(await rows("SELECT id FROM session WHERE user_id = $1", [user.id])).toHaveLength(1);

  await lost.goto("/");
  await submitSignIn(lost, user);
  await expect(lost.getByRole("main").getByRole("alert")).toContainText("password is wrong");
  await lost.goto(link);
  await expect(lost.getByRole("main").getByRole("alert")).toContainText("was used already");
});

test("an open invitation is listed, and its link stops working once it is revoked", async ({
  signedInAs,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 4\d\d.*(link\.describe|user\.invite)/);
  const { page: admin, user } = await signedInAs("admin");
  const email = `lin-${randomUUID().slice(0, 8)}@example.org`;
  await admin.goto("/admin/users");
  const link = await invite(admin, email, /^viewer/i);
  const listed = admin
    .getByRole("table", { name: "Invitations" })
    .getByRole("row")
    .filter({ hasText: email });
  await expect(listed).toContainText(user.name);
  await listed.getByRole("button", { name: `Revoke the invitation of ${email}` }).click();
  await admin
    .getByRole("dialog", { name: `Revoke the invitation of ${email}?` })
    .getByRole("button", { name: "Revoke invitation" })
    .click();
  await expect(admin.getByText("Invitation revoked")).toBeVisible();
  await expect(listed).toHaveCount(0);
  const [kept] = await rows("SELECT revoked_at IS NOT NULL AS revoked FROM one_time_link WHERE email = $1", [
    email,
  ]);
  expect(kept).toEqual({ revoked: true });
  const page = await visitor();
  await page.goto(link);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("was replaced or revoked");

  await admin.getByRole("button", { name: "Invite user" }).click();
  const form = admin.getByRole("dialog", { name: "Invite user" });
  await form.getByRole("textbox", { name: "E-mail" }).fill("not an address");
  await form.getByRole("button", { name: "Create invitation link" }).click();
  await expect(form.getByRole("textbox", { name: "E-mail" })).toHaveAttribute("aria-invalid", "true");
  await expectNoAxeViolations(admin);
});

test("admins cannot change their own role or disable themselves: neither is offered, and the server refuses both", async ({
  signedInAs,
  rows,
}) => {
  const { page, user } = await signedInAs("admin");
  await openUser(page, user.email);
  await page.getByRole("button", { name: "Actions for yourself" }).click();
  await expect(page.getByRole("menuitem", { name: "Issue password link" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Change role" })).toHaveCount(0);
  await expect(page.getByRole("menuitem", { name: "Disable user" })).toHaveCount(0);
  for (const [procedure, input] of [
    ["user.changeRole", { userId: user.id, role: "viewer" }],
    ["user.disable", { userId: user.id }],
  ] as const) {
    const response = await page.request.post(`/api/trpc/${procedure}`, { data: { json: input } });
    expect(response.status(), procedure).toBe(409);
  }
  expect(await rows("SELECT role, disabled_at FROM user_account WHERE id = $1", [user.id])).toEqual([
    { role: "admin", disabled_at: null },
  ]);
});
