/** Compares two vaults of this checkout that differ in one option (interleaved-rounds.ts). */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { HostedVault } from "./hosted-vault.ts";
import { type Case, measureRounds, type PrintLine, roundMeasurements } from "./interleaved-rounds.ts";
import { type BenchVaultOptions, benchVolumes } from "./running.ts";

type Changes = Omit<BenchVaultOptions, keyof typeof benchVolumes>;

/** Throws an Error if an operation fails for a reason other than overload. */
export async function comparePair(
  {
    name,
    plain = {},
    changed,
  }: { readonly name: string; readonly plain?: Changes; readonly changed: Changes },
  cases: readonly Case[],
  say: PrintLine,
): Promise<Measurement[]> {
  const folder = mkdtempSync(join(repositoryRoot, `node_modules/.bench-${name}-`));
  const vaults: HostedVault[] = [];
  try {
    for (const [subfolder, changes] of Object.entries({ plain, [name]: changed })) {
      const options = { ...benchVolumes, ...changes };
      vaults.push(await HostedVault.start(repositoryRoot, join(folder, subfolder), options));
    }
    const [before, now] = vaults as [HostedVault, HostedVault];
    return roundMeasurements(await measureRounds({ before, now }, cases, say), "plain");
  } finally {
    await Promise.all(vaults.map((vault) => vault.remove()));
    rmSync(folder, { recursive: true, force: true });
  }
}
