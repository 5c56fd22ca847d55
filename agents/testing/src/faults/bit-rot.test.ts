/**
 * Rounds of bit rot at rest. `npm run drill:bit-rot -- --rounds 100` sets their number and the scheme; `npm test` runs
 * four: one shard, two with one on the stash, one more than the object can spare, and one with kill -9.
 */
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../harness/client.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { drawRotRound, type RotRound } from "../harness/faults/draw-rot-round.ts";
import { drillClient, drillVault } from "../harness/faults/drill.ts";
import { useFileFaults } from "../harness/faults/file-faults.ts";
import { RotDrill, type RotOutcome } from "../harness/faults/rot-drill.ts";
import { renderRot, runRotRounds } from "../harness/faults/run-rot-rounds.ts";
import { startTestVault, type TestVault } from "../harness/vault.ts";

const MIB = 1_048_576;
const setting = (name: string, usual: string): string => process.env[`STASHLIGHT_BIT_ROT_${name}`] ?? usual;
const roundCount = Number(setting("COUNT", "4"));
const seed = Number(setting("SEED", "1"));
const [dataShardCount = 4, parityShardCount = 2] = setting("SCHEME", "4+2").split("+").map(Number);
/** An upload through the stash needs a device for each of its shards. */
const STASH_NODES = 7;
/** Each wait within a round ends within three minutes. */
const ROUND_WITHIN_MS = 600_000;

const faults = useFileFaults("bit rot");
let vault: TestVault | null = null;
afterAll(() => vault?.close());

function noteRound({ number, isOnStash, part, isKilled, hasReaders }: RotRound, outcome: RotOutcome): void {
  const { struckCount, detectedCount, repairedCount, isLost, scrubMs, repairMs } = outcome;
  const where = isOnStash ? ", one on the stash" : "";
  const around = `${isKilled ? ", kill -9" : ""}${hasReaders ? ", readers" : ""}`;
  const end =
    isLost || repairMs === null
      ? "named as lost, and back"
      : `${repairedCount} repaired after ${(repairMs / 1000).toFixed(1)} s`;
  console.log(
    `round ${number}: ${part} of ${struckCount}${where}${around}: ${detectedCount} found in ${(scrubMs / 1000).toFixed(1)} s, ${end}`,
  );
}

describe.skipIf(faults === null)("bits that flip at rest", () => {
  test(
    `are found by one scrub and repaired, or the object is reported lost (${dataShardCount}+${parityShardCount}, seed ${seed})`,
    async () => {
      if (faults === null) return;
      const shardCount = dataShardCount + parityShardCount;
      vault = await startTestVault({
        ...drillVault,
        podVolume: { segmentBytes: 4 * MIB, segmentCount: 8 },
        scheme: { dataShardCount, parityShardCount },
        podNodeCount: shardCount % 5 === 0 ? 5 : 2,
        stashNodeCount: STASH_NODES,
        drivesPerStashNode: Math.ceil(shardCount / STASH_NODES),
        env: faults.env,
      });
      const s3 = createClient(vault, drillClient);
      const drill = await RotDrill.create({ vault, s3, faults });
      const rounds = Array.from({ length: roundCount }, (_, number) =>
        drawRotRound(seed, number, parityShardCount),
      );
      const result = await runRotRounds(drill, rounds, noteRound);
      s3.destroy();
      const table = renderRot(result);
      console.log(
        `MEASURED: bit rot, ${dataShardCount}+${parityShardCount}, seed ${seed}:\n${table.join("\n")}`,
      );
      for (const { round, struckCount, detectedCount, repairedCount, isLost } of result.rounds) {
        expect({ round: round.number, detectedCount, repairedCount }).toEqual({
          round: round.number,
          detectedCount: struckCount,
          repairedCount: isLost ? 0 : struckCount,
        });
      }
      expect(result.findings).toEqual(NO_FINDINGS);
      expect(result.complaints).toEqual([]);
    },
    ROUND_WITHIN_MS * roundCount + 120_000,
  );
});
