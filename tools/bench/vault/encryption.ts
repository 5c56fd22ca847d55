/**
 * Cost of encryption at rest: a vault whose buckets are not encrypted, compared with one that encrypts new buckets with
 * its own key (interleaved-rounds.ts).
 */
import type { Measurement } from "../measurement.ts";
import { comparePair } from "./compare-pair.ts";
import { type Case, type PrintLine, ROUNDS } from "./interleaved-rounds.ts";

const KIB = 1024;

const cases: readonly Case[] = [
  { name: "put 256 KiB x1", verb: "put", bytes: 256 * KIB, connections: 1 },
  { name: "put 256 KiB x4", verb: "put", bytes: 256 * KIB, connections: 4 },
  { name: "put 256 KiB x16", verb: "put", bytes: 256 * KIB, connections: 16 },
  { name: "get 256 KiB x4", verb: "get", bytes: 256 * KIB, connections: 4 },
];

/** Throws an Error if an operation fails for a reason other than overload. */
export async function benchEncryption(say: PrintLine): Promise<Measurement[]> {
  say(`Encrypted buckets against plain ones, ${ROUNDS} rounds.`);
  return await comparePair({ name: "encrypted", changed: { isEncrypted: true } }, cases, say);
}
