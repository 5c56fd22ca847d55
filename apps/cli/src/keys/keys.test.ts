import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadVaultFile } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import { makeKeys } from "./keys.ts";

test("creates one key for every node without one, and prints the token's location", () => {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-cli-keys-"));
  const config = join(folder, "vault.json");
  const file = smallVault("test", { podNodeCount: 1, stashNodeCount: 1 });
  writeFileSync(config, JSON.stringify(file));
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  try {
    expect(makeKeys({ name: "keys", config }, say)).toBe(0);
    expect(lines.splice(0)).toEqual([
      "Keys were created for coordinator-1, pod-1, stash-1; restart these nodes.",
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
