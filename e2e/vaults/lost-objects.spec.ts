import type { LostObject } from "@stashlight/contracts/lost-object";
import { testLostObject } from "@stashlight/contracts/testing";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const object: LostObject = {
  ...testLostObject,
  missingPods: [1],
  uploadId: "cat",
  key: "2026/cat.jpg",
  sizeBytes: 2048,
  sinceMs: Date.UTC(2026, 10, 1),
};
const film: LostObject = {
  ...object,
  uploadId: "film",
  part: "piece",
  key: "film.mp4",
  pieceCount: 2,
  sinceMs: 1,
};

test("a vault's page lists unreadable objects by name for operators, and only their number for viewers", async ({
  signedInAs,
  stashlight,
  measuredVault,
}) => {
  const { name } = await measuredVault({ spanMs: 10 * 60_000 });
  const path = `/vaults?${new URLSearchParams({ vault: name })}`;
  const { page } = await signedInAs("operator");
  await page.goto(path);
  const section = page.getByRole("region", { name: "Objects that cannot be read", exact: true });
  await expect(section).toContainText("No coordinator has reported yet.");
  await stashlight.seed.lostObjects(name, { total: 3, objects: [object, film] });
  await page.reload();
  await expect(section).toContainText("3 objects cannot be read.");
  const table = page.getByRole("table", { name: "Lost objects" });
  await expect(table.getByRole("row", { name: /^photos\/2026\/cat\.jpg / })).toContainText(
    "4 of 20 shards readable, 16 needed; damaged on p3, p7; missing on p1",
  );
  await expect(table.getByRole("row", { name: /^photos\/film\.mp4 \(2 pieces of it\) / })).toBeVisible();
  await expect(section).toContainText("The newest 2 of 3 are listed");
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "vault-lost-objects");
  const viewer = await signedInAs("viewer");
  await viewer.page.goto(path);
  const shown = viewer.page.getByRole("region", { name: "Objects that cannot be read", exact: true });
  await expect(shown).toContainText("Their names are shown to operators.");
  await expect(shown).not.toContainText("photos");
});
