/**
 * Cost of TLS: a vault with plain connections, and one with TLS 1.3 between nodes and HTTPS at the S3 endpoint, in
 * turns (interleaved-rounds.ts). Both run as several processes, because nodes that share one pass messages without a
 * socket.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { HostedVault } from "./hosted-vault.ts";
import { type Case, measureRounds, type PrintLine, ROUNDS, roundMeasurements } from "./interleaved-rounds.ts";
import { benchVolumes } from "./running.ts";

const KIB = 1024;
/** Number of processors below which a vault runs as one process. */
const PROCESSOR_COUNT = 4;

const cases: readonly Case[] = [
  { name: "put 256 KiB x1", verb: "put", bytes: 256 * KIB, connections: 1 },
  { name: "put 256 KiB x16", verb: "put", bytes: 256 * KIB, connections: 16 },
  { name: "put 1 MiB x16", verb: "put", bytes: 1024 * KIB, connections: 16 },
];

/** Throws an Error if an operation failed in a turn for another reason than overload. */
export async function benchTls(say: PrintLine): Promise<Measurement[]> {
  say(`TLS against plain TCP, ${ROUNDS} rounds.`);
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-tls-"));
  const vaults: HostedVault[] = [];
  try {
    for (const [name, isTls] of [
      ["plain", false],
      ["tls", true],
    ] as const) {
      const options = { ...benchVolumes, processorCount: PROCESSOR_COUNT, isTls };
      vaults.push(await HostedVault.start(repositoryRoot, join(folder, name), options));
    }
    const [before, now] = vaults as [HostedVault, HostedVault];
    return roundMeasurements(await measureRounds({ before, now }, cases, say), "plain");
  } finally {
    await Promise.all(vaults.map((vault) => vault.remove()));
    rmSync(folder, { recursive: true, force: true });
  }
}
