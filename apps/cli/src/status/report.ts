/** Derives the report on a vault from its nodes' answers. */
import { type Fill, type IndexUse, measureFill } from "@stashlight/contracts/space";
import {
  type DriveConfig,
  type PodNode,
  podRoom,
  type Quarantine,
  rebuildRate,
  type StashNode,
  type VaultFile,
  type VaultNode,
} from "@stashlight/node-runtime/config";
import { counted } from "../units.ts";
import { type DurabilityReport, reportDurability } from "./durability.ts";
import { fullnessProblems, indexProblems, readFill, readIndexUse } from "./fill.ts";
import type { CoordinatorHealth, DriveHealth } from "./health.ts";
import { type DriveIntegrity, describeScrub, integrityProblems } from "./integrity.ts";
import {
  identityProblems,
  type MachineReport,
  machineReports,
  type NodeIdentity,
  silentMachines,
} from "./machines.ts";

export type NodeAnswer<Health> =
  /** `unreadiness` is null for a working node. */
  | {
      readonly type: "up";
      readonly unreadiness: string | null;
      readonly health: Health;
      /** Null for an agent that does not report it. */
      readonly identity?: NodeIdentity | null;
    }
  | { readonly type: "silent"; readonly reason: string };

export interface NodeAnswers {
  readonly coordinators: ReadonlyMap<string, NodeAnswer<CoordinatorHealth>>;
  readonly drives: ReadonlyMap<string, NodeAnswer<readonly DriveHealth[]>>;
}

export interface CoordinatorReport {
  readonly node: string;
  readonly s3: string;
  readonly isReady: boolean;
  readonly settledPodCount: number | null;
  readonly openRequestCount: number | null;
}

export type MissingReport = NonNullable<DriveHealth["missing"]>;
export type DrainReport = NonNullable<DriveHealth["draining"]>;

export interface DriveReport {
  /** Number of the pod or stash device. */
  readonly index: number;
  readonly node: string;
  /** `settled` for a healthy pod, `serving` for a healthy stash device. */
  readonly state: string;
  readonly isWell: boolean;
  /** False for a pod that has settled by its own answer, and is not counted by any coordinator. */
  readonly isCounted: boolean;
  /**
   * For a pod, the fill of its drive. For a stash device, the share of its bytes in unpurged shards. Null if the drive
   * does not report it.
   */
  readonly takenShare: number | null;
  readonly liveRecordCount: number | null;
  /** Shards that a pod knows of and does not hold; null for a stash device, and until the pod reports it. */
  readonly missing: MissingReport | null;
  /** Shards still held by a draining stash device; null for others. */
  readonly draining: DrainReport | null;
  /** Null for drives that take part in new uploads. */
  readonly quarantine: Quarantine | null;
  /** Reason why its values do not reflect a drive at its own speed. */
  readonly note: string | null;
}

export interface StatusReport {
  readonly name: string;
  readonly scheme: string;
  readonly epoch: number;
  readonly podCount: number;
  /** All coordinators accept uploads. */
  readonly isReady: boolean;
  /** Null if no coordinator reports it. */
  readonly fill: Fill | null;
  /** Null for pods that do not report it. */
  readonly index: IndexUse | null;
  /** Number of objects that coordinators have found unreadable until drives come back. */
  readonly lostObjectCount: number;
  /** Minimum number of shards that acknowledged uploads can lose, from a sample; null if unknown. */
  readonly margin: number | null;
  readonly rebuildBytesPerSecond: number;
  readonly durability: DurabilityReport;
  /** Sentence about the last verification of the drives' data; null if no drive reports it. */
  readonly scrub: string | null;
  /** One sentence each. */
  readonly problems: readonly string[];
  /** Empty for a vault of one machine. */
  readonly machines: readonly MachineReport[];
  readonly coordinators: readonly CoordinatorReport[];
  readonly pods: readonly DriveReport[];
  readonly stash: readonly DriveReport[];
}

function lostProblems(lostObjectCount: number): string[] {
  if (lostObjectCount === 0) return [];
  return [
    `${counted(lostObjectCount, "object")} cannot be read until drives come back; vault lost names them and the drives.`,
  ];
}

/** Listed once, although every coordinator that lacks the key reports it. */
function encryptionProblems({ coordinators }: NodeAnswers): string[] {
  const sentences = [...coordinators.values()].flatMap((answer) => {
    const problem = answer.type === "up" ? answer.health.encryption?.problem : null;
    return problem == null
      ? []
      : [`Encrypted objects cannot be read or written, at the latest once coordinators restart: ${problem}`];
  });
  return [...new Set(sentences)];
}

const WELL_STATES: ReadonlySet<string> = new Set(["settled", "serving"]);

function coordinatorReports({ nodes }: VaultFile, answers: NodeAnswers): CoordinatorReport[] {
  return nodes
    .filter((node) => node.role === "coordinator")
    .map((node): CoordinatorReport => {
      const answer = answers.coordinators.get(node.id);
      const health = answer?.type === "up" ? answer.health : null;
      return {
        node: node.id,
        s3: `${node.s3.tls === undefined ? "http" : "https"}://${node.s3.host}:${node.s3.port}`,
        isReady: answer?.type === "up" && answer.unreadiness === null,
        settledPodCount: health?.settledPodCount ?? null,
        openRequestCount: health?.openRequestCount ?? null,
      };
    });
}

export function buildStatusReport(
  file: VaultFile,
  answers: NodeAnswers,
  { nowMs = 0, lostObjectCount = 0 }: { readonly nowMs?: number; readonly lostObjectCount?: number } = {},
): StatusReport {
  const { name, scheme, epoch, nodes } = file;
  const podNodes = nodes.filter((node) => node.role === "pod");
  const stashNodes = nodes.filter((node) => node.role === "stash");
  const holders = [...podNodes, ...stashNodes];
  const coordinators = coordinatorReports(file, answers);
  const fill = readFill(
    [...answers.coordinators.values()].flatMap((answer) => (answer.type === "up" ? [answer.health] : [])),
    podNodes.flatMap((node) => drivesIn(node, answers)),
    nowMs,
  );
  const index = readIndexUse(podNodes.flatMap((node) => drivesIn(node, answers)));
  const nodeAnswer = (node: VaultNode) =>
    (node.role === "coordinator" ? answers.coordinators : answers.drives).get(node.id);
  const machines = machineReports(file, nodeAnswer);
  const silent = silentMachines(machines);
  const uncounted = uncountedPods(answers);
  const podCount = scheme.dataShardCount + scheme.parityShardCount;
  const isOfSilent = ({ machine }: VaultNode): boolean => machine !== undefined && silent.has(machine);
  return {
    name,
    fill,
    index,
    machines,
    margin: minOrNull([...answers.coordinators.values()].flatMap(marginsIn)),
    rebuildBytesPerSecond: rebuildRate(file),
    durability: reportDurability(
      file,
      podNodes.flatMap((node) =>
        drivesIn(node, answers).map((health, at) => {
          const pod = node.drives[at]?.pod ?? at;
          // A coordinator that has just started counts no pod yet, which does not mean that all pods are down.
          const isCounted = !uncounted.has(pod) || uncounted.size === podCount;
          return { pod, health, isCounted };
        }),
      ),
    ),
    scrub: describeScrub(
      holders.flatMap((node) => readIntegrity(node, answers)),
      holders.reduce((count, { drives }) => count + drives.length, 0),
    ),
    scheme: `${scheme.dataShardCount}+${scheme.parityShardCount}`,
    epoch,
    podCount,
    isReady: coordinators.every(({ isReady }) => isReady),
    lostObjectCount,
    problems: [
      ...silent.values(),
      ...lostProblems(lostObjectCount),
      ...encryptionProblems(answers),
      ...fullnessProblems(file, fill),
      ...problemsOfIndexes(file, index, answers),
      ...nodes.filter((node) => !isOfSilent(node)).flatMap((node) => nodeProblems(node, answers, uncounted)),
      ...holders.flatMap((node) => readIntegrity(node, answers)).flatMap(integrityProblems),
      ...nodes.flatMap((node) => identityProblems(node, nodeAnswer(node), nowMs)),
    ],
    coordinators,
    pods: podNodes.flatMap((node) => driveReports(node, answers, uncounted)).sort(byProblem),
    stash: stashNodes.flatMap((node) => driveReports(node, answers)).sort(byProblem),
  };
}

/** Uploads depend on the pods that coordinators count, whatever the pods themselves answer. */
function uncountedPods({ coordinators }: NodeAnswers): ReadonlySet<number> {
  const [first = [], ...others] = [...coordinators.values()].flatMap((answer) =>
    answer.type === "up" ? [answer.health.unsettledPods ?? []] : [],
  );
  return new Set(first.filter((pod) => others.every((list) => list.includes(pod))));
}

function driveReports(
  node: PodNode | StashNode,
  { drives: answers }: NodeAnswers,
  uncounted: ReadonlySet<number> = new Set(),
): DriveReport[] {
  const answer = answers.get(node.id);
  return node.drives.map((drive) => {
    const index = driveIndex(drive);
    const found = answer?.type === "up" ? findHealth(drive, answer.health) : undefined;
    const state = found === undefined ? "silent" : (found.state.lifecycle ?? found.state.type);
    return {
      index,
      node: node.id,
      state,
      isWell: WELL_STATES.has(state),
      isCounted: state !== "settled" || !uncounted.has(index),
      takenShare: found?.log == null ? null : logTakenShare(node, found.log),
      liveRecordCount: found?.log?.recordsLive ?? null,
      missing: found?.missing ?? null,
      draining: found?.draining ?? null,
      // A device stays in quarantine while its node is silent.
      quarantine: found?.quarantine ?? ("quarantine" in drive ? (drive.quarantine ?? null) : null),
      note: driveNote(drive),
    };
  });
}

function marginsIn(answer: NodeAnswer<CoordinatorHealth>): number[] {
  return answer.type === "up" ? [answer.health.durableMarginShardCount ?? []].flat() : [];
}

const minOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.min(...values);

/** Report of each drive in the file; null for a silent one. */
function drivesIn(node: PodNode | StashNode, { drives: answers }: NodeAnswers): (DriveHealth | null)[] {
  const answer = answers.get(node.id);
  return node.drives.map((drive) =>
    answer?.type === "up" ? (findHealth(drive, answer.health) ?? null) : null,
  );
}

/** Describes problems with the indexes: too little memory for more objects, or a file that does not accept pages. */
function problemsOfIndexes(file: VaultFile, use: IndexUse | null, answers: NodeAnswers): string[] {
  const problems = indexProblems(file, use);
  for (const node of file.nodes) {
    if (node.role !== "pod") continue;
    for (const [at, health] of drivesIn(node, answers).entries()) {
      const error = health?.indexPages?.error;
      const drive = node.drives[at];
      if (error == null || drive === undefined) continue;
      problems.push(
        `The index of ${driveLabel(node, drive)} stays in memory, because its file cannot be written (${error}). Free space on that file system, or give the agent another with --index-folder.`,
      );
    }
  }
  return problems;
}

/** Integrity of a node's drives, as it reports it. */
function readIntegrity(node: PodNode | StashNode, { drives: answers }: NodeAnswers): DriveIntegrity[] {
  const answer = answers.get(node.id);
  if (answer?.type !== "up") return [];
  return node.drives.flatMap((drive) => {
    const found = findHealth(drive, answer.health);
    if (found === undefined) return [];
    const { damage = null, scrub = null } = found;
    return [{ drive: driveLabel(node, drive), damage, scrub }];
  });
}

const driveLabel = (node: PodNode | StashNode, drive: DriveConfig): string =>
  `${node.role === "pod" ? "pod" : "stash device"} ${driveIndex(drive)} on ${node.id}`;

function logTakenShare({ role }: PodNode | StashNode, log: NonNullable<DriveHealth["log"]>): number | null {
  if (role === "stash") return log.bytesLive / log.bytesTotal;
  const { takenBytes, usableBytes } = podRoom(log);
  const of = (bytes: number) => ({ bytes, atMs: 0 });
  return measureFill({ objects: of(takenBytes), room: of(usableBytes) })?.share ?? null;
}

function nodeProblems(node: VaultNode, answers: NodeAnswers, uncounted: ReadonlySet<number>): string[] {
  const answer =
    node.role === "coordinator" ? answers.coordinators.get(node.id) : answers.drives.get(node.id);
  const place = `${node.host}:${node.adminPort}`;
  if (answer === undefined || answer.type === "silent") {
    return [`${node.id} does not answer on ${place} (${answer?.reason ?? "not asked"}).`];
  }
  if (node.role === "coordinator") {
    return answer.unreadiness === null ? [] : [`${node.id}: ${answer.unreadiness}`];
  }
  const health = answer.health as readonly DriveHealth[];
  return node.drives.flatMap((drive) => {
    const what = driveLabel(node, drive);
    const found = findHealth(drive, health);
    if (found === undefined) return [`${what} is not known to its node.`];
    const { lifecycle, type, reason } = found.state;
    const state = lifecycle ?? type;
    if (node.role === "pod" && state === "settled" && uncounted.has(driveIndex(drive)))
      return [`${what} answers, but no coordinator counts it as settled yet.`];
    if (WELL_STATES.has(state)) return [];
    return [`${what} is ${state}${reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`}.`];
  });
}

function findHealth({ driveId }: DriveConfig, health: readonly DriveHealth[]): DriveHealth | undefined {
  return health.find((candidate) => candidate.driveId === driveId);
}

function driveIndex(drive: DriveConfig): number {
  return "pod" in drive ? drive.pod : drive.device;
}

function driveNote({ model, disk }: DriveConfig): string | null {
  const notes = [
    ...(model === undefined ? [] : [`modelled as ${model}`]),
    ...(disk === undefined ? [] : ["drill drive"]),
  ];
  return notes.length === 0 ? null : notes.join(", ");
}

/** Problems come first. */
function byProblem(a: DriveReport, b: DriveReport): number {
  const isGood = ({ isWell, isCounted }: DriveReport): number => Number(isWell && isCounted);
  return isGood(a) - isGood(b) || a.index - b.index;
}
