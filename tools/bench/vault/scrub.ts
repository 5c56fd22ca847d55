/**
 * Cost of a scrub for clients: one vault of 4+2 whose puts come at a fixed rate, alternately without and with a scrub
 * of its pods' drives at the default rate. Each pair of turns is compared by itself, and the order changes from pair to
 * pair.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { loadVaultFile, type PodNode } from "@stashlight/node-runtime/config";
import { askAdmin, readAdminAccess } from "@stashlight/node-runtime/durability";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { median } from "../rounds.ts";
import type { ClientResult } from "./client.ts";
import type { PrintLine } from "./interleaved-rounds.ts";
import { runClient } from "./run-client.ts";
import { BenchVault, benchVolumes } from "./running.ts";
import { writeTarget } from "./target.ts";

const PAIRS = 6;
const SECONDS = 10;
const BYTES = 262_144;
const CONNECTIONS = 16;
/** Share of the throughput that the vault has without a scrub. */
const OFFERED_SHARE = 0.5;
/** A small drive is scrubbed within a second, so its next round is requested at this interval. */
const ASK_AGAIN_MS = 250;
const ANSWER_WITHIN_MS = 20_000;
const P99_RATIO_MAX = 1.1;

const shape = {
  scheme: { dataShardCount: 4, parityShardCount: 2 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 1,
};

const cases = [
  { name: "one drive", drives: ["p0"] },
  { name: "all six drives of pods", drives: ["p0", "p1", "p2", "p3", "p4", "p5"] },
] as const;

interface Pair {
  readonly without: ClientResult;
  readonly during: ClientResult;
  /** Bytes per second that the scrub read from each drive. */
  readonly scrubPerSecond: number;
}

export async function benchScrub(say: PrintLine): Promise<Measurement[]> {
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-scrub-"));
  const vault = await BenchVault.create(join(folder, "vault"), { ...benchVolumes, shape });
  try {
    const target = writeTarget(vault.folder, vault.file);
    const load = { verb: "put", bytes: BYTES, connections: CONNECTIONS, seconds: SECONDS } as const;
    const rate = (await runClient(target, load)).perSecond * OFFERED_SHARE;
    say(`${rate.toFixed(0)} puts of 256 KiB per second, ${PAIRS} pairs of turns of ${SECONDS} s.`);
    const measurements: Measurement[] = [];
    for (const { name, drives } of cases) {
      const pairs: Pair[] = [];
      for (let at = 0; at < PAIRS; at += 1) {
        const without = () => runClient(target, { ...load, rate });
        const during = () => whileScrubbed(vault, drives, without);
        const isScrubFirst = at % 2 === 1;
        const first = isScrubFirst ? await during() : { client: await without() };
        const second = isScrubFirst ? { client: await without() } : await during();
        const [scrubbed, quiet] = isScrubFirst ? [first, second] : [second, first];
        const scrubPerSecond = "perSecond" in scrubbed ? scrubbed.perSecond : 0;
        pairs.push({ without: quiet.client, during: scrubbed.client, scrubPerSecond });
        say(`${name}, pair ${at + 1}: ${describe(pairs.at(-1) as Pair)}`);
      }
      measurements.push(...measurementsOf(name, pairs));
    }
    return measurements;
  } finally {
    await vault.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function whileScrubbed(
  vault: BenchVault,
  drives: readonly string[],
  run: () => Promise<ClientResult>,
): Promise<{ client: ClientResult; perSecond: number }> {
  const before = await bytesVerified(vault, drives);
  const startedMs = performance.now();
  const ask = () => postScrub(vault, drives, { action: "start", bytesPerSecond: scrubMarks.bytesPerSecond });
  let isOver = false;
  const asking = (async () => {
    for (; !isOver; await delay(ASK_AGAIN_MS)) await ask();
  })();
  const client = await run().finally(() => {
    isOver = true;
  });
  await asking;
  await postScrub(vault, drives, { action: "stop" });
  const read = (await bytesVerified(vault, drives)) - before;
  return { client, perSecond: (read * 1000) / (performance.now() - startedMs) / drives.length };
}

async function postScrub(vault: BenchVault, drives: readonly string[], post: object): Promise<void> {
  await askPods(vault, ({ drives: all }) => {
    const own = all.map(({ pod }) => `p${pod}`).filter((drive) => drives.includes(drive));
    return own.length === 0 ? undefined : { ...post, drives: own };
  });
}

async function bytesVerified(vault: BenchVault, drives: readonly string[]): Promise<number> {
  const pages = await askPods(vault, () => undefined);
  return pages
    .flatMap((page) => (page as ScrubPage).drives)
    .filter(({ address }) => drives.includes(address))
    .reduce((sum, { scrub }) => sum + scrub.bytesVerifiedTotal, 0);
}

interface ScrubPage {
  readonly drives: readonly {
    readonly address: string;
    readonly scrub: { readonly bytesVerifiedTotal: number };
  }[];
}

/**
 * Gets or posts to the scrub page of each pod node. The file on disk has the keys by which nodes prove who they are.
 */
async function askPods(
  vault: BenchVault,
  postOf: (node: PodNode) => object | undefined,
): Promise<readonly unknown[]> {
  const file = loadVaultFile(vault.path);
  const access = readAdminAccess(file);
  const pods = file.nodes.filter((node) => node.role === "pod");
  return await Promise.all(
    pods.map(async (node) => {
      const answer = await askAdmin(node, "/scrub", {
        access,
        post: postOf(node),
        timeoutMs: ANSWER_WITHIN_MS,
      });
      if (answer.type === "answered" && answer.status === 200) return answer.body;
      throw new Error(`${node.id} does not answer about its scrub: ${JSON.stringify(answer)}`);
    }),
  );
}

function describe({ without, during, scrubPerSecond }: Pair): string {
  const p99 = `p99 ${during.p99Ms.toFixed(1)} against ${without.p99Ms.toFixed(1)} ms`;
  const p50 = `p50 ${during.p50Ms.toFixed(1)} against ${without.p50Ms.toFixed(1)} ms`;
  return `${p50}, ${p99}, scrub ${(scrubPerSecond / 1e6).toFixed(1)} MB/s a drive`;
}

function measurementsOf(name: string, pairs: readonly Pair[]): Measurement[] {
  const ratioOf = (figure: "p50Ms" | "p99Ms"): Measurement => {
    const ratios = pairs.map(({ during, without }) => during[figure] / without[figure]).sort((a, b) => a - b);
    const value = median(pairs.map(({ during }) => during[figure]));
    const target = figure === "p99Ms" ? `, target ${P99_RATIO_MAX}` : "";
    const range = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)} in ${ratios.length} pairs${target}`;
    return {
      name: `put beside a scrub of ${name}, ${figure.slice(0, 3)}`,
      value,
      unit: "ms",
      against: { name: `without (${range})`, value: value / median(ratios) },
    };
  };
  return [
    ratioOf("p50Ms"),
    ratioOf("p99Ms"),
    {
      name: `scrub of ${name}, of each drive`,
      value: median(pairs.map(({ scrubPerSecond }) => scrubPerSecond)) / 1e6,
      unit: "MB/s",
      against: { name: "the default rate", value: scrubMarks.bytesPerSecond / 1e6 },
    },
  ];
}
