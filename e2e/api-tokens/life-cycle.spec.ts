import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const PHONE_WIDTH = 390;

test("a viewer creates a token with chosen rights, sees it once, and an admin revokes it", async ({
  signedInAs,
  rows,
}) => {
  const { page, user } = await signedInAs("viewer");
  await page.goto("/settings");
  await page.getByRole("link", { name: "Manage API tokens" }).click();
  await expect(page.getByRole("heading", { name: "API tokens", level: 1 })).toBeVisible();
  await expectLoaded(page);
  await expect(page.getByRole("heading", { name: "Tokens of all users" })).toHaveCount(0);

  await page.getByRole("button", { name: "New API token" }).click();
  const form = page.getByRole("dialog", { name: "New API token" });
  await expect(form.getByRole("checkbox", { name: "Start benchmark runs" })).toHaveCount(0);
  await form.getByRole("textbox", { name: "Name" }).fill("Nightly report");
  await form.getByRole("textbox", { name: "Valid for" }).fill("7");
  await form.getByRole("checkbox", { name: "Query metrics" }).click();
  await expectNoAxeViolations(page);
  await screenshot(page, "api-token-dialog");
  await form.getByRole("button", { name: "Create token" }).click();
  const issued = page.getByRole("dialog", { name: "Your API token" });
  const token = (await issued.getByRole("code").textContent()) ?? "";
  expect(token).toMatch(/^sla_[A-Za-z0-9_-]{43}$/);
  await expectNoAxeViolations(page);
  await issued.getByRole("button", { name: "I have saved it" }).click();

  const own = page.getByRole("table", { name: "Your tokens" }).getByRole("row", { name: "Nightly report" });
  await expect(own).toContainText(`…${token.slice(-4)}`);
  await expect(own).toContainText("Query metrics");
  await expect(own).toContainText("never");
  await page.reload();
  await expect(own).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await page.setViewportSize({ width: PHONE_WIDTH, height: 844 });
  await expectNoAxeViolations(page);

  const admin = await signedInAs("admin");
  await admin.page.goto("/settings/api-tokens");
  const all = admin.page.getByRole("table", { name: "Tokens of all users" });
  await expect(all.getByRole("row", { name: user.email })).toContainText("Nightly report");
  await screenshot(admin.page, "api-tokens");
  await all.getByRole("row", { name: user.email }).getByRole("button", { name: "Revoke" }).click();
  await admin.page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(all.getByRole("row", { name: user.email })).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("No API tokens")).toBeVisible();
  const logged = await rows<{ action: string; actor_role: string }>(
    "SELECT action, actor_role FROM audit_event WHERE target_name = 'Nightly report' ORDER BY sequence",
    [],
  );
  expect(logged).toEqual([
    { action: "api_token.created", actor_role: "viewer" },
    { action: "api_token.revoked", actor_role: "admin" },
  ]);
});

test("a token without a right or with too long a lifetime is refused, with the problem beside its field", async ({
  signedInAs,
  guard,
}) => {
  guard.expectError(/status of 400.*apiToken\.create/);
  const { page } = await signedInAs("operator");
  await page.goto("/settings/api-tokens");
  await page.getByRole("button", { name: "New API token" }).click();
  const form = page.getByRole("dialog", { name: "New API token" });
  await form.getByRole("textbox", { name: "Name" }).fill("CI");
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByText("Choose at least one right.")).toBeVisible();
  await expectNoAxeViolations(page);
  await form.getByRole("checkbox", { name: "Start benchmark runs" }).click();
  await form.getByRole("textbox", { name: "Valid for" }).fill("1000");
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByText("A token can be valid for at most 366 days.")).toBeVisible();
});
