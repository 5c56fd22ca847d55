import type { Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { hddSerial } from "../support/measured-windows.ts";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const DAMAGED_DRIVE = "p9";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault({ spanMs: 10 * 60_000, damagedDrive: DAMAGED_DRIVE });
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

async function openDrive(page: Page, node: string | undefined, device: string) {
  await page.goto(`/vaults?${new URLSearchParams({ node: node ?? "", device })}`);
  const drive = page.getByRole("region", { name: "Drive", exact: true });
  await expectLoaded(page);
  return drive;
}

test("the page of a pod's drive shows its model, serial number, firmware, health and temperature", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  const drive = await openDrive(page, vault.slowHdd.node, vault.slowHdd.device);
  await expect(drive).toContainText(/Model\s*ST16000NM001G/);
  await expect(drive).toContainText(hddSerial(vault.slowHdd.node, vault.slowHdd.device));
  await expect(drive).toContainText(/Firmware\s*SN03/);
  await expect(drive).toContainText(/SMART health\s*failure predicted/);
  await expect(drive).toContainText(/Bad sectors\s*24/);
  await expect(drive).toContainText(/Uncorrected errors\s*10/);
  await expect(drive).toContainText(/Temperature\s*33 °C/);
  // An HDD has no wear, and missing figures are left out.
  await expect(drive).not.toContainText("Wear");
  await expect(drive).not.toContainText("–");
  await screenshot(page, "drive-hdd");
});

test("the page of a drive with corrupt records shows their number and when its data was verified", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await openDrive(page, vault.podNodes[0], DAMAGED_DRIVE);
  const integrity = page.getByRole("region", { name: "Integrity" });
  await expect(integrity).toContainText(/Corrupt records.*12/s);
  await expect(integrity).toContainText(/Unreadable.*1/s);
  await expect(integrity).toContainText(/Unverified age.*71/s);
  await expect(integrity).toContainText(/Scrub round.*41\.2/s);
  await expect(page.getByRole("heading", { name: "Does it return the right data?" })).toBeVisible();
  await expectNoAxeViolations(page);
  await screenshot(page, "drive-corrupt");
  await page.goto(`/vaults?${new URLSearchParams({ node: vault.podNodes[0] ?? "" })}`);
  await expectLoaded(page);
  await expect(
    page.getByRole("link", { name: /^Pod p9: (running|silent), .*, 12 records corrupt$/ }),
  ).toBeVisible();
  await screenshot(page, "node-corrupt");
});

test("the page of a drive compares it with its peers, and names what a verdict lacks", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await openDrive(page, vault.slowHdd.node, vault.slowHdd.device);
  const peers = page.getByRole("region", { name: "Is it slower than its peers?" });
  await expect(peers).toContainText(
    /p3 has enough syncs in fewer than 6 of the last 48 hours; a comparison with its \d+ peers needs 6\./,
  );
  await expectNoAxeViolations(page);
});

test("the page of a stash's drive shows its wear, or how to make the machine report it", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  const told = await openDrive(page, vault.stashNodes[0], "s1");
  await expect(told).toContainText(/Model\s*Micron 7450 MTFDKCC1T6TFS/);
  await expect(told).toContainText(/Wear\s*12\.4 % of its rated endurance/);
  await expect(told).toContainText(/Spare blocks\s*98 % left/);
  await expect(told).toContainText(/Write amplification\s*2\.4 over its lifetime/);
  await expect(told).toContainText(/No forecast of its wear: \d+ minutes of history, 6 hours are needed\./);
  await expect(
    told.getByRole("heading", { name: "How much does it write per byte of its hosts?" }),
  ).toBeVisible();
  const named = await openDrive(page, vault.stashNodes[0], "s2");
  await expect(named).toContainText(/of its rated endurance, from attribute 177 Wear_Leveling_Count/);
  await screenshot(page, "drive-ssd");
  const silent = await openDrive(page, vault.stashNodes[1], "s4");
  await expect(silent).toContainText(/Firmware\s*E2MU200/);
  await expect(silent).toContainText(
    "The machine does not report the serial number. Run the agent as root with smartmontools 7 or later",
  );
  await expect(silent).toContainText(
    "Health, wear and temperature are not known, because the agent is not allowed to query the drive. Run it as root",
  );
  await expect(silent).not.toContainText("–");
  await expectNoAxeViolations(page);
  await screenshot(page, "drive-silent");
});

test("a stash device in quarantine shows who quarantined it and when, on its page and on that of its vault", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  const node = vault.stashNodes[0] ?? "";
  await openDrive(page, node, "s2");
  const told = page.getByText(/It has received no new shards since .+ \(ann@desk\)\./);
  await expect(page.getByText(`s2 (${node}) is in quarantine`)).toBeVisible();
  await expect(told).toBeVisible();
  await expectNoAxeViolations(page);
  await screenshot(page, "drive-quarantined");
  await openDrive(page, node, "s1");
  await expect(told).toHaveCount(0);
  await page.goto(`/vaults?${new URLSearchParams({ vault: vault.name })}`);
  await expectLoaded(page);
  await expect(page.getByText(`s2 (${node}) is in quarantine`)).toBeVisible();
});
