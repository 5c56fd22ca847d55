/** Breaks or delays the links between one machine and some others for a while. */
import type { Address } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import type { World } from "./world.ts";

export function partition(world: World, fault: PlannedFault): void {
  strike(world, fault, (from, to) => world.network.breakLink(from, to));
}

export function clog(world: World, fault: PlannedFault): void {
  strike(world, fault, (from, to) => world.network.clogLink(from, to, (fault.detail % 3000) * 1000));
}

function strike(world: World, fault: PlannedFault, hurt: (from: Address, to: Address) => void): void {
  const links = targetLinks(world, fault);
  for (const [from, to] of links) hurt(from, to);
  world.queue.schedule(fault.durationMs * 1000, () => {
    for (const [from, to] of links) world.network.healLink(from, to);
  });
}

function targetLinks(world: World, { target, detail }: PlannedFault): [Address, Address][] {
  const all = world.machines.map(({ node }) => node.address);
  const one = all[target % all.length] as Address;
  return all.flatMap((other, i): [Address, Address][] => {
    if (other === one || (detail >> (i % 16)) % 2 === 0) return [];
    // Affects one direction or both.
    const way = detail % 3;
    return way === 0
      ? [[one, other]]
      : way === 1
        ? [[other, one]]
        : [
            [one, other],
            [other, one],
          ];
  });
}
