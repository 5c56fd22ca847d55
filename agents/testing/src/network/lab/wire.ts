/**
 * Creates wires that are slow and lose packets: with netem if the kernel has it, otherwise with a program between two
 * taps.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ip } from "./ip.ts";

export interface WireShape {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly lossPercent: number;
  readonly reorderPercent: number;
}

export type WireKind = "netem" | "taps";

/** Finds a kind of slow wire that works here; null if there is none. `namespace` has an interface lo for trials. */
export function findWireKind(namespace: string): WireKind | null {
  const trial = ["netns", "exec", namespace, "tc", "qdisc", "replace", "dev", "lo", "root"];
  if (spawnSync("ip", [...trial, "netem", "delay", "1ms"], { stdio: "ignore" }).status === 0) return "netem";
  const hasPython = spawnSync("python3", ["-c", "import fcntl"], { stdio: "ignore" }).status === 0;
  return hasPython && existsSync("/dev/net/tun") ? "taps" : null;
}

/** Delays packets that this interface sends. */
export function shapeByNetem(
  namespace: string,
  device: string,
  { delayMs, jitterMs, lossPercent, reorderPercent }: WireShape,
): void {
  const netem = `netem delay ${delayMs}ms ${jitterMs}ms loss ${lossPercent}% reorder ${reorderPercent}%`;
  const command = `netns exec ${namespace} tc qdisc replace dev ${device} root ${netem}`;
  execFileSync("ip", command.split(" "), { stdio: "pipe" });
}

/** Creates both ends in the switch's namespace, where the program runs until the namespace is removed. */
export async function connectByTaps(
  switchNamespace: string,
  { near, far }: { readonly near: string; readonly far: string },
  { delayMs, jitterMs, lossPercent, reorderPercent }: WireShape,
): Promise<void> {
  const script = join(import.meta.dirname, "slow_wire.py");
  const shape = [delayMs, jitterMs, lossPercent, reorderPercent].map(String);
  const args = ["netns", "exec", switchNamespace, "python3", script, near, far, ...shape];
  const wire = spawn("ip", args, { stdio: ["pipe", "pipe", "inherit"] });
  // The program ends with its namespace.
  wire.stdin.on("error", () => {});
  const [said] = (await Promise.race([once(wire.stdout, "data"), once(wire, "exit")])) as [unknown];
  if (String(said).trim() !== "ready") throw new Error("The slow wire did not start.");
  wire.unref();
  ip(`-n ${switchNamespace} link set ${near} up`);
}
