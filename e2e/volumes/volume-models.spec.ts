import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const answer = (page: Page) =>
  page.getByRole("region", { name: "Which volume carries it at the lowest cost?" });
const volume = (page: Page, place: number) =>
  page.getByRole("article", { name: `Volume ${place}`, exact: true });

test("a link shows a demand and its volumes with the limits of 2018", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  const demand = "limits=articles&iops=3000&kib=4&reads=80";
  await page.goto(`/planner/volumes?${demand}&minutes=120&data=8&volumes=gp2:8`);
  await expectLoaded(page);
  const first = volume(page, 1);
  await expect(first).toContainText("after 30 min 15 s");
  await expect(first).toContainText("Throttled for");
  await expectNoAxeViolations(page);
  await page.goto(`/planner/volumes?${demand}&minutes=1440&data=64&volumes=gp2:1000%20io1:64:3000`);
  await expect(volume(page, 1)).toContainText("$100.00");
  await expect(volume(page, 2)).toContainText("$203.00");
  await expect(volume(page, 1)).toContainText("Carries the demand at all times");
});

test("answers follow the input, and a mistake shows a message while the last answer stays", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner/volumes");
  await expectLoaded(page);
  await expect(answer(page)).toContainText("gp3, 8 GiB, 3,000 IOPS, 125 MiB/s does all of this at once");
  await page.getByRole("textbox", { name: "I/Os per second" }).fill("20000");
  await expect(answer(page)).toContainText("gp3, 40 GiB, 20,000 IOPS");
  await page.getByRole("textbox", { name: "I/Os per second" }).fill("1e30");
  await expect(page.getByText("A demand must be from 0 to 10,000,000 IOPS.")).toBeVisible();
  await expect(answer(page)).toContainText("gp3, 40 GiB, 20,000 IOPS");
  await expect(answer(page)).toContainText("The last answer stays until the marked fields are corrected.");
  await expect(page.locator("main")).not.toContainText("NaN");
  await page.getByRole("textbox", { name: "I/Os per second" }).fill("3000");

  await volume(page, 1).getByRole("textbox", { name: "Size, GiB" }).fill("99999");
  await expect(volume(page, 1)).toContainText("A gp2 volume has 1 to 16,384 GiB, a whole number.");
  await expect(volume(page, 1)).toContainText(
    "The last answer stays until the marked fields are corrected: gp2, 8 GiB.",
  );
});

test("a pasted trace is read line by line, and a link shows the same trace again", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner/volumes?demand=csv");
  await expectLoaded(page);
  const trace = page.getByRole("textbox", { name: "Trace" });
  await trace.fill("600, 100\n600, many");
  await expect(page.getByText("Line 2: “many” is not a number.")).toBeVisible();
  await trace.fill("600, 100\n600, 20000, 16");
  await expect(answer(page)).toContainText("gp3, 40 GiB, 20,000 IOPS");
  await expect(page).toHaveURL(/20000/);
  await page.reload();
  await expectLoaded(page);
  await expect(trace).toHaveValue("600, 100\n600, 20000, 16");
  await expect(answer(page)).toContainText("gp3, 40 GiB, 20,000 IOPS");
  await expectNoAxeViolations(page);
});

test("a drive's measurements become the demand, with their source and n", async ({
  signedInAs,
  measuredVault,
}) => {
  const vault = await measuredVault();
  const { page } = await signedInAs("viewer");
  const node = vault.stashNodes[0] ?? "";
  await page.goto(`/planner/volumes?demand=measured&source=shards&node=${node}&device=s1`);
  const demand = page.getByRole("region", { name: "Demand" });
  await expect(demand).toContainText("stashlight_shards_written_total");
  await expect(demand).toContainText(/n \d+ windows/);
  await expect(demand).toContainText("missing windows are left out");
  await expect(answer(page)).toContainText("does all of this at once");
  await page.goto(`/planner/volumes?demand=measured&node=${node}`);
  await expect(demand).toContainText("No measurements in this time range");
});

test("one click adds a volume of the table to the comparison", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner/volumes");
  await expectLoaded(page);
  await page.getByRole("button", { name: "Add io1 to the comparison" }).click();
  await expect(volume(page, 3).getByRole("textbox", { name: "IOPS" })).toHaveValue("3000");
  await page.getByRole("button", { name: "Remove volume 1" }).click();
  await expect(volume(page, 3)).toHaveCount(0);
  await expect(page).toHaveURL(/io1/);
  await screenshot(page, "volumes");
});

test("figures of drives have their source, and the article's 167 is labelled as the article's", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner/drives");
  await expectLoaded(page);
  await expect(page.getByText(/takes the disk 4\.45 ms and the SSD 27\.1 µs: 164×, in theory/)).toBeVisible();
  await expect(page.getByText(/prints 4\.5 ms, 27 µs and 167×/)).toBeVisible();
  await page.getByRole("textbox", { name: "One write, kB" }).fill("-1");
  await expect(page.getByText("Enter a size above 0")).toBeVisible();
  await expect(page.getByText(/164×, in theory/)).toBeVisible();
  const figures = page.getByRole("table", { name: "Figures of drives" });
  await expect(figures.getByRole("row", { name: /Annual failure rate/ })).toHaveCount(2);
  await expect(figures).toContainText("Backblaze Drive Stats, quarter 3 of 2025");
  await page.getByRole("textbox", { name: "One write, kB" }).fill("64");
  await expectNoAxeViolations(page);
  await screenshot(page, "drives");
});
