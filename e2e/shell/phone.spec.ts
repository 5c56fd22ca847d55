import { expect, expectLoaded, expectNoAxeViolations, scrollTo, test } from "../support/test.ts";

const paths = [
  "/",
  "/planner",
  "/jobs",
  "/health",
  "/admin/users",
  "/admin/nodes",
  "/admin/audit",
  "/settings",
];

test("on a phone the actions of a row are in sight while its columns scroll beneath them", async ({
  signedInAs,
}) => {
  const { page, user } = await signedInAs("admin");
  const email = `phone-${user.id}@example.org`;
  const data = { json: { email, role: "viewer" } };
  expect((await page.request.post("/api/trpc/user.invite", { data })).ok()).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/admin/users?q=${encodeURIComponent(user.email)}`);
  const actions = page.getByRole("button", { name: "Actions for yourself" });
  const revoke = page.getByRole("button", { name: `Revoke the invitation of ${email}` });
  const lastColumn = page.getByRole("columnheader", { name: "Last seen" });
  await expect(actions).toBeInViewport({ ratio: 1 });
  await scrollTo(revoke);
  await expect(revoke).toBeInViewport({ ratio: 1 });
  await expect(lastColumn).not.toBeInViewport();
  await scrollTo(lastColumn);
  await expect(lastColumn).toBeInViewport();
  await expect(actions).toBeInViewport({ ratio: 1 });
  await actions.click();
  await expect(page.getByRole("menuitem", { name: "Issue password link" })).toBeInViewport({ ratio: 1 });
});

test("on a phone the drawer leads everywhere and no page is wider than the screen", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("admin");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open navigation" }).click();
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  await expect(drawer.getByRole("link", { name: "Audit log" })).toBeVisible();
  await expectNoAxeViolations(page);
  await drawer.getByRole("link", { name: "System health" }).click();
  await expect(page.getByRole("heading", { name: "System health", level: 1 })).toBeVisible();
  await expect(drawer).toHaveCount(0);
  for (const path of paths) {
    await page.goto(path);
    await expectLoaded(page);
    const { content, screen } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      screen: document.documentElement.clientWidth,
    }));
    expect(content, `width of ${path}`).toBeLessThanOrEqual(screen);
  }
});
