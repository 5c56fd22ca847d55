import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, type QueryRows, test } from "../support/test.ts";

const result = {
  tool: "fio",
  toolVersion: "fio-3.36",
  blockDevice: "nvme0n1",
  figures: [
    { recordBytes: 4_096, syncsPerSecond: 2_083.4, p50Us: 456.7, p99Us: 1_204.2, n: 6_250, seconds: 3 },
    { recordBytes: 65_536, syncsPerSecond: 1_512.2, p50Us: 601.1, p99Us: null, n: 800, seconds: 0.5 },
  ],
};

/** Adds a probe that has reported that it can write to the drive. */
async function addProbe(rows: QueryRows, vault: string, node: string, device: string): Promise<string> {
  const [id, name] = [randomUUID(), `probe-${randomUUID().slice(0, 8)}`];
  await rows(
    "INSERT INTO node (id, name, vault, role, status, created_at) VALUES ($1, $2, $3, 'probe', 'active', now())",
    [id, name, vault],
  );
  await rows("INSERT INTO probe_drive (probe_node_id, node_name, device) VALUES ($1, $2, $3)", [
    id,
    node,
    device,
  ]);
  return name;
}

const section = (page: Page) => page.getByRole("region", { name: "How fast can it sync?" });

test("an operator has a drive measured, and reads how, when and on which device it was measured", async ({
  signedInAs,
  rows,
  measuredVault,
}) => {
  const vault = await measuredVault();
  const node = vault.stashNodes[0] ?? "";
  const { page } = await signedInAs("operator");
  const address = `/vaults?${new URLSearchParams({ node, device: "s1" })}`;
  await page.goto(address);
  await expect(section(page)).toContainText("No probe writes to this drive.");
  const run = section(page).getByRole("button", { name: "Run fsync probe" });
  await expect(run).toBeDisabled();

  const probe = await addProbe(rows, vault.name, node, "s1");
  await page.goto(address);
  // Charts above the button are drawn when it is scrolled into view, and move it while they load.
  await expectLoaded(page);
  await run.scrollIntoViewIfNeeded();
  await expectLoaded(page);
  await run.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Uploads that wait for this drive take longer meanwhile.");
  await dialog.getByRole("button", { name: "Run fsync probe" }).click();
  await expect(section(page)).toContainText(`Waiting for the probe ${probe}`);
  await rows(
    "UPDATE fsync_probe SET state = 'succeeded', started_at = now(), ended_at = now(), result = $1 WHERE node_name = $2",
    [JSON.stringify(result), node],
  );
  const table = section(page).getByRole("table", { name: "What the fsync probe measured" });
  await expect(table.getByRole("row", { name: /4\.00 KiB/ })).toContainText("2,083");
  await expect(table).toContainText("457 µs");
  await expect(section(page)).toContainText("fio-3.36 · nvme0n1");
  await expectLoaded(page);
  await expectNoAxeViolations(page);
});

test("a viewer sees which role can have a drive measured", async ({ signedInAs, rows, measuredVault }) => {
  const vault = await measuredVault();
  const node = vault.stashNodes[0] ?? "";
  await addProbe(rows, vault.name, node, "s1");
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?${new URLSearchParams({ node, device: "s1" })}`);
  await expect(section(page)).toContainText("You need the operator role to measure a drive.");
  await expect(section(page).getByRole("button", { name: "Run fsync probe" })).toBeDisabled();
});
