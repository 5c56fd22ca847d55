import { randomUUID } from "node:crypto";
import { toggleColumn } from "../support/column-menu.ts";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const GB = 1e9;
const SHORT = { spanMs: 10 * 60_000 };

test("the vaults behind one endpoint are listed with the reason why one gets no new keys, and a plan covers both", async ({
  signedInAs,
  measuredVault,
}) => {
  const label = randomUUID().slice(0, 6);
  const endpoint = `vault-${label}-a`;
  const full = { endpoint, state: "full", newKeysShare: 0, freeBytes: 20 * GB } as const;
  const open = { endpoint, state: "open", newKeysShare: 1, freeBytes: 1_200 * GB } as const;
  // Seeded together, so that no point of their sum lacks one of them.
  const [, second] = await Promise.all([
    measuredVault({ ...SHORT, label: `${label}-a`, place: full, podFill: [0.7, 0.76] }),
    measuredVault({
      ...SHORT,
      label: `${label}-b`,
      place: open,
      // A renewal that has reached one of five nodes.
      certificateDays: { coordinator: 89.5, others: 20.5 },
    }),
  ]);
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?${new URLSearchParams({ vault: second.name })}`);
  const table = page.getByRole("table", { name: "Vaults behind one endpoint" });
  const endpointRow = (name: string) => table.getByRole("row", { name: new RegExp(`^${name} `) });
  await expect(endpointRow(endpoint)).toContainText(/passed over: full.*0 %/);
  await expect(endpointRow(second.name)).toContainText(/takes new keys.*100 %/);
  await expect(table.getByRole("row")).toHaveCount(3);
  const certificates = page.getByRole("region", { name: "Certificates", exact: true });
  await expect(certificates).toContainText("4 certificates expire within 30 days, the first in 20 days.");
  await expect(certificates).toContainText(`npm run stashlight -- vault renew --folder ${second.name}`);
  await expect(certificates.getByRole("progressbar", { name: "Renewal in progress" })).toHaveAttribute(
    "aria-valuetext",
    /^1 of 5 nodes, valid until \d{4}-\d\d-\d\d; \S+ and 3 more have an older one$/,
  );
  const nodes = page.getByRole("table", { name: "Nodes", exact: true });
  const renewed = nodes.getByRole("row", { name: second.coordinator });
  await expect(renewed).toContainText("89 days");
  await toggleColumn(page, "Nodes", "Issued by");
  await expect(renewed).toContainText(`Stashlight authority of the vault ${second.name}`);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "endpoint-vaults");
  await page.goto(`/planner?${new URLSearchParams({ vault: second.name, span: "1h" })}`);
  await expect(page.getByText("When a vault has to be added is not known yet")).toBeVisible();
  await expect(
    page.getByText(
      new RegExp(
        `^The vaults ${endpoint} and ${second.name} behind one endpoint are 59(\\.\\d)? % full; no forecast: \\d+ minutes of history, 6 hours are needed\\.`,
      ),
    ),
  ).toBeVisible();
  await screenshot(page, "planner-add-vault");
});
