import { expect, expectNoAxeViolations, test } from "../support/test.ts";

test("an action appears in the log at once, can be found by filter and action, and shows actor, target, change and hash", async ({
  signedInAs,
  stashlight,
  rows,
}) => {
  const { page, user } = await signedInAs("admin");
  const target = await stashlight.seed.user("viewer");
  const changed = await page.request.post("/api/trpc/user.changeRole", {
    data: { json: { userId: target.id, role: "operator" } },
  });
  expect(changed.ok()).toBe(true);
  const [event] = await rows<{ sequence: string; hash: string }>(
    "SELECT sequence, hash FROM audit_event WHERE target_id = $1 AND action = 'user.role_changed'",
    [target.id],
  );
  if (event === undefined) throw new Error("Changing a role wrote no audit event.");

  await page.goto("/admin/audit");
  await page.getByRole("searchbox", { name: "Filter Audit log" }).fill(target.email);
  await expect(page).toHaveURL(/[?&]q=/);
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "changed a role" }).click();
  await expect(page).toHaveURL(/action=user\.role_changed/);
  const table = page.getByRole("table", { name: "Audit log" });
  await expect(table.getByRole("row")).toHaveCount(2);
  await table.getByRole("button", { name: `Details of event #${event.sequence}` }).click();

  const dialog = page.getByRole("dialog", { name: `Event #${event.sequence}` });
  await expect(dialog).toContainText(user.name);
  await expect(dialog).toContainText(target.email);
  await expect(dialog.getByRole("region", { name: "Before" })).toContainText("viewer");
  await expect(dialog.getByRole("region", { name: "After" })).toContainText("operator");
  await expect(dialog.getByRole("button", { name: `Copy hash ${event.hash}` })).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.goto("/admin/audit?from=2020-01-01&to=2020-01-02&action=user.disabled");
  await page.getByRole("button", { name: "Show every action" }).click();
  await expect(page).toHaveURL("/admin/audit?from=2020-01-01&to=2020-01-02");
  await expect(page.getByText("No events in this time range")).toBeVisible();
});

test("the time range is in the address, Back restores the previous one, and an invalid time is refused", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("admin");
  await page.goto("/admin/audit");
  await expect(page.getByRole("button", { name: /^Details of event/ }).first()).toBeVisible();
  await page.getByRole("button", { name: "Time range: Last 24 hours" }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await expect(page).toHaveURL("/admin/audit?from=now-7d&to=now");

  await page.getByRole("button", { name: "Time range: Last 7 days" }).click();
  await page.getByRole("textbox", { name: "From", exact: true }).fill("2020-01-01");
  await page.getByRole("textbox", { name: "To", exact: true }).fill("2020-01-02");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL("/admin/audit?from=2020-01-01&to=2020-01-02");
  await expect(page.getByText("No events in this time range")).toBeVisible();

  await page.goBack();
  await expect(page).toHaveURL("/admin/audit?from=now-7d&to=now");
  await expect(page.getByRole("button", { name: "Time range: Last 7 days" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Details of event/ }).first()).toBeVisible();

  await page.getByRole("button", { name: "Time range: Last 7 days" }).click();
  await page.getByRole("textbox", { name: "From", exact: true }).fill("yesterday-ish");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText('From: "yesterday-ish" is not a time')).toBeVisible();
  await expectNoAxeViolations(page);
});
