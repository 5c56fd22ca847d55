/** `vault scrub`: verifies drives' content from now on, and shows progress and findings. */
import { setTimeout as delay } from "node:timers/promises";
import { type VaultFile, VaultFileError, type VaultNode } from "@stashlight/node-runtime/config";
import { type AskAdmin, askAdmin } from "@stashlight/node-runtime/durability";
import type { Screen } from "../screen.ts";
import { formatSize } from "../units.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import type { ScrubCommand } from "./arguments.ts";
import {
  describeResult,
  describeUnderWay,
  renderScrub,
  type ScrubbedDrive,
  scrubEnd,
  scrubPageSchema,
} from "./report.ts";

const LOOK_EVERY_MS = 1000;

interface AskedNode {
  readonly node: VaultNode;
  readonly drives: readonly string[];
}

interface Answers {
  readonly drives: readonly ScrubbedDrive[];
  /** Reasons that nodes did not answer, one sentence each. */
  readonly silences: readonly string[];
}

type Ask = (node: VaultNode, post?: object) => ReturnType<AskAdmin>;

/** Resolves to the exit code: 1 if a drive was not reached, or data is corrupt or unreadable at the end. */
export async function runScrub(
  command: ScrubCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  const vault: VaultAccess = openVault(command.config);
  const ask: Ask = (node, post) => askAdmin(node, "/scrub", { access: vault.admin, ...(post && { post }) });
  const nodes = askedNodes(vault.file, command.drives);
  const { isStopped, bytesPerSecond } = command;
  const action = isStopped
    ? { action: "stop" }
    : { action: "start", ...(bytesPerSecond !== null && { bytesPerSecond }) };
  const first = await askAll(nodes, ({ node, drives }) => ask(node, { ...action, drives }));
  for (const silence of first.silences) screen.say(`! ${silence}`);
  const isComplete = first.silences.length === 0;
  if (first.drives.length === 0) return 1;
  if (isStopped) {
    screen.say("The drives continue with their scheduled rounds.");
    return isComplete ? 0 : 1;
  }
  const startedAtMs = new Map(first.drives.map(({ address, scrub }) => [address, scrub.startedAtMs]));
  if (!command.isWaiting) {
    for (const line of renderScrub(first.drives, startedAtMs)) screen.say(line);
    const rate = bytesPerSecond === null ? "" : ` at up to ${formatSize(bytesPerSecond)}/s each`;
    screen.say(
      `The drives are read from the beginning${rate} while clients are served. vault scrub --wait shows the progress; vault scrub --stop ends it.`,
    );
    return isComplete ? 0 : 1;
  }
  return (await follow(nodes, ask, startedAtMs, screen, interrupted)) && isComplete ? 0 : 1;
}

/** Throws a VaultFileError for an unknown drive. Null selects all drives. */
export function askedNodes({ nodes }: VaultFile, drives: readonly string[] | null): AskedNode[] {
  const holders = nodes.flatMap((node): AskedNode[] => {
    if (node.role === "coordinator") return [];
    const addresses =
      node.role === "pod"
        ? node.drives.map(({ pod }) => `p${pod}`)
        : node.drives.map(({ device }) => `s${device}`);
    return [{ node, drives: addresses }];
  });
  if (drives === null) return holders;
  const foreign = drives.find((drive) => !holders.some((holder) => holder.drives.includes(drive)));
  if (foreign !== undefined) {
    const known = holders.flatMap((holder) => holder.drives);
    throw new VaultFileError(`The vault has no drive ${foreign}; it has ${known.join(", ")}.`);
  }
  return holders
    .map(({ node, drives: own }) => ({ node, drives: own.filter((drive) => drives.includes(drive)) }))
    .filter((holder) => holder.drives.length > 0);
}

async function follow(
  nodes: readonly AskedNode[],
  ask: Ask,
  startedAtMs: ReadonlyMap<string, number>,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<boolean> {
  const complained = new Set<string>();
  while (!interrupted.aborted) {
    const { drives, silences } = await askAll(nodes, ({ node }) => ask(node));
    const troubles = [
      ...silences,
      ...drives.filter(({ address }) => startedAtMs.has(address)).flatMap(describeTrouble),
    ];
    for (const trouble of troubles.filter((each) => !complained.has(each))) {
      complained.add(trouble);
      screen.say(`! ${trouble}`);
    }
    const isOver = [...startedAtMs].every(([address, startedMs]) => {
      const drive = drives.find((each) => each.address === address);
      return drive !== undefined && scrubEnd(drive, startedMs) !== "in progress";
    });
    if (isOver) {
      for (const line of renderScrub(drives, startedAtMs)) screen.say(line);
      const { sentence, isWell } = describeResult(drives, startedAtMs);
      screen.say(sentence);
      return isWell;
    }
    screen.draw(describeUnderWay(drives, startedAtMs));
    await delay(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => {});
  }
  screen.draw("");
  screen.say("The scrub continues; npm run stashlight -- vault scrub --wait shows its progress.");
  return false;
}

function describeTrouble({ address, state }: ScrubbedDrive): string[] {
  if (state.type === "running" || state.type === "opening") return [];
  const reason = state.reason === undefined ? "" : `: ${state.reason.replace(/\.$/, "")}`;
  return [`${address} is ${state.type}${reason}. Its scrub continues once it is open again.`];
}

async function askAll(
  nodes: readonly AskedNode[],
  ask: (node: AskedNode) => ReturnType<AskAdmin>,
): Promise<Answers> {
  const answers = await Promise.all(nodes.map(async (each) => ({ each, answer: await ask(each) })));
  const drives: ScrubbedDrive[] = [];
  const silences: string[] = [];
  for (const { each, answer } of answers) {
    const { id } = each.node;
    const page = answer.type === "answered" ? scrubPageSchema.safeParse(answer.body) : null;
    if (page?.success)
      drives.push(...page.data.drives.filter(({ address }) => each.drives.includes(address)));
    else if (answer.type === "silent") silences.push(`${id} does not answer (${answer.reason}).`);
    else if (answer.status === 404 || answer.status === 405) {
      silences.push(`${id} runs an agent version without on-demand scrubs; update it.`);
    } else silences.push(`${id} answered ${answer.status}: ${String(answer.body)}`);
  }
  return { drives, silences };
}
