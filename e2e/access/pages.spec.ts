import type { Page } from "@playwright/test";
import type { Role } from "@stashlight/contracts/user";
import { type ConsolePage, pages } from "../support/console-pages.ts";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

const roles: Role[] = ["viewer", "operator", "admin"];
const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

const groups = ["Watch", "Measure", "Plan", "Manage"] as const;

/** Time to open a page, load its data and run axe on it. */
const PAGE_MS_MAX = 60_000;

const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** Follows the link in the navigation, or in the account menu for pages about the reader. */
async function follow(page: Page, title: string, group: ConsolePage["group"]): Promise<void> {
  if (group !== null) return navigation(page).getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitem", { name: title, exact: true }).click();
}

interface JobRights {
  readonly mayRun: boolean;
  readonly mayPause: boolean;
  /** Null if the role may do everything. */
  readonly sentence: string | null;
}

const jobRights: Record<Role, JobRights> = {
  viewer: { mayRun: false, mayPause: false, sentence: "You need the operator role to run a job" },
  operator: { mayRun: true, mayPause: false, sentence: "You need the admin role to pause a job." },
  admin: { mayRun: true, mayPause: true, sentence: null },
};

async function expectJobRights(page: Page, { mayRun, mayPause, sentence }: JobRights): Promise<void> {
  const name = "Session and audit housekeeping";
  await expect(page.getByRole("button", { name: `Run ${name} now` })).toBeEnabled({ enabled: mayRun });
  await expect(page.getByRole("button", { name: `Pause ${name}` })).toBeEnabled({ enabled: mayPause });
  if (sentence !== null) await expect(page.getByText(sentence)).toBeVisible();
}

for (const role of roles) {
  test(`${role}: the user gets the pages and job actions that the role allows, and reads which role the others need`, async ({
    signedInAs,
  }) => {
    test.setTimeout(pages.length * PAGE_MS_MAX);
    const { page } = await signedInAs(role);
    const judged = new Set<string>();
    await page.goto("/health");
    for (const { path, title, group, role: needed } of pages) {
      // The lowest role that may see a page, and every lower role, open it by address; higher roles follow the link.
      const isRefused = rank[role] < rank[needed];
      if (isRefused || role === needed) await page.goto(path);
      else await follow(page, title, group);
      await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
      const refusal = page.getByText(`You need the ${needed} role`);
      if (isRefused) await expect(refusal).toBeVisible();
      else await expect(refusal).toHaveCount(0);
      await expectLoaded(page);
      if (path === "/jobs") await expectJobRights(page, jobRights[role]);
      // Runs axe for an admin, and for lower roles only where a sentence about roles is new.
      const sentences = await page.getByText(/You need the \w+ role/).allInnerTexts();
      if (role !== "admin" && sentences.every((sentence) => judged.has(sentence))) continue;
      await expectNoAxeViolations(page);
      for (const sentence of sentences) judged.add(sentence);
    }
    for (const group of groups) {
      const links = navigation(page).getByRole("list", { name: group, exact: true }).getByRole("link");
      const ofGroup = pages.filter((one) => one.group === group && rank[role] >= rank[one.role]);
      expect(await links.allInnerTexts(), group).toEqual(ofGroup.map(({ title }) => title));
    }
    expect(await navigation(page).getByRole("list").count()).toBe(groups.length);
  });
}

test("every page sends visitors to sign-in, whose address keeps the page", async ({ visitor }) => {
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
