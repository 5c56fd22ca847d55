import { S3Client } from "@stashlight/s3/client";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";
import { startEnrolledVault } from "../support/vault-agents.ts";

const REFUSED_COUNT = 24;
/** Two windows of an agent, and the time until the page shows them. */
const SHOWN_MS_MAX = 60_000;

test("refused uploads are counted by reason, on Overview and on Write path", async ({
  stashlight,
  signedInAs,
}) => {
  test.setTimeout(240_000);
  const { page } = await signedInAs("admin");
  const { vault, agents } = await startEnrolledVault(page, stashlight);
  const accessKey = { id: "STRANGERSTRANGER0000", secret: "stranger/secret+00000" };
  const client = new S3Client({ endpoint: agents.s3Url, region: "us-east-1", accessKey });
  try {
    for (let i = 0; i < REFUSED_COUNT; i += 1) {
      const upload = client.putObject({ bucket: "photos", key: `k${i}`, body: Buffer.from("mine") });
      await expect(upload).rejects.toThrow();
    }
    for (const path of ["/", "/write-path"]) {
      await page.goto(`${path}?from=now-15m&to=now&scope=${vault}`);
      await expectLoaded(page);
      const refused = page.getByText(`${REFUSED_COUNT} refused as invalid (4xx)`).first();
      await expect(refused).toBeVisible({ timeout: SHOWN_MS_MAX });
    }
    const chart = page.getByRole("region", { name: "Which requests fail or are refused?" });
    await chart.getByRole("slider").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(chart.getByRole("slider")).toHaveAttribute("aria-valuetext", /unknown 403 \d+/);
    const shed = page.getByRole("region", { name: "Which requests does the vault shed?" });
    await expect(shed, "a known zero").toContainText(
      /No request was refused for overload in this time range, up to (just now|\d+ (s|min) ago)\./,
    );
    await expect(shed.getByRole("slider")).toBeVisible();
    await expectNoAxeViolations(page);
  } finally {
    client.close();
    await agents.stop();
  }
});
