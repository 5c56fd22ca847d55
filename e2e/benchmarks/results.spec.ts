import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { seedBenchmark } from "../support/seeded-benchmark.ts";
import { expect, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

test("a comparison states its verdict as time saved and as a factor, and is shared by a link until the link is revoked", async ({
  signedInAs,
  stashlight,
  rows,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 412.*benchmarkReport\.read/);
  const { page: adminPage } = await signedInAs("admin");
  const name = "Fast beside slow";
  const planId = await seedBenchmark(adminPage, stashlight, rows, name);
  const { page } = await signedInAs("operator");
  await page.goto(`/benchmarks/plans/${planId}`);
  await page.getByRole("link", { name: "Results" }).click();
  const verdict = page.getByText(
    /Fast of .* is faster than Slow of .*: 25 % less time, or 1\.3[234]x as fast/,
  );
  await expect(verdict).toBeVisible();
  await expect(page.getByRole("table", { name: "Comparison" })).toContainText("20 slots");
  await expect(page.getByRole("heading", { name: "Does latency stay the same?" })).toBeVisible();
  await expectNoAxeViolations(page);
  await screenshot(page, "benchmark-results");

  await page.getByRole("combobox", { name: "Smallest difference that matters" }).click();
  await page.getByRole("option", { name: "From 20 ms" }).click();
  await expect(verdict).toBeVisible();

  await page.getByRole("button", { name: "Share report" }).click();
  const dialog = page.getByRole("dialog", { name: "Share report" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const shown = dialog.getByText(/\/report#[A-Za-z0-9_-]{43}/);
  await expect(shown).toBeVisible();
  const url = /\S+\/report#[A-Za-z0-9_-]{43}/.exec((await shown.textContent()) ?? "")?.[0] ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();

  const reader = await visitor();
  await reader.goto(url);
  await expect(reader.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(reader.getByText(/25 % less time/).first()).toBeVisible();
  await expect(reader.getByText("No sample was removed.")).toBeVisible();
  await expectNoAxeViolations(reader);
  await screenshot(reader, "benchmark-report");

  await page.getByRole("button", { name: `Revoke the link to ${name}` }).click();
  await expect(page.getByRole("list", { name: "Report links" })).toContainText("Revoked");
  await reader.reload();
  await expect(reader.getByText("This report no longer exists")).toBeVisible();
});

const csv = (sizeOfThird: string) =>
  [
    "index,operation,outcome,sizeBytes,transferredBytes,startedAtMs,wireMs,perceivedMs,attempts,isCold,isTagged",
    ...Array.from(
      { length: 30 },
      (_, i) =>
        `${i},PUT,ok,${i === 2 ? sizeOfThird : 4096},4096,${1_795_258_800_000 + i * 100},${10 + i},${10 + i},1,false,false`,
    ),
  ].join("\r\n");

test("a file with an invalid line is refused with the number of that line, and a valid one becomes a run that can be exported", async ({
  signedInAs,
  rows,
}) => {
  const { page } = await signedInAs("operator");
  await page.goto("/benchmarks/import");
  const choose = (name: string, text: string) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("broken.csv", csv("many"));
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText(/Line 4, field "sizeBytes"/)).toBeVisible();
  await expectNoAxeViolations(page);
  expect(await rows("SELECT 1 FROM benchmark_run WHERE state = 'imported'")).toEqual([]);

  await choose("whole.csv", csv("4096"));
  await page.getByLabel("Endpoint").fill("Laptop to NAS");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("link", { name: "View run" }).click();
  await expect(page.getByRole("heading", { name: "Laptop to NAS", level: 1 })).toBeVisible();
  await expect(page.getByRole("img", { name: /Does it change while it runs/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Figures" })).toContainText("30");
  await expectNoAxeViolations(page);
  await screenshot(page, "benchmark-run");

  await page.getByRole("button", { name: "Export" }).first().click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV, every sample" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^Laptop-to-NAS-.*\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(31);
});

test("two imported runs are compared by their common statistics, from the page of one of them", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("operator");
  const golden = join(import.meta.dirname, "../../packages/benchmark-formats/src/golden");
  for (const [file, endpoint] of [
    ["warp-put.json", "Rack A by warp"],
    ["warp-put-divided.json", "Rack B by warp"],
  ] as const) {
    await page.goto("/benchmarks/import");
    await page.locator("input[type=file]").setInputFiles(join(golden, file));
    await page.getByLabel("Endpoint").fill(endpoint);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("link", { name: "View run" }).click();
    await expect(page.getByRole("heading", { name: endpoint, level: 1 })).toBeVisible();
  }
  await page.getByRole("link", { name: "Compare with another run" }).click();
  await page.getByRole("combobox", { name: "Run B" }).click();
  await page.getByRole("option", { name: /^Rack A by warp/ }).click();
  const table = page.getByRole("table", { name: "Runs compared: PUT 256 KiB" });
  await expect(table.getByRole("row", { name: /^Compared by/ })).toContainText("means of segments");
  await expect(table.getByRole("row", { name: /^Mean/ })).toContainText("118 ms");
  await expect(page.getByText(/^(?:In these two runs the median of A|The medians of A)/)).toBeVisible();
  await expect(page.getByText("Percentiles are approximate")).toBeVisible();
  await expect(page).toHaveURL(/benchmarks\/compare\?a=.*&b=/);
  await expectNoAxeViolations(page);
  await screenshot(page, "compare-runs");
});

test("a long import shows its progress, and a cancelled one keeps nothing", async ({ signedInAs, rows }) => {
  const { page } = await signedInAs("operator");
  await page.goto("/benchmarks/import");
  const [header = "", row = ""] = csv("4096").split("\r\n");
  const [, ...fields] = row.split(",");
  const lines = Array.from({ length: 450_000 }, (_, i) => `${i},${fields.join(",")}`);
  const buffer = gzipSync([header, ...lines].join("\r\n"), { level: 1 });
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "long.csv.gz", mimeType: "application/gzip", buffer });
  await page.getByLabel("Endpoint").fill("Never kept");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText(/% read, [\d,]+ samples/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The import was cancelled and nothing was kept.")).toBeVisible();
  await expectNoAxeViolations(page);
  expect(await rows("SELECT 1 FROM benchmark_run WHERE endpoint_name LIKE 'Never kept%'")).toEqual([]);
});

test("a viewer reads results, and can neither import nor share", async ({ signedInAs, stashlight, rows }) => {
  const { page: adminPage } = await signedInAs("admin");
  const planId = await seedBenchmark(adminPage, stashlight, rows, "For viewers");
  const { page } = await signedInAs("viewer");
  await page.goto(`/benchmarks/plans/${planId}/results`);
  await expect(page.getByText(/is faster than/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Share report" })).toHaveCount(0);
  await page.goto("/benchmarks/import");
  await expect(page.getByText("You need the operator role to import a file")).toBeVisible();
});
