/** Summary of a vault's machines, and of their nodes' clocks and certificates. */
import { certificateMarks, clockMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import type { VaultFile, VaultNode } from "@stashlight/node-runtime/config";
import { counted } from "../units.ts";

export interface NodeIdentity {
  /** Lower bound of the node's clock minus this machine's clock; negative if it is behind. */
  readonly skewMs: number;
  /** Time when the first of its certificates expires; null for a node without certificates. */
  readonly validUntilMs: number | null;
}

type Answer =
  | { readonly type: "up"; readonly identity?: NodeIdentity | null }
  | { readonly type: "silent"; readonly reason: string };
type AnswerOf = (node: VaultNode) => Answer | undefined;

export interface MachineReport {
  readonly machine: string;
  readonly host: string;
  readonly zone: string | null;
  readonly nodeCount: number;
  readonly answeringCount: number;
  /** Reason that its nodes are silent, if none of them answers. */
  readonly silence: string | null;
  readonly validUntilMs: number | null;
  readonly skewMs: number | null;
}

/** Machines with problems first. */
export function machineReports({ nodes }: VaultFile, answerOf: AnswerOf): MachineReport[] {
  const named = nodes.filter(({ machine }) => machine !== undefined);
  return [...Map.groupBy(named, ({ machine }) => machine as string)]
    .map(([machine, members]) => machineReport(machine, members, answerOf))
    .sort((a, b) => answeringShare(a) - answeringShare(b));
}

const answeringShare = ({ answeringCount, nodeCount }: MachineReport): number => answeringCount / nodeCount;

function machineReport(machine: string, members: readonly VaultNode[], answerOf: AnswerOf): MachineReport {
  const [first] = members as [VaultNode];
  const answers = members.map(answerOf);
  const up = answers.flatMap((answer) => (answer?.type === "up" ? [answer.identity ?? null] : []));
  const silent = answers.find((answer) => answer?.type === "silent");
  const untilMs = up.flatMap((identity) => identity?.validUntilMs ?? []);
  const skews = up.flatMap((identity) => identity?.skewMs ?? []);
  return {
    machine,
    host: first.host,
    zone: first.zone ?? null,
    nodeCount: members.length,
    answeringCount: up.length,
    silence: up.length === 0 && silent?.type === "silent" ? silent.reason : null,
    validUntilMs: untilMs.length === 0 ? null : Math.min(...untilMs),
    skewMs: skews.length === 0 ? null : (skews.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null),
  };
}

/** Keyed by machine, one sentence for all of its nodes. */
export function silentMachines(machines: readonly MachineReport[]): Map<string, string> {
  return new Map(
    machines.flatMap(({ machine, host, nodeCount, silence }) =>
      silence === null
        ? []
        : [
            [
              machine,
              `The machine ${machine} (${host}) does not answer: ${counted(nodeCount, "node")} (${silence}).`,
            ],
          ],
    ),
  );
}

export function identityProblems({ id }: VaultNode, answer: Answer | undefined, nowMs: number): string[] {
  if (answer?.type === "silent") {
    return /CERT_HAS_EXPIRED|certificate has expired/.test(answer.reason)
      ? [
          `The certificate of ${id} has expired; create a new bundle with vault bundle, and run vault join again.`,
        ]
      : [];
  }
  const identity = answer?.identity ?? null;
  if (identity === null) return [];
  const { skewMs, validUntilMs } = identity;
  const problems: string[] = [];
  if (validUntilMs !== null) {
    const daysLeft = Math.floor((validUntilMs - nowMs) / DAY_MS);
    if (daysLeft < certificateMarks.renewDaysLeft) {
      problems.push(
        `The certificate of ${id} expires in ${counted(Math.max(0, daysLeft), "day")}; run vault renew.`,
      );
    }
  }
  if (Math.abs(skewMs) > clockMarks.skewMsMax) {
    const direction = skewMs > 0 ? "ahead of" : "behind";
    problems.push(
      `The clock of ${id} is ${Math.round(Math.abs(skewMs) / 1000)} s ${direction} this machine's; ${clockMarks.skewMsMax / 1000} s are allowed.`,
    );
  }
  return problems;
}
