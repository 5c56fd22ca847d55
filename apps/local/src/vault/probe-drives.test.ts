import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { localProbe } from "./probe-drives.ts";
import { prepareVaultFile } from "./vault-file.ts";

const folder = useTestFolder();

test("the probe may measure every drive of the vault, by the names used in pages and metrics", async () => {
  const path = join(folder, "vault/vault.json");
  const file = await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  const { name, stateFolder, drives } = localProbe(path, file);
  expect([name, stateFolder]).toEqual(["local.probe", join(folder, "vault/probe")]);
  expect(drives).toHaveLength(20 + 21 + 1);
  const ofStash = drives.filter(({ node }) => node === "local.stash-1");
  expect(ofStash.map(({ device }) => device)).toEqual(["s0", "s1", "s2"]);
  for (const drive of drives) expect(drive.folder).toContain(join(folder, "vault"));
  const measurable = drives.filter(({ benchmark }) => benchmark !== undefined);
  expect(measurable).toMatchObject([
    { node: "local.probe", folder: join(folder, "vault"), benchmark: { besideVault: true } },
  ]);
});

test("a modelled drive is left out, because its folder is faster than the drive that it models", async () => {
  const path = join(folder, "vault/vault.json");
  const file = await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  const nodes = file.nodes.map((node) =>
    node.role === "stash"
      ? {
          ...node,
          drives: node.drives.map((drive) => ({ ...drive, model: "micron-7450-max-3.2tb" as const })),
        }
      : node,
  );
  const { drives } = localProbe(path, { ...file, nodes });
  expect(drives).toHaveLength(20 + 1);
});
