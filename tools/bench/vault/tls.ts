/**
 * Cost of TLS: a vault with plain connections, compared with one with TLS 1.3 between nodes and HTTPS at the S3
 * endpoint (interleaved-rounds.ts). Both run as several processes, because nodes that share one pass messages without a
 * socket.
 */
import type { Measurement } from "../measurement.ts";
import { comparePair } from "./compare-pair.ts";
import { type Case, type PrintLine, ROUNDS } from "./interleaved-rounds.ts";

const KIB = 1024;
/** Number of processors below which a vault runs as one process. */
const PROCESSOR_COUNT = 4;

const cases: readonly Case[] = [
  { name: "put 256 KiB x1", verb: "put", bytes: 256 * KIB, connections: 1 },
  { name: "put 256 KiB x16", verb: "put", bytes: 256 * KIB, connections: 16 },
  { name: "put 1 MiB x16", verb: "put", bytes: 1024 * KIB, connections: 16 },
];

/** Throws an Error if an operation fails for a reason other than overload. */
export async function benchTls(say: PrintLine): Promise<Measurement[]> {
  say(`TLS against plain TCP, ${ROUNDS} rounds.`);
  const plain = { processorCount: PROCESSOR_COUNT };
  return await comparePair({ name: "tls", plain, changed: { ...plain, isTls: true } }, cases, say);
}
