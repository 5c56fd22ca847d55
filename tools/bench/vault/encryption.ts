/**
 * Cost of encryption at rest: a vault whose buckets are not encrypted, and one that encrypts new buckets by its own key,
 * in turns (interleaved-rounds.ts).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { HostedVault } from "./hosted-vault.ts";
import { type Case, measureRounds, type PrintLine, ROUNDS, roundMeasurements } from "./interleaved-rounds.ts";
import { benchVolumes } from "./running.ts";

const KIB = 1024;

const cases: readonly Case[] = [
  { name: "put 256 KiB x1", verb: "put", bytes: 256 * KIB, connections: 1 },
  { name: "put 256 KiB x4", verb: "put", bytes: 256 * KIB, connections: 4 },
  { name: "put 256 KiB x16", verb: "put", bytes: 256 * KIB, connections: 16 },
  { name: "get 256 KiB x4", verb: "get", bytes: 256 * KIB, connections: 4 },
];

/** Throws an Error if an operation failed in a turn for another reason than overload. */
export async function benchEncryption(say: PrintLine): Promise<Measurement[]> {
  say(`Encrypted buckets against plain ones, ${ROUNDS} rounds.`);
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-encryption-"));
  const vaults: HostedVault[] = [];
  try {
    for (const isEncrypted of [false, true]) {
      const options = { ...benchVolumes, isEncrypted };
      const vaultFolder = join(folder, isEncrypted ? "encrypted" : "plain");
      vaults.push(await HostedVault.start(repositoryRoot, vaultFolder, options));
    }
    const [before, now] = vaults as [HostedVault, HostedVault];
    return roundMeasurements(await measureRounds({ before, now }, cases, say), "plain");
  } finally {
    await Promise.all(vaults.map((vault) => vault.remove()));
    rmSync(folder, { recursive: true, force: true });
  }
}
