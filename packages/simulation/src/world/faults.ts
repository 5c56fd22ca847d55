/** Carries out planned faults, within the budget of what the promise covers: media may lose shards of m - 1 nodes. */
import { type Address, coordinatorAddress, podAddress, stashAddress } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import { forgeMessages } from "./forgery.ts";
import type { SimulatedPod, SimulatedStash, World } from "./world.ts";

export class FaultInjector {
  readonly #world: World;
  /** Nodes whose media have lost, or may have lost, something. */
  readonly #lossy = new Set<Address>();

  constructor(world: World) {
    this.#world = world;
  }

  schedule(faults: readonly PlannedFault[]): void {
    for (const fault of faults) this.#world.queue.schedule(fault.atMs * 1000, () => this.#strike(fault));
  }

  /** Ends everything that lasts, so that the vault can come to rest. */
  healAll(): void {
    const world = this.#world;
    world.network.heal();
    for (const { medium, node } of [...world.pods, ...world.stashes]) {
      medium.setLying(false);
      medium.setSlowFactor(1);
      medium.setHung(false);
      medium.setFull(false);
      node.resume();
    }
    for (const stash of world.stashes) stash.node.take({ type: "occupancy", isFull: false });
    for (const { node } of world.coordinators) node.resume();
    world.powerOn(1_000_000);
  }

  #strike(fault: PlannedFault): void {
    const world = this.#world;
    const { name, target, detail, durationMs } = fault;
    const later = (action: () => void) => world.queue.schedule(durationMs * 1000, action);
    const pod = world.pods[target % world.pods.length] as SimulatedPod;
    const stash = world.stashes[target % world.stashes.length] as SimulatedStash;
    const holder = detail % 2 === 0 ? pod : stash;
    switch (name) {
      case "power cut":
        world.counters.add(name);
        world.powerCut();
        later(() => world.powerOn(((detail % 50) + 1) * 100_000));
        return;
      case "nested power cut":
        world.counters.add(name);
        world.powerCut();
        world.powerOn(500_000);
        world.queue.schedule((detail % 2_000_000) + 1000, () => {
          world.powerCut();
          world.powerOn(1_000_000);
        });
        return;
      case "process crash":
        this.#crash(fault);
        return;
      case "partition":
        this.#partition(fault);
        return;
      case "clogged link":
        this.#clog(fault);
        return;
      case "slow disk":
        world.counters.add(name);
        holder.medium.setSlowFactor(2 ** (1 + (detail % 8)));
        later(() => holder.medium.setSlowFactor(1));
        return;
      case "hung disk":
        world.counters.add(name);
        holder.medium.setHung(true);
        later(() => holder.medium.setHung(false));
        return;
      case "failed sync":
        world.counters.add(name);
        holder.medium.failNextSync();
        // A poisoned device serves what it has until its process is started again.
        later(() => this.#restart(holder));
        return;
      case "pause":
        world.counters.add(name);
        holder.node.pause();
        later(() => holder.node.resume());
        return;
      case "clock jump":
        this.#jump(fault);
        return;
      case "forged message":
        world.counters.add(name);
        forgeMessages(world, detail);
        return;
      case "full stash":
        world.counters.add(name);
        stash.medium.setFull(true);
        stash.node.take({ type: "occupancy", isFull: true });
        later(() => {
          stash.medium.setFull(false);
          stash.node.take({ type: "occupancy", isFull: false });
        });
        return;
      default:
        this.#lose(fault, holder, pod, stash, later);
        return;
    }
  }

  /** Faults that take durable bytes away. */
  #lose(
    { name, detail }: PlannedFault,
    holder: SimulatedPod | SimulatedStash,
    pod: SimulatedPod,
    stash: SimulatedStash,
    later: (action: () => void) => void,
  ): void {
    const { counters } = this.#world;
    switch (name) {
      case "lying sync":
        if (!this.#maySpend(holder.node.address)) return;
        counters.add(name);
        holder.medium.setLying(true);
        later(() => holder.medium.setLying(false));
        return;
      case "bit rot":
        if (this.#maySpend(holder.node.address) && holder.medium.rot()) counters.add(name);
        return;
      case "replaced drive":
        if (!this.#maySpend(pod.node.address)) return;
        counters.add(name);
        this.#replaceDrive(pod, detail, later);
        return;
      case "dead device":
        if (!this.#maySpend(stash.node.address)) return;
        counters.add(name);
        stash.node.stop();
        stash.state = null;
        stash.medium.replace();
        return;
      default:
        throw new RangeError(`There is no fault "${name}".`);
    }
  }

  #maySpend(address: Address): boolean {
    const { parityShardCount } = this.#world.options.scheme;
    if (!this.#lossy.has(address) && this.#lossy.size >= parityShardCount - 1) return false;
    this.#lossy.add(address);
    return true;
  }

  #restart(holder: SimulatedPod | SimulatedStash): void {
    if ("podIndex" in holder) {
      this.#world.crashPod(holder);
      this.#world.startPod(holder);
    } else {
      this.#world.crashStash(holder);
      this.#world.startStash(holder);
    }
  }

  #crash({ name, target, detail, durationMs }: PlannedFault): void {
    const world = this.#world;
    world.counters.add(name);
    const nodes = [...world.pods, ...world.stashes, ...world.coordinators];
    const node = nodes[target % nodes.length];
    if (!node) return;
    const isPowerLost = detail % 3 === 0;
    if ("medium" in node) {
      node.node.stop();
      node.state = null;
      if (isPowerLost) node.medium.powerCut();
      else node.medium.crash();
    } else world.crashCoordinator(node);
    world.queue.schedule(durationMs * 1000, () => {
      if ("podIndex" in node) world.startPod(node);
      else if ("deviceId" in node) world.startStash(node);
      else world.startCoordinator(node);
    });
  }

  /** A new, empty drive: another id, in another epoch, that every node learns of. */
  #replaceDrive(pod: SimulatedPod, detail: number, later: (action: () => void) => void): void {
    const world = this.#world;
    pod.node.stop();
    pod.state = null;
    pod.medium.replace();
    const epoch = world.config.epoch + 1;
    const podDriveIds = world.config.podDriveIds.with(pod.podIndex, `drive-${pod.podIndex}-${epoch}`);
    world.config = { ...world.config, epoch, podDriveIds };
    for (const node of [...world.pods, ...world.stashes, ...world.coordinators]) {
      const { config } = world;
      world.queue.schedule(((detail % 97) * 13_337) % 2_000_000, () => {
        if (node.state && node.state.config.epoch < config.epoch) node.state.config = config;
      });
    }
    later(() => world.startPod(pod));
  }

  #linksOf({ target, detail }: PlannedFault): [Address, Address][] {
    const world = this.#world;
    const nodes = [...world.pods, ...world.stashes].map(({ node }) => node.address);
    const one = nodes[target % nodes.length] as Address;
    const others: Address[] = [
      ...world.coordinators.map(({ coordinatorId }) => coordinatorAddress(coordinatorId)),
      ...world.pods.map(({ podIndex }) => podAddress(podIndex)),
      ...world.stashes.map(({ deviceId }) => stashAddress(deviceId)),
    ];
    return others.flatMap((other, i): [Address, Address][] => {
      if (other === one || (detail >> (i % 16)) % 2 === 0) return [];
      // Asymmetric: to it, from it, or both.
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

  #partition(fault: PlannedFault): void {
    const { network, counters, queue } = this.#world;
    counters.add(fault.name);
    const links = this.#linksOf(fault);
    for (const [from, to] of links) network.breakLink(from, to);
    queue.schedule(fault.durationMs * 1000, () => {
      for (const [from, to] of links) network.healLink(from, to);
    });
  }

  #clog(fault: PlannedFault): void {
    const { network, counters, queue } = this.#world;
    counters.add(fault.name);
    const links = this.#linksOf(fault);
    for (const [from, to] of links) network.clogLink(from, to, (fault.detail % 3000) * 1000);
    queue.schedule(fault.durationMs * 1000, () => {
      for (const [from, to] of links) network.healLink(from, to);
    });
  }

  #jump({ name, target, detail }: PlannedFault): void {
    const world = this.#world;
    world.counters.add(name);
    const nodes = [...world.coordinators, ...world.pods, ...world.stashes];
    const node = nodes[target % nodes.length];
    if (node) node.node.clockOffsetMs += ((detail % 2001) - 1000) * (detail % 7 === 0 ? 600 : 10);
  }
}
