/** Compares this tree's vault with another commit's (interleaved-rounds.ts). */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { checkOut } from "./checkout.ts";
import { HostedVault } from "./hosted-vault.ts";
import { type Case, measureRounds, type PrintLine, ROUNDS, roundMeasurements } from "./interleaved-rounds.ts";
import { benchVolumes } from "./running.ts";

const KIB = 1024;

const cases: readonly Case[] = [
  { name: "put 256 KiB x1", verb: "put", bytes: 256 * KIB, connections: 1 },
  { name: "put 256 KiB x16", verb: "put", bytes: 256 * KIB, connections: 16 },
  { name: "put 256 KiB offered", verb: "put", bytes: 256 * KIB, connections: 64, isOffered: true },
  { name: "put 1 MiB x1", verb: "put", bytes: 1024 * KIB, connections: 1 },
  { name: "put 1 MiB x16", verb: "put", bytes: 1024 * KIB, connections: 16 },
  { name: "get 256 KiB x1", verb: "get", bytes: 256 * KIB, connections: 1 },
  { name: "get 256 KiB x16", verb: "get", bytes: 256 * KIB, connections: 16 },
];

/** Throws an Error if there is no such commit, or if an operation fails for a reason other than overload. */
export async function benchAgainst(revision: string, say: PrintLine): Promise<Measurement[]> {
  const other = await checkOut(revision);
  say(`This tree against ${other.commit.slice(0, 12)}, ${ROUNDS} rounds.`);
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-against-"));
  const vaults: HostedVault[] = [];
  try {
    for (const [name, root] of [
      ["before", other.root],
      ["now", repositoryRoot],
    ] as const) {
      vaults.push(await HostedVault.start(root, join(folder, name), benchVolumes));
    }
    const [before, now] = vaults as [HostedVault, HostedVault];
    return roundMeasurements(await measureRounds({ before, now }, cases, say), "before");
  } finally {
    await Promise.all(vaults.map((vault) => vault.remove()));
    rmSync(folder, { recursive: true, force: true });
  }
}
