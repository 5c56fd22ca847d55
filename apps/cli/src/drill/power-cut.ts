/**
 * `vault drill power-cut`: under load, all processes of a vault are killed at once; it is started again, at times killed
 * once more while it recovers, and then everything that it has ever acknowledged is read back.
 */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { S3ClientError } from "@stashlight/s3/client";
import type { DrillCommand } from "../arguments.ts";
import { type Body, createBodies } from "../load/bodies.ts";
import { Ledger } from "../load/ledger.ts";
import { atOnce } from "../load/pace.ts";
import { createStats, runWriters } from "../load/writers.ts";
import type { Screen } from "../screen.ts";
import { counted, formatCount } from "../units.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import { patiently } from "../vault/patience.ts";
import { renderVerification } from "../verify/render.ts";
import { isGood, type Verification } from "../verify/verification.ts";
import { verify } from "../verify/verify.ts";
import { Agents, DrillError } from "./agents.ts";
import { createTemporaryVault, drillShape, type VaultShape } from "./temporary-vault.ts";

export interface DrillSurroundings {
  readonly projectDirectory: string;
  /** Where the vault of the drill is made. */
  readonly parentFolder: string;
  readonly screen: Screen;
  readonly interrupted: AbortSignal;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly shape?: VaultShape;
}

const BUCKET = "drill";
const KEY_COUNT = 200;
const LOAD_MS_MIN = 500;
const LOAD_MS_MAX = 3000;
/** In so many rounds the power fails again while the vault recovers. */
const SECOND_CUT_SHARE = 0.3;
const SECOND_CUT_MS_MAX = 4000;

/** Resolves to the exit code: 1 when anything that was acknowledged is lost or wrong. */
export async function runDrill(command: DrillCommand, surroundings: DrillSurroundings): Promise<number> {
  const { parentFolder, screen } = surroundings;
  if (command.config !== null) {
    const vault = openVault(command.config);
    if (!isOfDrillDrives(vault))
      screen.say("Not all drives of this vault are drill drives: they keep what was written and not synced.");
    const logFolder = join(dirname(command.config), "drill-logs");
    return await drill(command, surroundings, { vault, logFolder, mayFormat: false });
  }
  const { folder, config } = await createTemporaryVault(parentFolder, surroundings.shape ?? drillShape);
  let exitCode = 1;
  try {
    const logFolder = join(folder, "logs");
    exitCode = await drill(command, surroundings, { vault: openVault(config), logFolder, mayFormat: true });
  } finally {
    if (exitCode === 0) rmSync(folder, { recursive: true });
    else screen.say(`The vault of the drill and its logs are kept in ${folder}.`);
  }
  return exitCode;
}

interface Place {
  readonly vault: VaultAccess;
  readonly logFolder: string;
  readonly mayFormat: boolean;
}

async function drill(
  command: DrillCommand,
  surroundings: DrillSurroundings,
  { vault, logFolder, mayFormat }: Place,
): Promise<number> {
  const { projectDirectory, screen, interrupted } = surroundings;
  const { times, sizeBytes, concurrency } = command;
  const { scheme } = vault.file;
  const agents = new Agents({ projectDirectory, vault, logFolder, mayFormat });
  const context = {
    ...{ vault, agents, surroundings, concurrency },
    ledger: new Ledger(),
    bodies: createBodies(sizeBytes),
  };
  try {
    screen.draw("Starting the vault");
    await agents.start();
    await prepareBucket(vault);
    for (let round = 1; round <= times && !interrupted.aborted; round++) {
      const outcome = await runRound(context, round);
      screen.say(describeRound(outcome, `${round} of ${times}`));
      if (isGood(outcome.verification)) continue;
      for (const line of renderVerification(outcome.verification, scheme)) screen.say(line);
      return 1;
    }
    return interrupted.aborted ? 1 : 0;
  } finally {
    await agents.stop();
  }
}

async function prepareBucket(vault: VaultAccess): Promise<void> {
  const client = vault.createClient(1);
  try {
    await patiently(() => client.ensureBucket(BUCKET));
  } finally {
    client.close();
  }
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
    screen.draw(`Round ${round}: recovering, to be cut off again`);
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

/** Uploads, and kills every agent in the midst of it. */
async function loadUntilCut(
  { vault, agents, concurrency, ledger, bodies, surroundings }: DrillContext,
  loadMs: number,
): Promise<number> {
  const cut = new AbortController();
  const client = vault.createClient(concurrency);
  const stats = createStats();
  const writing = runWriters({
    ...{ client, bucket: BUCKET, prefix: "drill", bodies, keyCount: KEY_COUNT, concurrency },
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
