import type { Page } from "@playwright/test";
import type { Role } from "@stashlight/contracts/user/roles";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

const roles: Role[] = ["viewer", "operator", "admin"];
const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

const pages: { path: string; title: string; link: string; role: Role }[] = [
  { path: "/", title: "Overview", link: "Overview", role: "viewer" },
  { path: "/write-path", title: "Write path", link: "Write path", role: "viewer" },
  { path: "/stash", title: "Stash", link: "Stash", role: "viewer" },
  { path: "/fsync", title: "fsync", link: "fsync", role: "viewer" },
  { path: "/vaults", title: "Vaults", link: "Vaults", role: "viewer" },
  { path: "/benchmarks", title: "Benchmarks", link: "Benchmarks", role: "viewer" },
  { path: "/disks", title: "Disks", link: "Disks", role: "viewer" },
  { path: "/planner", title: "Planner", link: "Planner", role: "viewer" },
  { path: "/planner/volumes", title: "Volume models", link: "Volume models", role: "viewer" },
  { path: "/simulator", title: "Simulator", link: "Simulator", role: "viewer" },
  { path: "/alerts", title: "Alerts", link: "Alerts", role: "viewer" },
  { path: "/system", title: "Telemetry", link: "Telemetry", role: "viewer" },
  { path: "/jobs", title: "Jobs", link: "Jobs", role: "viewer" },
  { path: "/health", title: "System health", link: "System health", role: "viewer" },
  { path: "/admin/users", title: "Users", link: "Users", role: "admin" },
  { path: "/admin/nodes", title: "Nodes", link: "Nodes", role: "admin" },
  { path: "/admin/channels", title: "Channels", link: "Channels", role: "admin" },
  { path: "/admin/endpoints", title: "Endpoints", link: "Endpoints", role: "operator" },
  { path: "/admin/access-keys", title: "Access keys", link: "Access keys", role: "admin" },
  { path: "/admin/audit", title: "Audit log", link: "Audit log", role: "admin" },
  { path: "/settings", title: "Your settings", link: "Your settings", role: "viewer" },
  { path: "/help/glossary", title: "Glossary", link: "Glossary", role: "viewer" },
];

/** For opening a page, its data and reading it as axe does, of which there are more with each feature. */
const PAGE_MS_MAX = 60_000;

const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });

for (const role of roles) {
  test(`${role}: sees what the role may see, and reads which role the rest needs`, async ({ signedInAs }) => {
    test.setTimeout(pages.length * PAGE_MS_MAX);
    const { page } = await signedInAs(role);
    const judged = new Set<string>();
    await page.goto("/health");
    for (const { path, title, link, role: needed } of pages) {
      // Whoever only just sees a page, or does not, loads it whole; a higher role follows the link to it.
      const isRefused = rank[role] < rank[needed];
      if (isRefused || role === needed) await page.goto(path);
      else await navigation(page).getByRole("link", { name: link, exact: true }).click();
      await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
      const refusal = page.getByText(`You need the ${needed} role`);
      if (isRefused) await expect(refusal).toBeVisible();
      else await expect(refusal).toHaveCount(0);
      await expectLoaded(page);
      // An admin is shown everything but the sentences about roles, each of which is the same on several pages.
      const sentences = await page.getByText(/You need the \w+ role/).allInnerTexts();
      if (role !== "admin" && sentences.every((sentence) => judged.has(sentence))) continue;
      await expectNoAxeViolations(page);
      for (const sentence of sentences) judged.add(sentence);
    }
    const shown = await navigation(page).getByRole("link").allInnerTexts();
    expect(shown).toEqual(
      pages.filter(({ role: needed }) => rank[role] >= rank[needed]).map(({ link }) => link),
    );
  });
}

test("nobody is sent to sign in from every page, with the way back", async ({ visitor }) => {
  const page = await visitor();
  for (const { path } of pages) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    const signIn = path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;
    expect(answer.headers().location).toBe(signIn);
  }
  await page.goto("/admin/audit");
  await expect(page).toHaveURL("/sign-in?next=%2Fadmin%2Faudit");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(navigation(page)).toHaveCount(0);
});

const jobRights = [
  { role: "viewer", mayRun: false, mayPause: false, sentence: "You need the operator role to run a job" },
  { role: "operator", mayRun: true, mayPause: false, sentence: "You need the admin role to pause a job." },
  { role: "admin", mayRun: true, mayPause: true, sentence: null },
] as const;

for (const { role, mayRun, mayPause, sentence } of jobRights) {
  test(`${role}: may ${mayRun ? "" : "not "}run and may ${mayPause ? "" : "not "}pause a job`, async ({
    signedInAs,
  }) => {
    const { page } = await signedInAs(role);
    await page.goto("/jobs");
    const schedule = page.getByRole("article", { name: "Session and audit housekeeping" });
    await expect(schedule.getByRole("button", { name: "Run now" })).toBeEnabled({ enabled: mayRun });
    await expect(schedule.getByRole("button", { name: "Pause" })).toBeEnabled({ enabled: mayPause });
    if (sentence !== null) await expect(schedule.getByText(sentence)).toBeVisible();
  });
}
