import { expect, expectLoaded, expectNoAxeViolations, screenshot, scrollTo, test } from "../support/test.ts";

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

test("a row's actions are visible on a phone, and no table scrolls sideways", async ({ signedInAs }) => {
  const { page, user } = await signedInAs("admin");
  const email = `phone-${user.id}@example.org`;
  const data = { json: { email, role: "viewer" } };
  expect((await page.request.post("/api/trpc/user.invite", { data })).ok()).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/admin/users?q=${encodeURIComponent(user.email)}`);
  const actions = page.getByRole("button", { name: "Actions for yourself" });
  const revoke = page.getByRole("button", { name: `Revoke the invitation of ${email}` });
  await expect(actions).toBeInViewport({ ratio: 1 });
  await scrollTo(revoke);
  await expect(revoke).toBeInViewport({ ratio: 1 });
  await actions.click();
  await expect(page.getByRole("menuitem", { name: "Issue password link" })).toBeInViewport({ ratio: 1 });
});

test("on a phone the drawer opens a page, and no page or table is wider than the screen", async ({
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
    const { content, screen, scrolling } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      screen: document.documentElement.clientWidth,
      scrolling: [...document.querySelectorAll("[data-rows=lines]")]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((table) => table.querySelector("caption")?.textContent),
    }));
    expect(content, `width of ${path}`).toBeLessThanOrEqual(screen);
    expect(scrolling, `tables of ${path} that scroll sideways`).toEqual([]);
  }
});

test("every row shows its name and state on a phone without scrolling sideways", async ({
  signedInAs,
  measuredVault,
  rows: query,
}) => {
  const { page } = await signedInAs("admin");
  const vault = await measuredVault();
  // The state of this incident is a time, which is the widest state.
  await query(`
    INSERT INTO alert_incident (id, rule_name, severity, vault, opened_at, ended_at, groups, worst_group, worst, summary)
    VALUES (gen_random_uuid(), 'Vault full', 'critical', '${vault.name}', now() - interval '2 hours',
      now() - interval '1 hour', '{"[]"}', '[]', '96 %', 'Vault full.')`);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/jobs", "/alerts", "/admin/users", "/admin/nodes", `/vaults?vault=${vault.name}`]) {
    await page.goto(path);
    await expectLoaded(page);
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll("tbody tr:has(> [data-cell=state])")].map((row) => {
        const cellBox = (part: string) => {
          const box = row.querySelector(`[data-cell=${part}]`)?.getBoundingClientRect();
          return { left: box?.left ?? -1, right: box?.right ?? 0, top: box?.top ?? 0 };
        };
        const state = row.querySelector("[data-cell=state]");
        const isCut = state !== null && state.scrollWidth > state.clientWidth;
        return { name: cellBox("name"), state: cellBox("state"), isCut };
      }),
    );
    expect(rows.length, `rows of ${path}`).toBeGreaterThan(0);
    for (const { name, state, isCut } of rows) {
      expect(isCut, `${path}: a state is cut`).toBe(false);
      expect(name.left, path).toBeGreaterThanOrEqual(0);
      expect(state.right, path).toBeLessThanOrEqual(390);
      expect(state.left, path).toBeGreaterThanOrEqual(name.right);
      expect(Math.abs(state.top - name.top), `${path}: one line`).toBeLessThan(20);
    }
    await screenshot(page, `phone${path.replaceAll(/\W+/g, "-")}`);
  }
});
