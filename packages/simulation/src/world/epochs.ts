/**
 * Starts another epoch of the vault. Running nodes learn of it within two seconds, each at its own time; starting nodes
 * know it, because others refuse a node that returns with an older one (transport/src/handshake.ts).
 */
import type { VaultConfig } from "@stashlight/write-path";
import type { World } from "./world.ts";

const LEARNT_WITHIN_US = 2_000_000;

export function changeConfig(world: World, change: Partial<VaultConfig>, draw: number): void {
  const config = { ...world.config, ...change, epoch: world.config.epoch + 1 };
  world.config = config;
  for (const [at, machine] of world.machines.entries()) {
    const afterUs = (((draw + 31 * at) % 97) * 13_337) % LEARNT_WITHIN_US;
    world.queue.schedule(afterUs, () => machine.node.take({ type: "configured", config }));
  }
}
