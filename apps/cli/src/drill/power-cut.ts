/**
 * `vault drill power-cut`: under load, kills all processes of a vault at once, starts it again, sometimes kills it once
 * more while it recovers, and then reads back everything it has ever acknowledged.
 */
import { setTimeout as delay } from "node:timers/promises";
import { S3ClientError } from "@stashlight/s3/client";
import { type Body, createBodies } from "../load/bodies.ts";
import { Ledger } from "../load/ledger.ts";
import { atOnce } from "../load/pace.ts";
import { createStats, runWriters } from "../load/writers.ts";
import { counted, formatCount } from "../units.ts";
import type { VaultAccess } from "../vault/access.ts";
import { renderVerification } from "../verify/render.ts";
import { isGood, type Verification } from "../verify/verification.ts";
import { verify } from "../verify/verify.ts";
import { type Agents, DrillError } from "./agents.ts";
import type { PowerCutDrillCommand } from "./arguments.ts";
import { type DrillPlace, type DrillSurroundings, inVault, prepareBucket } from "./drill-location.ts";
import { powerCutShape } from "./temporary-vault.ts";

const BUCKET = "drill";
const KEY_COUNT = 200;
const LOAD_MS_MIN = 500;
const LOAD_MS_MAX = 3000;
/** Share of rounds in which the power fails again during recovery. */
const SECOND_CUT_SHARE = 0.3;
const SECOND_CUT_MS_MAX = 4000;

/** Resolves to the exit code: 1 if acknowledged data is lost or wrong. */
export async function runPowerCutDrill(
  command: PowerCutDrillCommand,
  surroundings: DrillSurroundings,
): Promise<number> {
  return await inVault(command.config, powerCutShape, surroundings, async (place) => {
    if (!isOfDrillDrives(place.vault)) {
      surroundings.screen.say(
        "Not all drives of this vault are drill drives, so some keep writes that were never synced.",
      );
    }
    return await drill(command, surroundings, place);
  });
}

async function drill(
  command: PowerCutDrillCommand,
  surroundings: DrillSurroundings,
  { vault, agents }: DrillPlace,
): Promise<number> {
  const { screen, interrupted } = surroundings;
  const { times, sizeBytes, concurrency } = command;
  const { scheme } = vault.file;
  const context = {
    vault,
    agents,
    surroundings,
    concurrency,
    ledger: new Ledger(),
    bodies: createBodies(sizeBytes),
  };
  screen.draw("Starting the vault");
  await agents.start();
  await prepareBucket(vault, BUCKET);
  for (let round = 1; round <= times && !interrupted.aborted; round++) {
    const outcome = await runRound(context, round);
    screen.say(describeRound(outcome, `${round} of ${times}`));
    if (isGood(outcome.verification)) continue;
    for (const line of renderVerification(outcome.verification, scheme)) screen.say(line);
    return 1;
  }
  return interrupted.aborted ? 1 : 0;
}

interface DrillContext {
  readonly vault: VaultAccess;
  readonly agents: Agents;
  readonly surroundings: DrillSurroundings;
  readonly concurrency: number;
  readonly ledger: Ledger;
  readonly bodies: readonly Body[];
}

interface RoundOutcome {
  readonly acknowledgedCount: number;
  readonly loadMs: number;
  readonly cutCount: number;
  readonly recoveryMs: number;
  readonly verification: Verification;
}

async function runRound(context: DrillContext, round: number): Promise<RoundOutcome> {
  const { vault, agents, surroundings, ledger } = context;
  const { screen, random } = surroundings;
  const loadMs = LOAD_MS_MIN + random() * (LOAD_MS_MAX - LOAD_MS_MIN);
  screen.draw(`Round ${round}: uploading`);
  const acknowledgedCount = await loadUntilCut(context, loadMs);
  let cutCount = 1;
  if (random() < SECOND_CUT_SHARE) {
    screen.draw(`Round ${round}: recovering, until the next power cut`);
    await startAndCut(agents, random() * SECOND_CUT_MS_MAX);
    cutCount += 1;
  }
  screen.draw(`Round ${round}: recovering`);
  const startMs = performance.now();
  await agents.start();
  const recoveryMs = performance.now() - startMs;
  const client = vault.createClient(8);
  const onProgress = (line: string) => screen.draw(`Round ${round}: ${line}`);
  try {
    const verification = await verify({ vault, client, ledger, bucket: BUCKET, onProgress });
    return { acknowledgedCount, loadMs, cutCount, recoveryMs, verification };
  } finally {
    client.close();
  }
}

/** Uploads, and kills every agent in mid-upload. */
async function loadUntilCut(
  { vault, agents, concurrency, ledger, bodies, surroundings }: DrillContext,
  loadMs: number,
): Promise<number> {
  const cut = new AbortController();
  const client = vault.createClient(concurrency);
  const stats = createStats();
  const writing = runWriters({
    client,
    bucket: BUCKET,
    prefix: "drill",
    bodies,
    keyCount: KEY_COUNT,
    concurrency,
    pace: atOnce,
    until: cut.signal,
    note: (entry) => ledger.note(entry),
    stats,
    nowMs: () => performance.now(),
  });
  try {
    await Promise.race([writing, delay(loadMs, undefined, { signal: surroundings.interrupted })]);
  } catch (error) {
    if (!surroundings.interrupted.aborted) throw error;
  } finally {
    await agents.kill();
    cut.abort();
    await writing.catch(ignoreBrokenRequests);
    client.close();
  }
  return stats.durationsMs.length;
}

function ignoreBrokenRequests(error: unknown): void {
  if (!(error instanceof S3ClientError)) throw error;
}

async function startAndCut(agents: Agents, afterMs: number): Promise<void> {
  const starting = agents.start().catch((error: unknown) => {
    if (!(error instanceof DrillError)) throw error;
  });
  await delay(afterMs);
  await agents.kill();
  await starting;
}

function isOfDrillDrives({ file }: VaultAccess): boolean {
  return file.nodes.every(
    (node) => node.role === "coordinator" || node.drives.every(({ disk }) => disk === "drill"),
  );
}

function describeRound(outcome: RoundOutcome, round: string): string {
  const { acknowledgedCount, loadMs, cutCount, recoveryMs, verification } = outcome;
  const { rightCount, lost, wrong, weakest } = verification;
  const margin = weakest === null ? "" : `, least durable ${weakest.durableShardCount ?? 0} shards`;
  return (
    `Round ${round}: ${counted(acknowledgedCount, "upload")} in ${(loadMs / 1000).toFixed(1)} s, ` +
    `${counted(cutCount, "power cut")}, back in ${(recoveryMs / 1000).toFixed(1)} s: ` +
    `${formatCount(rightCount)} right, ${formatCount(lost.length)} lost, ${formatCount(wrong.length)} wrong${margin}.`
  );
}
