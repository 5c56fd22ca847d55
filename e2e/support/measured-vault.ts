/**
 * A vault with a while of measurements, stored as the ingest stores them: two pod nodes, two stash nodes and a
 * coordinator, with one slow HDD, one stall, and a few minutes without data.
 */
import { randomUUID } from "node:crypto";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { forgetNodes } from "@stashlight/db/metrics";
import { acceptBatches, type ReceivedBatch } from "@stashlight/services/metrics/ingest";
import type { Platform } from "@stashlight/services/platform";
import {
  type Content,
  certificateGauges,
  coordinatorWindow,
  devicesOf,
  type EndpointPlace,
  podWindow,
  randomFrom,
  stashWindow,
} from "./measured-windows.ts";
import { type SeededTraces, seedTraces } from "./seeded-traces.ts";

const STEP_MS = 10_000;
const BATCHES_AT_A_TIME = 60;
export interface MeasuredVault {
  readonly name: string;
  /** Names of the nodes. */
  readonly stashNodes: readonly string[];
  readonly podNodes: readonly string[];
  readonly coordinator: string;
  readonly traces: SeededTraces;
  /** HDD that is slower than all others, and its node. */
  readonly slowHdd: { readonly device: string; readonly node: string };
  /** Period in which no node sent data. */
  readonly gap: { readonly startMs: number; readonly endMs: number };
}

export interface MeasuredVaultOptions {
  readonly spanMs?: number;
  readonly endMs?: number;
  /** Used share of the pods' usable bytes at the start and at the end. */
  readonly podFill?: readonly [number, number];
  /** Word in the names of the vault and its nodes; unique by default. */
  readonly label?: string;
  /** Null if no other vault is behind the endpoint. */
  readonly place?: EndpointPlace | null;
  /**
   * Days until the certificates of the coordinator and of all other nodes expire; null for nodes without certificates.
   */
  readonly certificateDays?: { readonly coordinator: number; readonly others: number } | null;
  /** Marks the nodes as simulated, as the fleet simulator does. */
  readonly isSimulated?: boolean;
  /** Pod drive with corrupt records, such as "p9"; two of its alerts fire as soon as a worker evaluates their rules. */
  readonly damagedDrive?: string | null;
  /** Pods that the coordinator cannot reach, such as "p9". */
  readonly podsAway?: readonly string[];
}

interface SeededNode {
  readonly id: string;
  readonly name: string;
  readonly windowAt: (ageMs: number) => Content;
}

export async function seedMeasuredVault(
  platform: Platform,
  {
    spanMs = 40 * 60_000,
    endMs = Date.now(),
    podFill = [0.4, 0.42],
    label = randomUUID().slice(0, 6),
    place = null,
    certificateDays = null,
    isSimulated = false,
    damagedDrive = null,
    podsAway = [],
  }: MeasuredVaultOptions = {},
): Promise<MeasuredVault> {
  const newestMs = Math.floor(endMs / STEP_MS) * STEP_MS;
  const gap = { startMs: newestMs - spanMs / 2, endMs: newestMs - spanMs / 2 + 4 * 60_000 };
  const random = randomFrom(7);
  const nodes: SeededNode[] = [];
  const add = async (name: string, role: string, windowAt: SeededNode["windowAt"]) => {
    const id = randomUUID();
    await platform.db.node.create({
      data: {
        id,
        name,
        role,
        isSimulated,
        vault: `vault-${label}`,
        status: "active",
        lastSeenAt: new Date(newestMs),
      },
    });
    nodes.push({ id, name, windowAt });
    return name;
  };
  const stashNodes = [
    await add(
      `stash-${label}-1`,
      "stash",
      stashWindow(`stash-${label}-1`, ["s0", "s1", "s2"], spanMs, random),
    ),
    await add(
      `stash-${label}-2`,
      "stash",
      stashWindow(`stash-${label}-2`, ["s3", "s4", "s5"], spanMs, random),
    ),
  ];
  const fillAt = (ageMs: number) => podFill[1] + ((podFill[0] - podFill[1]) * ageMs) / spanMs;
  const addPods = (name: string, devices: readonly string[]) =>
    add(name, "pod", podWindow(name, devices, fillAt, random, damagedDrive));
  const podNodes = [
    await addPods(`pods-${label}-1`, devicesOf("p", 0, 10)),
    await addPods(`pods-${label}-2`, devicesOf("p", 10, 20)),
  ];
  const coordinator = await add(
    `coordinator-${label}`,
    "coordinator",
    coordinatorWindow(random, place, fillAt, podsAway),
  );
  const daysLeft = (name: string) => certificateDays?.[name === coordinator ? "coordinator" : "others"];
  await storeWindows(platform, nodes, { newestMs, spanMs, endMs, gap, isSimulated, label, daysLeft });
  const coordinatorId = nodes.find(({ name }) => name === coordinator)?.id ?? "";
  const traces = await seedTraces(platform, coordinatorId, newestMs);
  const slowHdd = { device: "p3", node: podNodes[0] ?? "" };
  return { name: `vault-${label}`, stashNodes, podNodes, coordinator, traces, slowHdd, gap };
}

/** Removes the vault's nodes with their figures, which pages of other tests would draw as well. */
export async function forgetMeasuredVault({ db, metrics }: Platform, vault: MeasuredVault): Promise<void> {
  const names = [...vault.stashNodes, ...vault.podNodes, vault.coordinator];
  const nodes = await db.node.findMany({ where: { vault: vault.name, name: { in: names } } });
  const ids = nodes.map(({ id }) => id);
  const connection = await metrics.connect();
  try {
    await forgetNodes(connection, ids);
  } finally {
    connection.release();
  }
  await db.node.deleteMany({ where: { id: { in: ids } } });
}

interface StoredSpan {
  readonly newestMs: number;
  readonly spanMs: number;
  /** Time at which the ingest receives the last window. */
  readonly endMs: number;
  readonly gap: MeasuredVault["gap"];
  readonly isSimulated: boolean;
  readonly label: string;
  /** Days until a node's certificate expires; undefined for a vault without certificates. */
  readonly daysLeft: (nodeName: string) => number | undefined;
}

async function storeWindows(
  platform: Platform,
  nodes: readonly SeededNode[],
  { newestMs, spanMs, endMs, gap, isSimulated, label, daysLeft }: StoredSpan,
): Promise<void> {
  let pending: ReceivedBatch[] = [];
  const store = async () => {
    await acceptBatches({ client: platform.metrics, batches: pending, nowMs: endMs });
    pending = [];
  };
  let sequence = 0;
  for (let windowEndMs = newestMs - spanMs; windowEndMs <= newestMs; windowEndMs += STEP_MS) {
    if (windowEndMs > gap.startMs && windowEndMs <= gap.endMs) continue;
    sequence += 1;
    const isAfterGap = windowEndMs === gap.endMs + STEP_MS;
    for (const { id, name, windowAt } of nodes) {
      const ageMs = newestMs - windowEndMs;
      const content = windowAt(ageMs);
      const window = {
        startMs: windowEndMs - STEP_MS,
        endMs: windowEndMs,
        ...content,
        gauges: [...content.gauges, ...certificateGauges(`vault-${label}`, daysLeft(name), ageMs)],
      };
      const gaps = isAfterGap ? [{ ...gap, reason: "spool_full" as const }] : [];
      pending.push({
        nodeId: id,
        isSimulated,
        batch: { nodeId: name, bootId: 1, sequence, window, gaps },
      });
    }
    // Stores whole minutes, because a roll-up that runs in between would compute a partial minute
    // too low until its next run.
    const isWholeMinute = windowEndMs % MINUTE_MS === 0;
    if (isWholeMinute && pending.length >= BATCHES_AT_A_TIME) await store();
  }
  await store();
}
