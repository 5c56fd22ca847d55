import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, expectNoAxeViolations, test } from "../support/test.ts";
import { pictures } from "./pictures.ts";

const field = (page: Page, name: string) => page.getByRole("textbox", { name: new RegExp(`^${name}`) });

/**
 * An access log of two hours: uploads of 4, 64 and 200 kB, twice as many in one minute, a large upload, a read, and an
 * invalid line.
 */
function accessLog(): string {
  const line = (minute: number, second: number, operation: string, bytes: number) => {
    const time = new Date(Date.UTC(2026, 10, 24, 9, minute, second)).toISOString().slice(11, 19);
    return `owner vault [24/Nov/2026:${time} +0000] 192.0.2.3 r id ${operation} k "PUT /k HTTP/1.1" 200 - - ${bytes} 4 2 "-" "-" -`;
  };
  const lines = Array.from({ length: 120 }, (_, minute) =>
    Array.from({ length: minute === 40 ? 60 : 30 }, (_unused, i) =>
      line(minute, i % 60, "REST.PUT.OBJECT", [4_000, 64_000, 200_000][i % 3] ?? 0),
    ),
  ).flat();
  return [
    ...lines,
    line(50, 1, "REST.POST.UPLOAD", 90_000_000),
    line(50, 2, "REST.GET.OBJECT", 4_000),
    "a line that broke off",
  ].join("\n");
}

const listing = `2026-11-20 10:00:00     70000 a
2026-11-21 10:00:00     80000 b
2026-11-22 10:00:00     90000 c
`;

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  await page.getByRole("dialog").getByRole("button", { name: /^Read/ }).click();
}

test("a gz log fills in a plan's load and counts its lines, and no request contains it", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  await page.getByRole("button", { name: "Fill from a log" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("They are not sent to Stashlight or anywhere else");
  const sent: string[] = [];
  page.on("request", (request) => {
    if ((request.postData() ?? "").includes("REST.PUT") || request.method() === "PUT")
      sent.push(request.url());
  });
  await choose(page, "access.log.gz", gzipSync(accessLog()));
  await expect(dialog).toContainText("3,633 lines of S3 server access log. 1 of them cannot be read.");
  await expect(dialog).toContainText("3,630 of 3,631 uploads");
  const table = dialog.getByRole("table", { name: "What will be filled in" });
  await expect(
    table.getByRole("row", { name: /^Object sizes 3 sizes, 4 kB to 200 kB 256 kB 3,630 uploads/ }),
  ).toBeVisible();
  await expect(table.getByRole("row", { name: /^Small uploads per second 0\.504 2000/ })).toBeVisible();
  await dialog.getByText("Lines that cannot be read, such as").click();
  await expect(dialog).toContainText("access.log.gz, line 3633: It has no time in square brackets.");
  await expectNoAxeViolations(page);
  await pictures(page, "planner-from-log");
  await dialog.getByRole("checkbox", { name: "Fill in peak factor" }).uncheck();
  await dialog.getByRole("button", { name: "Fill in 2 figures" }).click();
  await expect(dialog).toBeHidden();
  await expect(field(page, "Small uploads")).toHaveValue("0.504");
  await expect(field(page, "Peak factor")).toHaveValue("3");
  await expect(page.getByRole("table", { name: "Sizes of objects" }).getByRole("textbox")).toHaveCount(6);
  expect(sent).toEqual([]);
});

test("a listing fills in sizes and only offers its rate, and a file that is not a log gets an explanation", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  await page.getByRole("button", { name: "Fill from a log" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Read" }).click();
  await expect(dialog).toContainText("Choose a file.");
  await choose(page, "letter.txt", Buffer.from("Dear Sir or Madam\n"));
  await expect(dialog).toContainText("letter.txt: It begins with");
  await expect(dialog.getByRole("button", { name: "Fill in 0 figures" })).toBeDisabled();
  await choose(page, "cut.gz", gzipSync(accessLog()).subarray(0, 900));
  await expect(dialog).toContainText("cut.gz: The gz file is damaged, truncated");
  await choose(page, "listing.txt", Buffer.from(listing));
  await expect(dialog).toContainText("the true rate is higher");
  await expect(dialog.getByRole("checkbox", { name: "Fill in small uploads per second" })).not.toBeChecked();
  await dialog.getByRole("button", { name: "Fill in 1 figure" }).click();
  await expect(field(page, "Small uploads")).toHaveValue("2000");
  await expect(page.getByRole("textbox", { name: "Size 1, kB" })).not.toHaveValue("256");
});
