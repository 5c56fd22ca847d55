/**
 * `vault drill full`: in each round clients fill the vault until it refuses them, delete half while agents are killed
 * and restarted, fill it again and delete everything. In between, all acknowledged objects are read back.
 */

import { createUniform, shuffled } from "@stashlight/stats/random";
import { createBodies } from "../load/bodies.ts";
import { Ledger } from "../load/ledger.ts";
import { renderVerification } from "../verify/render.ts";
import { isGood, type Verification } from "../verify/verification.ts";
import { verify } from "../verify/verify.ts";
import type { FullDrillCommand } from "./arguments.ts";
import { type DrillPlace, type DrillSurroundings, inVault, prepareBucket } from "./drill-location.ts";
import { deleteAll, type FullContext, fillUp, namesThatMayBeThere, untilTaken } from "./full-steps.ts";
import { type FullRound, type Kill, renderFullRound } from "./render-full.ts";
import { fullShape } from "./temporary-vault.ts";

const BUCKET = "drill";
/** Share of rounds that kill all agents at once; the others kill each agent with even chances. */
const ALL_KILLED_SHARE = 0.35;
/** Share of deletes that counts as "at full" from the start, and as "half full" on either side of the half. */
const DELETES_SHARE = 0.1;
const WRONG_ANSWERS_SHOWN_MAX = 20;

/** Resolves to the exit code: 1 if acknowledged data is lost or wrong, or a client got a wrong answer. */
export async function runFullDrill(
  command: FullDrillCommand,
  surroundings: DrillSurroundings,
): Promise<number> {
  const shape = fullShape(command.podBytes);
  return await inVault(command.config, shape, surroundings, (place) => drill(command, surroundings, place));
}

async function drill(
  command: FullDrillCommand,
  { screen, interrupted, random }: DrillSurroundings,
  { vault, agents }: DrillPlace,
): Promise<number> {
  const { rounds, sizeBytes, clientCount } = command;
  const seed = command.seed ?? Math.floor(random() * 2 ** 32);
  const bodies = createBodies(sizeBytes);
  let serial = 0;
  const context: Omit<FullContext, "random"> = {
    vault,
    agents,
    bucket: BUCKET,
    clientCount,
    interrupted,
    ledger: new Ledger(),
    nextBody: () => bodies[serial++ % bodies.length] as (typeof bodies)[number],
    onProgress: screen.draw,
    wrongAnswers: [],
  };
  screen.say(`Kills are drawn with --seed ${seed}.`);
  screen.draw("Starting the vault");
  await agents.start();
  await prepareBucket(vault, BUCKET);
  try {
    for (let round = 1; round <= rounds; round++) {
      // The number of random draws in a round depends on the objects that it stored.
      const outcome = await runRound({ ...context, random: createUniform(seed + round) });
      const lines = renderFullRound(outcome, { title: `Round ${round} of ${rounds}`, sizeBytes });
      for (const line of lines) screen.say(line);
      if (isRoundGood(outcome)) continue;
      for (const line of listComplaints(outcome, vault.file.scheme)) screen.say(line);
      return 1;
    }
    return 0;
  } catch (error) {
    if (interrupted.aborted) return 1;
    for (const line of listComplaints(
      { verifications: [], wrongAnswers: context.wrongAnswers },
      vault.file.scheme,
    ))
      screen.say(line);
    throw error;
  }
}

async function runRound(context: FullContext): Promise<FullRound> {
  const { agents, ledger, wrongAnswers, bucket, random, interrupted } = context;
  const verifications: Verification[] = [];
  const drawn = { names: drawKilled(agents.names, random), share: random() };
  const first = await fillUp(context, "first");
  verifications.push(await verifyAll(context));
  const names = shuffled(namesThatMayBeThere(ledger), random);
  const kill = await deleteUnderKill(context, names.slice(0, Math.ceil(names.length / 2)), drawn);
  const second = await fillUp(context, "second", kill.deleteCount);
  verifications.push(await verifyAll(context));
  const deletesMs = await deleteAll(context, shuffled(namesThatMayBeThere(ledger), random));
  const firstUploadMs = await untilTaken(context, "after");
  verifications.push(await verifyAll(context));
  interrupted.throwIfAborted();
  if (namesThatMayBeThere(ledger).length > 0) wrongAnswers.push(`${bucket} could not be emptied`);
  return {
    first,
    second,
    verifications,
    kill,
    firstUploadMs,
    wrongAnswers,
    fullDeletesMs: between(deletesMs, 0, DELETES_SHARE),
    halfDeletesMs: between(deletesMs, 0.5 - DELETES_SHARE / 2, 0.5 + DELETES_SHARE / 2),
    peakResidentBytes: agents.peakResidentBytes(),
  };
}

const between = (values: readonly number[], from: number, to: number): readonly number[] =>
  values.slice(Math.floor(values.length * from), Math.ceil(values.length * to));

/** Reads everything back, and notes agents that ended without being killed. */
async function verifyAll(context: FullContext): Promise<Verification> {
  const { vault, agents, ledger, bucket, onProgress, interrupted, wrongAnswers } = context;
  interrupted.throwIfAborted();
  wrongAnswers.push(...agents.endedNames.map((name) => `${name} ended by itself`));
  const client = vault.createClient(8);
  try {
    return await verify({ vault, client, ledger, bucket, onProgress });
  } finally {
    client.close();
  }
}

/** Deletes the objects; kills and restarts agents once this share of the deletes has been acknowledged. */
async function deleteUnderKill(
  context: FullContext,
  names: Parameters<typeof deleteAll>[1],
  { names: killed, share }: { readonly names: readonly string[]; readonly share: number },
): Promise<Kill> {
  const { interrupted } = context;
  const afterCount = 1 + Math.floor(share * (names.length - 1));
  const unstartable = new AbortController();
  let restart: Promise<number> | null = null;
  const onDeleted = (count: number): void => {
    if (count !== afterCount) return;
    restart = killAndStart(context, killed);
    restart.catch(() => unstartable.abort());
  };
  const until = AbortSignal.any([interrupted, unstartable.signal]);
  await deleteAll(context, names, { mayBeDown: true, onDeleted, until });
  const recoveryMs = (await (restart as Promise<number> | null)) ?? 0;
  interrupted.throwIfAborted();
  return { names: killed, afterCount, deleteCount: names.length, recoveryMs };
}

async function killAndStart({ agents }: FullContext, names: readonly string[]): Promise<number> {
  await agents.kill(names);
  const startMs = performance.now();
  await agents.start();
  return performance.now() - startMs;
}

/** Draws all agents, or a random subset with at least one. */
export function drawKilled(names: readonly string[], random: () => number): readonly string[] {
  if (random() < ALL_KILLED_SHARE) return names;
  const sure = Math.floor(random() * names.length);
  return names.filter((_, at) => random() < 0.5 || at === sure);
}

export function isRoundGood({
  verifications,
  wrongAnswers,
}: Pick<FullRound, "verifications" | "wrongAnswers">) {
  return verifications.every(isGood) && wrongAnswers.length === 0;
}

function listComplaints(
  { verifications, wrongAnswers }: Pick<FullRound, "verifications" | "wrongAnswers">,
  scheme: DrillPlace["vault"]["file"]["scheme"],
): string[] {
  const found = verifications
    .filter((each) => !isGood(each))
    .flatMap((each) => renderVerification(each, scheme));
  const shown = wrongAnswers.slice(0, WRONG_ANSWERS_SHOWN_MAX).map((answer) => `  wrong answer: ${answer}`);
  const hiddenCount = wrongAnswers.length - shown.length;
  return [...found, ...shown, ...(hiddenCount > 0 ? [`  and ${hiddenCount} more wrong answers`] : [])];
}
