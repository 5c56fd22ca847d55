/** Options of one run: everything is drawn from the seed, and can be recorded, changed and run again. */

import { createRandom, type Random } from "@stashlight/stats/forkable-random";
import type { Scheme } from "@stashlight/write-path";

export const faultNames = [
  "power cut",
  "nested power cut",
  "partial power cut",
  "process crash",
  "planned stop",
  "message faults",
  "partition",
  "clogged link",
  "slow disk",
  "hung disk",
  "failed sync",
  "lying sync",
  "bit rot",
  "replaced drive",
  "dead device",
  "added device",
  "drained device",
  "quarantined device",
  "full stash",
  "full pod",
  "pause",
  "clock jump",
  "forged message",
  "ambush",
  "thin quorum",
  "overtaken append",
  "failing reads",
  "garbled reads",
  "rot beyond budget",
] as const;
export type FaultName = (typeof faultNames)[number];

/** Staged states (trials/) that independently drawn faults hardly ever reach. */
export type TrialName = "comeback" | "slow clocks" | "wall";

export interface NetworkOptions {
  readonly latencyUsMin: number;
  readonly latencyUsMax: number;
  readonly lossProbability: number;
  readonly doubleProbability: number;
  /** Probability that a message is late, so that others overtake it, and its maximum delay. */
  readonly strayProbability: number;
  readonly strayUsMax: number;
}

/** One fault at one time. `target` selects among the nodes of the kind that the fault affects. */
export interface PlannedFault {
  readonly name: FaultName;
  readonly atMs: number;
  readonly durationMs: number;
  readonly target: number;
  /** A second draw: the other end of a link, the size of a clock step, or the kind of node. */
  readonly detail: number;
}

export interface PlannedOperation {
  readonly atMs: number;
  readonly type: "put" | "delete" | "get" | "head" | "list";
  readonly key: string;
  readonly sizeBytes: number;
  readonly condition: "none" | "absent" | "etag";
  readonly coordinator: number;
}

export interface RunOptions {
  readonly seed: number;
  readonly scheme: Scheme;
  readonly coordinatorCount: number;
  readonly stashServerCount: number;
  readonly devicesPerServer: number;
  readonly isStashEnabled: boolean;
  readonly smallUploadBytesMax: number;
  readonly network: NetworkOptions;
  /** Storage under the nodes: a model of records, or the real log on a simulated disk. */
  readonly medium: "records" | "log";
  /** Uploads are large and numerous enough to fill every pod permanently. */
  readonly isAtWall: boolean;
  /** State that is staged once the vault is at rest; null for none. */
  readonly trial: TrialName | null;
  readonly podSyncUs: number;
  readonly stashSyncUs: number;
  readonly operations: readonly PlannedOperation[];
  readonly faults: readonly PlannedFault[];
}

/** Approximate capacity of a pod in a vault that fills up. */
export const WALL_BYTES = 150_000;

const SCHEMES: readonly (readonly [weight: number, k: number, m: number])[] = [
  // With m = 1 the loss of any shard exceeds the budget.
  [8, 2, 1],
  [6, 4, 2],
  [3, 5, 3],
  [1, 16, 4],
  [0.5, 17, 3],
  [0.5, 15, 5],
];

/** Draws options by swarm testing: each seed draws which faults occur at all, and how often. */
export function drawOptions(seed: number, allowed: readonly FaultName[] = faultNames): RunOptions {
  const random = createRandom(seed);
  const scheme = drawScheme(random);
  const n = scheme.dataShardCount + scheme.parityShardCount;
  const isLarge = n > 10;
  const durationMs = random.between(2000, 40_000);
  const devicesPerServer = 1 + random.below(3);
  const spareDevices = random.below(4);
  const coordinatorCount = 1 + random.below(3);
  const hasMessageFaults = allowed.includes("message faults") && random.chance(0.6);
  const latencyUsMin = random.between(20, 300);
  const faults = drawFaults(random, durationMs, allowed);
  // Drawn from a separate generator, like the medium. Bodies are large then, so only small schemes fill up within a
  // run.
  const isAtWall = !isLarge && createRandom(seed ^ 0xa11).chance(0.2);
  // Drawn from a separate generator, so that the rest of the seed stays the same without it.
  const apart = createRandom(seed ^ 0xa9e4d);
  const overtaken = drawOvertakenAppends(apart, durationMs, allowed);
  const added = drawChanges(createRandom(seed ^ 0xadded), durationMs, allowed, "added device");
  const drained = drawChanges(createRandom(seed ^ 0xd4a1), durationMs, allowed, "drained device");
  const quarantined = drawChanges(createRandom(seed ^ 0x9a4a), durationMs, allowed, "quarantined device");
  const stops = drawChanges(createRandom(seed ^ 0x5709), durationMs, allowed, "planned stop");
  const reads = drawReadFaults(createRandom(seed ^ 0x4ead), durationMs, allowed, isAtWall);
  return {
    seed,
    scheme,
    coordinatorCount,
    stashServerCount: Math.ceil((n + spareDevices) / devicesPerServer),
    devicesPerServer,
    isStashEnabled: random.chance(0.95),
    smallUploadBytesMax: random.chance(0.8) ? 1_048_576 : 100,
    network: {
      latencyUsMin,
      latencyUsMax: latencyUsMin * random.between(1, 10),
      lossProbability: hasMessageFaults && random.chance(0.7) ? random.next() ** 2 * 0.1 : 0,
      doubleProbability: hasMessageFaults && random.chance(0.5) ? random.next() * 0.1 : 0,
      strayProbability: hasMessageFaults && random.chance(0.5) ? random.next() * 0.1 : 0,
      strayUsMax: 10 ** random.between(3, 7),
    },
    // Drawn from a separate generator, so that a seed plans the same run on both media.
    medium: createRandom(seed ^ 0x106).chance(isAtWall ? 0.6 : 0.25) ? "log" : "records",
    isAtWall,
    trial: isLarge ? null : drawTrial(createRandom(seed ^ 0x7a1), isAtWall),
    podSyncUs: 10 ** random.between(3, 5),
    stashSyncUs: 10 ** random.between(1.3, 3.5),
    operations: [
      ...drawOperations(random, durationMs, isLarge, faults),
      ...(isAtWall ? drawFilling(createRandom(seed ^ 0xf111), durationMs, scheme.dataShardCount) : []),
      ...faults
        .filter(({ name }) => name === "thin quorum")
        .flatMap((fault, i) => probes(random, fault, `thin-${i}`)),
      ...faults
        .filter(({ name }) => name.endsWith("power cut"))
        .flatMap((fault, i) => retries(random, fault, i)),
      ...overtaken.flatMap((fault) => probes(apart, fault, overtakenKey(fault))),
      ...reads.flatMap((fault, i) => readsUnder(createRandom(seed ^ (0x4ead0 + i)), fault, i)),
    ].sort((a, b) => a.atMs - b.atMs),
    faults: [...faults, ...overtaken, ...added, ...drained, ...quarantined, ...stops, ...reads].sort(
      (a, b) => a.atMs - b.atMs,
    ),
  };
}

/** Large schemes have no trials: they find no more than small ones, and take several times longer. */
function drawTrial(random: Random, isAtWall: boolean): TrialName | null {
  if (isAtWall && random.chance(0.22)) return "wall";
  if (random.chance(0.2)) return "comeback";
  return random.chance(0.09) ? "slow clocks" : null;
}

function drawScheme(random: Random): Scheme {
  const total = SCHEMES.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [weight, dataShardCount, parityShardCount] of SCHEMES) {
    left -= weight;
    if (left <= 0) return { dataShardCount, parityShardCount };
  }
  return { dataShardCount: 4, parityShardCount: 2 };
}

function drawOperations(
  random: Random,
  durationMs: number,
  isLarge: boolean,
  faults: readonly PlannedFault[],
): PlannedOperation[] {
  const keyCount = 1 + random.below(8);
  const count = isLarge ? 10 + random.below(15) : 20 + random.below(60);
  const readShare = random.next() * 0.6;
  const deleteShare = random.next() * 0.3;
  const conditionShare = random.chance(0.4) ? random.next() * 0.6 : 0;
  const drawTimeMs = drawTimes(random, durationMs, faults);
  const operations = Array.from({ length: count }, (): PlannedOperation => {
    const isRead = random.chance(readShare);
    const isConditional = !isRead && random.chance(conditionShare);
    return {
      atMs: drawTimeMs(),
      type: isRead
        ? random.pick(["get", "get", "get", "head", "list"] as const)
        : random.chance(deleteShare)
          ? "delete"
          : "put",
      key: `key-${random.below(keyCount)}`,
      sizeBytes: random.chance(0.1) ? 0 : Math.floor(random.next() ** 2 * 400),
      condition: isConditional ? (random.chance(0.6) ? "absent" : "etag") : "none",
      coordinator: random.below(16),
    };
  });
  return operations;
}

/** Enough large uploads to fill every pod (WALL_BYTES), with deletes and overwrites among them. */
function drawFilling(random: Random, durationMs: number, dataShardCount: number): PlannedOperation[] {
  const keyCount = 16 + random.below(24);
  const paceMs = durationMs / 80;
  const sizeMax = random.pick([3000, 6000, 12_000]);
  const count = Math.min(160, Math.ceil((2 * WALL_BYTES) / sizeMax));
  return Array.from({ length: count }, (_, at): PlannedOperation => {
    // Unwritten keys come first, so that the vault fills up; later keys are arbitrary.
    const key = `large-${at < keyCount ? at : random.below(keyCount)}`;
    return {
      atMs: at * paceMs * random.next() * 2,
      type: at >= keyCount && random.chance(0.3) ? "delete" : "put",
      key,
      sizeBytes: Math.ceil(sizeMax * (0.5 + random.next() / 2)) * dataShardCount,
      condition: "none",
      coordinator: random.below(16),
    };
  });
}

/** Key of the upload whose append is overtaken. */
export const overtakenKey = ({ target }: PlannedFault): string => `overtaken-${target}`;

/** Draws an upload that meets the fault, under a key that no other operation writes, and reads after the fault. */
function probes(random: Random, { atMs, durationMs }: PlannedFault, key: string): PlannedOperation[] {
  const common = { key, sizeBytes: 40, condition: "none" } as const;
  const put = {
    atMs: atMs + random.next() * 5,
    ...common,
    type: "put",
    coordinator: random.below(16),
  } as const;
  const reads = Array.from({ length: 6 }, () => {
    const awayMs = 10 ** random.between(0, 4.3);
    return {
      atMs: atMs + durationMs + awayMs,
      ...common,
      type: "get",
      coordinator: random.below(16),
    } as const;
  });
  return [put, ...reads];
}

/**
 * Draws an upload just before the power cut, and four more of the same key while nodes return without knowing yet
 * what they lost.
 */
function retries(random: Random, { atMs, durationMs }: PlannedFault, i: number): PlannedOperation[] {
  const beforeMs = -(10 ** random.between(0, 3));
  const afterMs = Array.from({ length: 4 }, () => durationMs + 10 ** random.between(1, 3.7));
  const common = { type: "put", key: `cut-${i}`, sizeBytes: 40, condition: "absent" } as const;
  return [beforeMs, ...afterMs].map((awayMs): PlannedOperation => {
    return { ...common, atMs: Math.max(0, atMs + awayMs), coordinator: random.below(16) };
  });
}

/**
 * Returns a function that draws times: in bursts, so that operations on one key coincide, or just before a fault,
 * right after it starts, or after it has ended.
 */
function drawTimes(random: Random, durationMs: number, faults: readonly PlannedFault[]): () => number {
  const gapMs = random.chance(0.6) ? random.between(20, durationMs) : 0;
  const widthMs = 10 ** random.between(-1.5, 1.5);
  const aimedShare = faults.length > 0 && random.chance(0.6) ? random.next() : 0;
  return () => {
    if (random.chance(aimedShare)) {
      const fault = random.pick(faults);
      const awayMs = 10 ** random.between(-1, 3.5);
      const endMs = fault.atMs + fault.durationMs;
      return random.pick([Math.max(0, fault.atMs - awayMs), fault.atMs + awayMs, endMs + awayMs]);
    }
    const startMs = random.next() * durationMs;
    return gapMs === 0 ? startMs : Math.floor(startMs / gapMs) * gapMs + random.next() * widthMs;
  };
}

function drawFaults(random: Random, durationMs: number, allowed: readonly FaultName[]): PlannedFault[] {
  const drawnApart: readonly FaultName[] = [
    "message faults",
    "planned stop",
    "overtaken append",
    "added device",
    "drained device",
    "quarantined device",
    "failing reads",
    "garbled reads",
    "rot beyond budget",
  ];
  const isDrawnHere = (name: FaultName) => !drawnApart.includes(name);
  const chosen = allowed.filter((name) => isDrawnHere(name) && random.chance(0.25));
  const faults = chosen.flatMap((name) => {
    const count = 1 + random.below(name.endsWith("power cut") ? 3 : 5);
    return Array.from({ length: count }, () => drawFault(random, durationMs, name));
  });
  return faults.sort((a, b) => a.atMs - b.atMs);
}

function drawFault(random: Random, durationMs: number, name: FaultName): PlannedFault {
  return {
    name,
    atMs: random.next() * durationMs * 1.1,
    // Some faults outlast the minute after which a coordinator stops waiting for a silent stash device.
    durationMs: 10 ** random.between(0.5, random.chance(0.1) ? 5 : 4.3),
    target: random.below(1 << 20),
    detail: random.below(1 << 20),
  };
}

/**
 * Draws devices that join or leave shortly before or after other faults, so that uploads which depend on them meet
 * those faults.
 */
function drawChanges(
  random: Random,
  durationMs: number,
  allowed: readonly FaultName[],
  name: "added device" | "drained device" | "quarantined device" | "planned stop",
): PlannedFault[] {
  const isStop = name === "planned stop";
  if (!allowed.includes(name) || !random.chance(isStop ? 0.5 : 0.3)) return [];
  const count = 1 + random.below(isStop ? 12 : 3);
  return Array.from({ length: count }, () => drawFault(random, durationMs, name));
}

/**
 * Draws drives whose reads fail or are garbled for a while, alone or together, and shards that rot on more drives
 * than the vault tolerates.
 */
function drawReadFaults(
  random: Random,
  durationMs: number,
  allowed: readonly FaultName[],
  isAtWall: boolean,
): PlannedFault[] {
  const shares = { "failing reads": 0.25, "garbled reads": 0.15, "rot beyond budget": isAtWall ? 0 : 0.12 };
  return (Object.keys(shares) as (keyof typeof shares)[]).flatMap((name) => {
    if (!allowed.includes(name) || !random.chance(shares[name])) return [];
    return Array.from({ length: 1 + random.below(3) }, () => drawFault(random, durationMs, name));
  });
}

/** Draws an upload before the fault, and reads and lists during it and afterwards. */
function readsUnder(random: Random, { atMs, durationMs }: PlannedFault, i: number): PlannedOperation[] {
  const common = { key: `read-${i}`, condition: "none", coordinator: random.below(16) } as const;
  const put = { ...common, atMs: Math.max(0, atMs - 10 ** random.between(0, 4)), type: "put" } as const;
  const reads = Array.from({ length: 6 }, () => {
    const type = random.pick(["get", "get", "head", "list"] as const);
    return { ...common, type, sizeBytes: 0, atMs: atMs + random.next() * Math.min(2 * durationMs, 20_000) };
  });
  return [{ ...put, sizeBytes: 200 }, ...reads];
}

function drawOvertakenAppends(
  random: Random,
  durationMs: number,
  allowed: readonly FaultName[],
): PlannedFault[] {
  if (!allowed.includes("overtaken append") || !random.chance(0.25)) return [];
  const count = 1 + random.below(3);
  return Array.from({ length: count }, () => drawFault(random, durationMs, "overtaken append"));
}
