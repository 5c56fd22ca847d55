/**
 * Rounds of random drive faults on a vault of 16+4 under load. `npm run drill:drives -- --rounds 200` sets their number
 * and duration; in `npm test` they are few and short.
 */
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../harness/client.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { drawRound, type Round } from "../harness/faults/draw-round.ts";
import { Drill, drillClient, drillVault } from "../harness/faults/drill.ts";
import { driveAddresses, type FileFaults, useFileFaults } from "../harness/faults/file-faults.ts";
import { addRounds, type RoundsResult, renderRounds, runRounds } from "../harness/faults/run-rounds.ts";
import { startTestVault, type TestVault } from "../harness/vault.ts";

const MIB = 1_048_576;
const setting = (name: string, usual: number): number =>
  Number(process.env[`STASHLIGHT_DRIVE_ROUNDS_${name}`] ?? usual);
const roundCount = setting("COUNT", 3);
const vaultCount = setting("VAULTS", 1);
const secondsMax = setting("SECONDS_MAX", 2);
/** Every run has the same rounds, with reads, writes and syncs, unless `drill:drives` draws others. */
const seed = setting("SEED", 586_097);
const DRIVE_COUNT_MAX = 20;
/** After a fault ends, up to two minutes pass until all drives work, followed by two comparisons. */
const ROUND_WITHIN_MS = secondsMax * 1000 + 300_000;

const vaultFaults = Array.from({ length: vaultCount }, () =>
  useFileFaults("a vault under random drive faults"),
).filter((faults) => faults !== null);
const vaults: TestVault[] = [];
afterAll(() => Promise.all(vaults.map((vault) => vault.close())));

const startVault = (faults: FileFaults): Promise<TestVault> =>
  startTestVault({
    ...drillVault,
    podVolume: { segmentBytes: 4 * MIB, segmentCount: 12 },
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    podNodeCount: 5,
    stashNodeCount: 7,
    env: faults.env,
  });

function noteRound({ number, modes, addresses, seconds, restart }: Round): void {
  const drives = `${addresses.length} ${addresses.length === 1 ? "drive" : "drives"}`;
  console.log(
    `round ${number}: ${modes.join("+")} of ${drives} for ${seconds.toFixed(1)} s, restart: ${restart}`,
  );
}

/** Runs the rounds of one of several vaults that share them. */
async function runShare(faults: FileFaults, at: number): Promise<RoundsResult> {
  const vault = await startVault(faults);
  vaults.push(vault);
  const s3 = createClient(vault, drillClient);
  const drill = await Drill.create({ vault, s3, faults });
  const addresses = [...driveAddresses(vault, "pod"), ...driveAddresses(vault, "stash")];
  const limits = { addresses, driveCountMax: DRIVE_COUNT_MAX, secondsMin: 1, secondsMax };
  const rounds: Round[] = [];
  for (let number = at; number < roundCount; number += vaultCount)
    rounds.push(drawRound(seed, number, limits));
  const result = await runRounds(drill, rounds, noteRound);
  s3.destroy();
  return result;
}

describe.skipIf(vaultFaults.length === 0)("random drive faults", () => {
  test(
    `lose no acknowledged object and no bucket (seed ${seed})`,
    async () => {
      const result = addRounds(await Promise.all(vaultFaults.map(runShare)));
      const table = renderRounds(result);
      console.log(
        `MEASURED: ${roundCount} rounds of drive faults, seed ${seed}: ${table
          .slice(1)
          .map((line) => line.replace(/ {2,}/, " "))
          .join("; ")}`,
      );
      for (const line of table) console.log(line);
      expect(result.failedCallCount).toBeGreaterThan(0);
      expect(result.findings).toEqual(NO_FINDINGS);
      expect(result.complaints).toEqual([]);
    },
    ROUND_WITHIN_MS * Math.ceil(roundCount / vaultCount) + 120_000,
  );
});
