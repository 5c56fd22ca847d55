import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalVault, loadVaultFile, portCountOf } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { makeKeys } from "./keys.ts";

const layout = { podNodeCount: 1, stashNodeCount: 1 };
const volume = { segmentBytes: 1_048_576, segmentCount: 4 };

test("every node without a key gets one, once, and the token's location is printed", () => {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-cli-keys-"));
  const config = join(folder, "vault.json");
  const file = createLocalVault({
    ...layout,
    name: "test",
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    drivesPerStashNode: 1,
    podVolume: volume,
    stashVolume: volume,
    pieceBytes: 1_048_576,
    ports: Array.from({ length: portCountOf(layout) }, (_, i) => 20_000 + i),
  });
  writeFileSync(config, JSON.stringify(file));
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  try {
    expect(makeKeys({ name: "keys", config }, say)).toBe(0);
    expect(lines.splice(0)).toEqual([
      "Keys were given to coordinator-1, pod-1, stash-1; start these nodes again.",
      `The token of the admin pages is in ${join(folder, "admin.token")}.`,
    ]);
    const made = loadVaultFile(config);
    expect(made.nodes.every(({ stateFolder }) => existsSync(join(stateFolder, "node.key")))).toBe(true);
    expect(makeKeys({ name: "keys", config }, say)).toBe(0);
    expect(lines).toEqual(["No key is missing."]);
    expect(loadVaultFile(config)).toEqual(made);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
