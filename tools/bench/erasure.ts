/**
 * Erasure coding and checksums, on one core. MB/s counts the *data* bytes of a stripe (k shards, without parity), or
 * the bytes checksummed, per second of CPU time.
 */
import assert from "node:assert/strict";
import { createCrc32c } from "@stashlight/checksum";
import {
  createErasure,
  type EngineName,
  type Erasure,
  SCHEME_16_4,
  type Stripe,
  supportedEngines,
} from "@stashlight/erasure";
import { createByteTableLoop } from "./byte-table-loop.ts";
import type { Measurement } from "./measurement.ts";
import { type Contestant, medianSpeeds } from "./rounds.ts";

const shardBytes = 65_536;
const headerBytes = 96;
const roundCount = 41;
const dataBytes = SCHEME_16_4.dataShardCount * shardBytes;
const missing = [0, 5, 10, 15];

const byteTableLoop = "encode 16+4, byte tables in JS";
const checksumTables = "CRC32C of 64 KiB, tables in JS";

interface Compared extends Contestant {
  /** Name of the contestant to compare with. */
  readonly against: string;
}

export async function benchErasure(say: (line: string) => void): Promise<Measurement[]> {
  const contestants = [
    ...baseline(),
    ...supportedEngines().flatMap(stripeContestants),
    ...copyContestants(),
    ...checksumContestants(),
  ];
  say(`Erasure coding and checksums: ${contestants.length} contestants, ${roundCount} rounds.`);
  const speeds = medianSpeeds(contestants, roundCount);
  return contestants.map(({ name, against }) => ({
    name,
    value: speeds.get(name) as number,
    unit: "MB/s",
    against: { name: against, value: speeds.get(against) as number },
  }));
}

function baseline(): Compared[] {
  const { data, parity } = encodedShards(createErasure());
  const loop = createByteTableLoop(SCHEME_16_4, data);
  assert.deepEqual(loop(), parity, "The byte-table loop must compute the same parity.");
  return [{ name: byteTableLoop, bytes: dataBytes, run: () => void loop(), against: byteTableLoop }];
}

function stripeContestants(engine: EngineName): Compared[] {
  const stripe = encodedStripe(createErasure({ engine }));
  const encode = `encode 16+4, ${engine}`;
  const bytes = dataBytes;
  return [
    { name: encode, bytes, run: () => stripe.encode(), against: byteTableLoop },
    { name: `verify 16+4, ${engine}`, bytes, run: () => assert(stripe.verify()), against: encode },
    { name: `restore 4 of 16+4, ${engine}`, bytes, run: () => stripe.reconstruct(missing), against: encode },
  ];
}

function copyContestants(): Compared[] {
  const coder = createErasure();
  const { data } = encodedShards(coder);
  const run = () => void coder.encode(SCHEME_16_4, data);
  return [{ name: "encode 16+4, copied arrays", bytes: dataBytes, run, against: byteTableLoop }];
}

function checksumContestants(): Compared[] {
  const coder = createErasure();
  const shard = encodedStripe(coder).shards[0] as Uint8Array;
  const elsewhere = shard.slice();
  const header = shard.slice(0, headerBytes);
  const byTables = createCrc32c({ engine: "js" });
  const byKernel = createCrc32c();
  const inPlace = createCrc32c(coder.memory === null ? {} : { memory: coder.memory });
  const row = (name: string, bytes: number, run: () => void) => ({
    name,
    bytes,
    run,
    against: checksumTables,
  });
  return [
    row(checksumTables, shardBytes, () => void byTables(elsewhere)),
    row("CRC32C of 64 KiB, kernel, in place", shardBytes, () => void inPlace(shard)),
    row("CRC32C of 64 KiB, kernel, copied", shardBytes, () => void byKernel(elsewhere)),
    row("CRC32C of 96 B", headerBytes, () => void byKernel(header)),
  ];
}

function encodedStripe(coder: Erasure): Stripe {
  const stripe = coder.takeStripe(SCHEME_16_4, shardBytes);
  for (const [shard, bytes] of stripe.dataShards.entries()) {
    for (let at = 0; at < shardBytes; at += 1)
      bytes[at] = Math.imul(at + shard * shardBytes, 2_654_435_761) >>> 24;
  }
  stripe.encode();
  return stripe;
}

/** Returns shards in separate memory. */
function encodedShards(coder: Erasure): { data: Uint8Array[]; parity: Uint8Array[] } {
  const stripe = encodedStripe(coder);
  const copy = (shards: readonly Uint8Array[]) => shards.map((shard) => shard.slice());
  const shards = { data: copy(stripe.dataShards), parity: copy(stripe.parityShards) };
  stripe.release();
  return shards;
}
