import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAgent, runVaultCommand, startVaultCommand } from "../support/agent.ts";
import { toggleColumn } from "../support/column-menu.ts";
import { freePort, freePorts } from "../support/installation.ts";
import { post } from "../support/post.ts";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

/**
 * Tolerance of a shown expiry: a node reports the remaining seconds, which the page adds to the
 * time of the report.
 */
const TOLD_WITHIN_MS = 2_000;
/** Time after which a page that has loaded is loaded again. */
const RELOAD_AFTER_MS = 3_000;
const VALID_UNTIL = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
/** A machine's three nodes take consecutive ports, two each. */
const PORT_COUNT = 6;
const ROLES = ["pod", "stash", "coordinator"] as const;

/** A layout of one machine with every role, which covers all kinds of certificates. */
async function writeLayout(
  folder: string,
  { vault, console }: { readonly vault: string; readonly console: object },
): Promise<void> {
  const drives = (kind: string) => [0, 1, 2].map((at) => join(folder, `${kind}-${at}`));
  const machine = {
    name: "front-1",
    address: "127.0.0.1",
    coordinator: true,
    pods: drives("hdd"),
    stash: drives("ssd"),
  };
  await Promise.all([...machine.pods, ...machine.stash].map((path) => mkdir(path)));
  const layout = {
    vault,
    scheme: "2+1",
    size: { pod: "64MiB", stash: "32MiB" },
    port: await freePorts(PORT_COUNT),
    s3: { port: await freePort() },
    console,
    machines: [machine],
  };
  // A layout is YAML, which includes JSON.
  await writeFile(join(folder, "photos.yaml"), JSON.stringify(layout));
}

test("a vault made by the documented commands enrols without help, and its page shows each certificate and its renewal", async ({
  stashlight,
  signedInAs,
}) => {
  test.setTimeout(240_000);
  const { page } = await signedInAs("admin");
  const vault = `photos-${randomUUID().slice(0, 8)}`;
  const tokens: Record<string, string> = {};
  for (const role of ROLES) {
    const made = await post<{ token: string }>(page.request, stashlight.url, "node.createToken", {
      vault,
      role,
      isAutoApproved: true,
    });
    tokens[role] = made.token;
  }
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-created-"));
  let machine: ChildProcess | undefined;
  try {
    await writeLayout(folder, { vault, console: { ingest: stashlight.ingestUrl, tokens } });
    await runVaultCommand(folder, ["create", "photos.yaml", "--accept-weak"]);
    machine = startVaultCommand(folder, [
      "join",
      `${vault}/bundles/front-1.bundle`,
      "--folder",
      "joined",
      "--run",
    ]);

    await page.goto(`/vaults?${new URLSearchParams({ vault })}`);
    const nodes = page.getByRole("table", { name: "Nodes", exact: true });
    await expect(async () => {
      await page.reload();
      await expectLoaded(page);
      const enrolled = nodes.getByRole("row").filter({ hasText: "89 days" });
      await expect(enrolled).toHaveCount(ROLES.length, { timeout: RELOAD_AFTER_MS });
    }).toPass({ timeout: 120_000 });
    await toggleColumn(page, "Nodes", "Issued by");
    for (const role of ROLES) {
      const row = nodes.getByRole("row").filter({ hasText: `front-1.${role}` });
      await expect(row).toContainText(`Stashlight authority of the vault ${vault}`);
    }
    const certificates = page.getByRole("region", { name: "Certificates", exact: true });
    await expect(certificates).toContainText("All certificates are valid for 89 days or more");
    await expectLoaded(page);
    await expectNoAxeViolations(page);

    const told = () => nodes.getByRole("row").filter({ hasText: VALID_UNTIL }).allInnerTexts();
    const endsMs = async () => (await told()).map((text) => Date.parse(`${VALID_UNTIL.exec(text)?.[0]}Z`));
    const createdEndMs = Math.max(...(await endsMs()));
    await runVaultCommand(folder, ["renew", "--folder", vault]);
    await expect(async () => {
      await page.reload();
      await expectLoaded(page);
      const renewed = await endsMs();
      expect(renewed).toHaveLength(ROLES.length);
      expect(Math.min(...renewed)).toBeGreaterThan(createdEndMs + TOLD_WITHIN_MS);
    }).toPass({ timeout: 60_000, intervals: [2_000] });
  } finally {
    if (machine !== undefined) await endAgent(machine);
    await rm(folder, { recursive: true, force: true });
  }
});
