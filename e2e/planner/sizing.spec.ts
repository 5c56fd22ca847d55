import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";
import { pictures } from "./pictures.ts";

const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
/** Finds a field of the form by the start of its name, which differs from those of the range fields. */
const field = (page: Page, name: string) => page.getByRole("textbox", { name: new RegExp(`^${name}`) });

test("a newcomer gets an answer from live figures in two clicks, and can read the reasons", async ({
  signedInAs,
  measuredVault,
}) => {
  await measuredVault();
  const { page } = await signedInAs("viewer");
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Planner" }).click();
  await expect(page.getByRole("heading", { name: "Planner", level: 1 })).toBeVisible();
  const fill = page.getByRole("button", { name: "Fill from the fleet" });
  await expect(fill).toBeEnabled();
  await fill.click();
  await expect(field(page, "Small uploads")).toHaveValue("140");
  await expect(
    page.getByRole("table", { name: "Sizes of objects" }).getByRole("textbox").first(),
  ).toHaveValue("240");
  await expect(answer(page)).toContainText(/\d+ drives in \d+ servers; (placement|load) decides/);
  await expect(answer(page)).toContainText("The installed pool is not judged yet");
  await expect(
    page.getByRole("table", { name: "Pools" }).getByRole("row", { name: /^Outgrown/ }),
  ).toContainText("not judged");
  await expect(page.getByText("From the fleet").first()).toBeVisible();
  await expect(page.getByText(/n \d[\d,]* uploads · \d+ (s|min) ago/).first()).toBeVisible();
  for (const title of ["Which constraint binds?", "What moves the answer?", "How many servers?"]) {
    await expect(page.getByRole("img", { name: new RegExp(title.replace("?", "\\?")) })).toBeVisible();
  }
  await expect(
    page.getByRole("heading", { name: "What the installed pool would not survive" }),
  ).toBeVisible();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await pictures(page, "planner");
});

test("a single figure of the fleet can be taken and overridden", async ({ signedInAs, measuredVault }) => {
  const { name } = await measuredVault();
  const { page } = await signedInAs("viewer");
  await page.goto(`/planner?vault=${name}`);
  await page.getByRole("button", { name: "Use the fleet's Small uploads" }).click();
  await expect(field(page, "Small uploads")).toHaveValue("140");
  await field(page, "Small uploads").fill("150");
  await expect(page.getByRole("button", { name: "Use the fleet's Small uploads" })).toBeVisible();
  await expect(page.getByText(/A trend needs|a trend needs 14/).first()).toBeVisible();
});

test("results follow the input, and a mistake shows a message while the last valid answer stays, marked as old", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  await expect(answer(page)).toContainText(
    "21 drives in 7 servers; placement decides: 16+4 must spread over 7 to survive one dead server",
  );
  await expect(answer(page)).toContainText("with 10 in each it would be 70 drives in 7 servers");
  await answer(page).getByRole("button", { name: "Plan with 3 per server" }).click();
  await expect(answer(page)).not.toContainText("in each it would be");
  await field(page, "Small uploads").fill("40000");
  await expect(answer(page)).toContainText("load decides");
  const good =
    (await answer(page)
      .getByText(/drives in/)
      .textContent()) ?? "";
  for (const wrong of ["0", "-3", "1e30", "many", ""]) {
    await field(page, "Small uploads").fill(wrong);
    await expect(answer(page)).toContainText("The last valid answer");
    await expect(answer(page)).toContainText(good);
    await expect(field(page, "Small uploads")).toHaveAttribute("aria-invalid", "true");
  }
  await expect(page.getByText("one field to correct")).toBeVisible();
  await field(page, "Small uploads").fill("40000");
  await field(page, "Data shards").fill("250");
  await field(page, "Parity shards").fill("20");
  await expect(page.getByText(/at most 256 shards; 270 are requested/)).toBeVisible();
  await expect(page.getByText("NaN")).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("ten thousand draws run in a worker, and again for each answer", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  const uncertainty = page.getByRole("region", { name: "How sure is it?" });
  await expect(uncertainty).toContainText(/of 10,000 draws/);
  await expect.poll(() => page.workers().length).toBe(1);
  await expect(uncertainty).toContainText(/placement decides in (more than )?(99|100)(\.\d+)? %/);
  await field(page, "Small uploads").fill("40000");
  await expect(uncertainty).toContainText(/placement decides in (less than )?0(\.\d+)? %/);
});
