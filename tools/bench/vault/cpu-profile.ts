/** A profile in V8's format, and its time by purpose of the code. */

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Microseconds of the monotonic clock. */
  readonly startTime: number;
  /** Node ids, one per sample. */
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

export type Stage =
  | "hash"
  | "encode"
  | "checksum"
  | "frame"
  | "step"
  | "log"
  | "S3"
  | "metrics"
  | "sockets and streams"
  | "native and system"
  | "collector"
  | "other";

/** The first match names the stage; code of Node without a match belongs to its caller. */
const stages: readonly (readonly [pattern: RegExp, stage: Stage])[] = [
  [/internal\/crypto/, "hash"],
  [/packages\/erasure\//, "encode"],
  [/packages\/checksum\//, "checksum"],
  [/packages\/transport\//, "frame"],
  [/packages\/(write-path|shard-store\/src\/shell|node-runtime\/src\/host)\//, "step"],
  [/packages\/(shard-log|shard-store)\/|node-runtime\/src\/drive\//, "log"],
  [/packages\/(telemetry|node-runtime\/src\/(metrics|report))\/|upload-watch/, "metrics"],
  [/packages\/s3\/|agents\//, "S3"],
  [
    /node:(net|http|_http|stream|internal\/(stream|js_stream|http|net|timers|process\/task))/,
    "sockets and streams",
  ],
  [/packages\//, "other"],
];

/** Microseconds of the main thread between two times of the monotonic clock; idle time does not count. */
export function usByStage(profile: CpuProfile, fromUs: number, toUs: number): Map<Stage, number> {
  const stageById = assignStages(profile.nodes);
  const us = new Map<Stage, number>();
  let atUs = profile.startTime;
  profile.samples.forEach((id, at) => {
    const spentUs = profile.timeDeltas[at + 1] ?? 0;
    atUs += profile.timeDeltas[at] ?? 0;
    const stage = stageById.get(id);
    if (stage === undefined || stage === null || atUs < fromUs || atUs >= toUs) return;
    us.set(stage, (us.get(stage) ?? 0) + spentUs);
  });
  return us;
}

/** Stage by node id; null for a node that is not work, such as idle time. */
function assignStages(nodes: readonly ProfileNode[]): Map<number, Stage | null> {
  const parents = new Map<number, ProfileNode>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const byId = new Map<number, Stage | null>();
  for (const node of nodes) byId.set(node.id, findStage(node, parents));
  return byId;
}

function findStage(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): Stage | null {
  const { functionName, url } = node.callFrame;
  if (functionName === "(idle)" || functionName === "(root)") return null;
  if (functionName === "(garbage collector)") return "collector";
  if (functionName === "(program)") return "native and system";
  const own = stages.find(([pattern]) => pattern.test(url));
  if (own !== undefined) return own[1];
  const parent = parents.get(node.id);
  return (parent === undefined ? null : findStage(parent, parents)) ?? "other";
}
