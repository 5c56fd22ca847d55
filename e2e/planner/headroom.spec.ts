import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, scrollTo, test } from "../support/test.ts";

/** Finds a field of the form by the start of its name, which differs from those of the range fields. */
const field = (page: Page, name: string) => page.getByRole("textbox", { name: new RegExp(`^${name}`) });

/** Saves a plan with growth, so that the headroom is used up within ten years. */
async function saveForOverview(page: Page, vault: string, name: string): Promise<void> {
  await page.goto(`/planner?vault=${vault}`);
  await page.getByRole("button", { name: "Fill from the fleet" }).click();
  await field(page, "Outage to outlast").fill("0");
  await field(page, "Growth").fill("100");
  await page.getByRole("button", { name: "Save as" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this plan" });
  await dialog.getByRole("textbox", { name: "Name of the plan" }).fill(name);
  await dialog.getByRole("button", { name: "Save plan" }).click();
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Use on the overview" }).click();
  await expect(page.getByText("On the overview", { exact: true })).toBeVisible();
}

test("the overview shows headroom and when it runs out, from live figures and the saved plan, as the planner does", async ({
  signedInAs,
  measuredVault,
}) => {
  const vault = await measuredVault();
  const { page } = await signedInAs("operator");
  const name = `Overview ${randomUUID().slice(0, 6)}`;
  await saveForOverview(page, vault.name, name);
  await page.reload();
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await expect(answer).toContainText("The installed pool is not judged yet");
  await expect(page.getByText(/^By the load so far: .* drives? in nine of ten draws/)).toBeVisible();

  await page.goto("/");
  const capacity = page.getByRole("region", { name: "Capacity" });
  await scrollTo(capacity);
  await expect(capacity).toContainText(/Stash headroom.*\d×/s);
  await expect(capacity).toContainText(`limits of “${name}”`);
  await expect(capacity).toContainText(/\d+ drives/);
  await expect(capacity).toContainText(/n \d[\d,]*/);
  // The pool has too few servers for the plan's placement, and forty minutes of load are too few to judge it.
  await expect(capacity).toContainText(/\d+ drives in too few servers/);
  await expect(capacity).toContainText(
    /Outgrown.*min of load were measured; judging a pool needs 6 h.*100 % a year/s,
  );
  await expectLoaded(page);
  await expectNoAxeViolations(page);

  // The planner shows the same factor, because it uses the same figures and limits.
  const times = /([\d.,]+)×/.exec((await capacity.textContent()) ?? "")?.[1] ?? "none";
  await capacity.getByRole("link", { name: "Stash headroom" }).click();
  await expect(page).toHaveURL(/\/planner\?vault=/);
  await expect(answer).toContainText(`${times} times today's load`);
  await expect(
    page
      .getByRole("table", { name: "Pools" })
      .getByRole("row", { name: /^Outgrown by the growth of the plan/ }),
  ).toContainText("not judged");
});
