/** Draws rounds of random drive faults; the same seed and number draw the same round. */
import { createHash } from "node:crypto";
import type { FaultMode } from "./file-faults.ts";

export interface Round {
  readonly number: number;
  readonly modes: readonly FaultMode[];
  readonly addresses: readonly string[];
  readonly seconds: number;
  /** Restart of every agent: during the fault, after it, or not at all. */
  readonly restart: "during" | "after" | "none";
}

export interface RoundLimits {
  /** Drives that may fail. */
  readonly addresses: readonly string[];
  readonly driveCountMax: number;
  readonly secondsMin: number;
  readonly secondsMax: number;
}

/** Most rounds are about reads; a drive whose every call fails resembles an unplugged one. */
const modeSets: readonly (readonly FaultMode[])[] = [
  ["read"],
  ["read"],
  ["write"],
  ["sync"],
  ["read", "write"],
  ["sync", "open"],
  ["read", "write", "sync", "open"],
];
const restarts = ["none", "none", "during", "after"] as const;

export function drawRound(seed: number, number: number, limits: RoundLimits): Round {
  const { addresses, driveCountMax, secondsMin, secondsMax } = limits;
  const random = randomNumbers(`${seed}/${number}`);
  const pick = <Each>(all: readonly Each[]): Each => all[Math.floor(random() * all.length)] as Each;
  const modes = pick(modeSets);
  const driveCount = Math.round(between(random(), 1, Math.min(driveCountMax, addresses.length)));
  const shuffled = addresses.map((address) => ({ address, at: random() })).toSorted((a, b) => a.at - b.at);
  return {
    number,
    modes,
    addresses: shuffled.slice(0, driveCount).map(({ address }) => address),
    seconds: between(random(), secondsMin, secondsMax),
    restart: pick(restarts),
  };
}

/** Draws evenly over orders of magnitude, so that most values are small but the largest occur as well. */
const between = (share: number, min: number, max: number): number => min * (max / min) ** share;

/** Returns a generator of numbers from 0 up to, excluding, 1, which the seed determines. */
export function randomNumbers(seed: string): () => number {
  let count = 0;
  return () => {
    const digest = createHash("sha256").update(`${seed}/${count++}`).digest();
    return digest.readUInt32LE(0) / 2 ** 32;
  };
}
