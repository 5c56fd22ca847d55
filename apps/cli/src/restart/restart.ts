/**
 * `vault restart`: restarts the agents of a vault, one after the other, without a failed upload.
 *
 *   whole       the vault has all that it can spare
 *   announced   coordinators of the agent are not ready, and finish what is open
 *   away        the agent has flushed what it holds and ended; its supervisor starts it again
 *   back        as another instance; then the vault becomes whole again, and the next agent follows
 */
import { setTimeout as delay } from "node:timers/promises";
import { VaultFileError } from "@stashlight/node-runtime/config";
import { askProcess, askRestart, type NodeProcess } from "@stashlight/node-runtime/durability";
import { findRunningVault } from "../operate/running-vault.ts";
import type { Screen } from "../screen.ts";
import { counted, formatDuration, formatMinute } from "../units.ts";
import type { VaultAccess } from "../vault/access.ts";
import type { RestartCommand } from "./arguments.ts";
import { RestartNote } from "./note.ts";
import { machineName, orderSteps, type RestartStep } from "./steps.ts";
import { type WaitOutcome, waitUntilWhole } from "./wholeness.ts";

/** An idle vault is whole at once; nodes that are just starting get this time. */
const WHOLE_AT_START_MS = 30_000;
/** Longer than an agent takes to finish its uploads, end, start, and compare what its pods hold. */
const BACK_WITHIN_MS = 900_000;
const LOOK_EVERY_MS = 250;
const UNFINISHED = 1;
const WOULD_STOP_UPLOADS = 3;

interface Running {
  readonly access: VaultAccess;
  readonly screen: Screen;
  readonly interrupted: AbortSignal;
  /** Null for all machines. */
  readonly machine: string | null;
}

/** Resolves to the exit code. Throws a VaultFileError if nothing can be restarted. */
export async function restartAgents(
  { config, machine, isWeakAccepted, noticeMs, isFresh }: RestartCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  const { access } = await findRunningVault(config);
  const running = { access, screen, interrupted, machine };
  const note = machine === null ? RestartNote.open(config, { isFresh, nowMs: Date.now() }) : null;
  const beganAtMs = note?.beganAtMs ?? null;
  const patienceMs = beganAtMs === null ? WHOLE_AT_START_MS : BACK_WITHIN_MS;
  const before = await waitUntilWhole(config, { screen, interrupted, patienceMs });
  if (before.type !== "whole") return explainUnfinished(running, before);
  const all = findSteps(access, await readProcesses(access), machine);
  const steps = note === null ? all : note.waiting(all, Date.now());
  screen.say(describePlan(all.length, steps.length, beganAtMs));
  for (const [at, step] of steps.entries()) {
    if (step.stopsUploads !== null && !isWeakAccepted) {
      screen.say(describeStop(step, steps.length - at));
      return WOULD_STOP_UPLOADS;
    }
    const place = `${all.length - steps.length + at + 1} of ${all.length}`;
    const code = await restartStep(running, step, { place, noticeMs });
    if (code !== 0) return code;
  }
  note?.end();
  screen.say(`${counted(all.length, "agent")} restarted; the vault is whole.`);
  return 0;
}

/** Returns one entry per process. Throws a VaultFileError if a node does not answer, or cannot be restarted. */
async function readProcesses({ file, admin }: VaultAccess): Promise<NodeProcess[]> {
  const processes = new Map<string, NodeProcess>();
  for (const node of file.nodes) {
    if ([...processes.values()].some(({ nodeIds }) => nodeIds.includes(node.id))) continue;
    const answer = await askProcess(node, { access: admin });
    if (answer.type === "silent") throw new VaultFileError(`${node.id} does not answer (${answer.reason}).`);
    if (answer.type === "refused") throw new VaultFileError(answer.sentence);
    processes.set(answer.process.instance, answer.process);
  }
  return [...processes.values()];
}

function findSteps(
  { file }: VaultAccess,
  processes: readonly NodeProcess[],
  machine: string | null,
): RestartStep[] {
  const steps = orderSteps(file, processes).filter((step) => machine === null || step.machine === machine);
  if (steps.length === 0) {
    const known = [...new Set(file.nodes.map(machineName))].join(", ");
    throw new VaultFileError(`The vault has no machine ${machine}; it has ${known}.`);
  }
  const alone = steps.find(({ isSupervised }) => !isSupervised);
  if (alone === undefined) return steps;
  throw new VaultFileError(
    `Nothing was restarted: no supervisor would start ${stepName(alone)} again. Start it by a service of vault join, by vault run, or with --supervised under a supervisor of your own.`,
  );
}

const stepName = ({ machine, nodes }: RestartStep): string =>
  `${machine} (${nodes.map(({ id }) => id).join(", ")})`;

function describePlan(allCount: number, leftCount: number, beganAtMs: number | null): string {
  if (beganAtMs === null) return `Restarting ${counted(allCount, "agent")}, one after the other.`;
  return `Continuing the restart of ${formatMinute(beganAtMs)}: ${allCount - leftCount} of ${counted(allCount, "agent")} have been restarted. --fresh begins again.`;
}

function describeStop(step: RestartStep, leftCount: number): string {
  const left = leftCount === 1 ? "It is" : `${counted(leftCount, "agent")} are`;
  return `! Restarting ${stepName(step)} would stop all uploads: ${step.stopsUploads}. ${left} not restarted; --accept-weak does it, and clients get 503 until it is back.`;
}

async function restartStep(
  running: Running,
  step: RestartStep,
  { place, noticeMs }: { readonly place: string; readonly noticeMs: number },
): Promise<number> {
  const { access, screen, interrupted } = running;
  const startMs = performance.now();
  screen.say(`${place}: ${stepName(step)} hands over.`);
  const hasCoordinator = step.nodes.some(({ role }) => role === "coordinator");
  const back = await waitUntilBack(running, step, hasCoordinator ? noticeMs : 0);
  if (back !== "back") return explainUnfinished(running, back);
  const outcome = await waitUntilWhole(access.path, { screen, interrupted, patienceMs: BACK_WITHIN_MS });
  if (outcome.type !== "whole") return explainUnfinished(running, outcome);
  const seconds = (performance.now() - startMs) / 1000;
  screen.say(`${place}: ${step.machine} is back after ${formatDuration(seconds)}. ${outcome.sentence}`);
  return 0;
}

/** Repeats the request for a restart until the agent accepts it, because an unanswered request may have been lost. */
async function waitUntilBack(
  { access, screen, interrupted }: Running,
  step: RestartStep,
  noticeMs: number,
): Promise<"back" | Exclude<WaitOutcome, { type: "whole" }>> {
  const [node] = step.nodes as [RestartStep["nodes"][number]];
  const asking = { access: access.admin };
  const deadlineMs = performance.now() + BACK_WITHIN_MS;
  while (!interrupted.aborted) {
    const answer = await askProcess(node, asking);
    if (answer.type === "answered" && answer.process.instance !== step.instance) return "back";
    if (answer.type === "answered" && answer.process.phase === "serving") {
      const told = await askRestart(node, { instance: step.instance, noticeMs }, asking);
      if (told.type === "refused") throw new VaultFileError(`${stepName(step)}: ${told.sentence}`);
    }
    if (performance.now() > deadlineMs) {
      const state =
        answer.type === "answered"
          ? `it is ${answer.process.phase}`
          : answer.type === "refused"
            ? answer.sentence.replace(/\.$/, "")
            : "it does not answer";
      return { type: "stuck", sentence: `${stepName(step)} is not back: ${state}.` };
    }
    screen.draw(`${stepName(step)}: ${answer.type === "answered" ? answer.process.phase : "away"}`);
    await delay(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => {});
  }
  return { type: "interrupted" };
}

function explainUnfinished(
  { screen, machine }: Running,
  outcome: Exclude<WaitOutcome, { type: "whole" }>,
): number {
  screen.draw("");
  const again =
    machine === null
      ? "Interrupted; vault restart --rolling continues with the agents that are left."
      : `Interrupted; vault restart ${machine} restarts all agents of the machine again.`;
  screen.say(
    outcome.type === "interrupted"
      ? again
      : `! Stopped: the vault is not whole. ${outcome.sentence} Fix this and run the command again.`,
  );
  return UNFINISHED;
}
