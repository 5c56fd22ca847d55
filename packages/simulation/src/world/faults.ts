/** Carries out planned faults, within the budget of what the promise covers: media may lose shards of m - 1 nodes. */
import type { Address } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import { createRandom } from "../random.ts";
import { Ambushes } from "./ambush.ts";
import { forgeMessages } from "./forgery.ts";
import { thinQuorum } from "./thin-quorum.ts";
import type { SimulatedCoordinator, SimulatedPod, SimulatedStash, World } from "./world.ts";

type SimulatedMachine = SimulatedPod | SimulatedStash | SimulatedCoordinator;

export class FaultInjector {
  readonly #world: World;
  /** Nodes whose media have lost, or may have lost, something. */
  readonly #lossy = new Set<Address>();
  readonly #ambushes: Ambushes;

  constructor(world: World) {
    this.#world = world;
    this.#ambushes = new Ambushes(world, {
      powerCut: (fault) => this.#cutPower(fault),
      losePower: (address, { durationMs: forMs }) => this.#losePower(address, forMs),
    });
  }

  get #machines(): SimulatedMachine[] {
    const { pods, stashes, coordinators } = this.#world;
    return [...pods, ...stashes, ...coordinators];
  }

  schedule(faults: readonly PlannedFault[]): void {
    for (const fault of faults) this.#world.queue.schedule(fault.atMs * 1000, () => this.#strike(fault));
  }

  /** Ends everything that lasts, so that the vault can come to rest. */
  healAll(): void {
    const world = this.#world;
    world.network.heal();
    this.#ambushes.healAll();
    for (const { medium, node } of [...world.pods, ...world.stashes]) {
      medium.setLying(false);
      medium.setSlowFactor(1);
      medium.setHung(false);
      medium.setFull(false);
      node.resume();
    }
    for (const stash of world.stashes) stash.node.take({ type: "occupancy", isFull: false });
    for (const { node } of world.coordinators) node.resume();
    for (const machine of this.#machines) machine.node.isHeldDown = false;
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
        this.#cutPower(fault);
        return;
      case "partial power cut":
        world.counters.add(name);
        this.#cutPowerOfSome(fault);
        return;
      case "thin quorum":
        world.counters.add(name);
        thinQuorum(world, fault, this.#ambushes, (address, forMs) => this.#losePower(address, forMs));
        return;
      case "ambush":
        world.counters.add(name);
        this.#ambushes.lie(fault);
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
      case "full pod":
        world.counters.add(name);
        pod.medium.setFull(true);
        later(() => pod.medium.setFull(false));
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

  #cutPower({ durationMs, detail }: PlannedFault): void {
    const world = this.#world;
    world.powerCut();
    world.queue.schedule(durationMs * 1000, () => world.powerOn(((detail % 50) + 1) * 100_000));
  }

  #losePower(address: Address, durationMs: number): void {
    const machine = this.#machines.find(({ node }) => node.address === address);
    if (machine) this.#takeDown(machine, true, durationMs);
  }

  /** Half of the machines, a quarter or an eighth; each has power again in its own time. */
  #cutPowerOfSome({ target, detail, durationMs }: PlannedFault): void {
    const random = createRandom(target * 2 ** 20 + detail);
    const share = 0.5 ** (1 + random.below(3));
    for (const machine of this.#machines) {
      if (random.chance(share)) this.#takeDown(machine, true, durationMs * 2 * random.next());
    }
  }

  #crash({ name, target, detail, durationMs }: PlannedFault): void {
    this.#world.counters.add(name);
    const machine = this.#machines[target % this.#machines.length];
    if (machine) this.#takeDown(machine, detail % 3 === 0, durationMs);
  }

  /** It stays down for so long, even when power comes back everywhere meanwhile. */
  #takeDown(machine: SimulatedMachine, isPowerLost: boolean, durationMs: number): void {
    const world = this.#world;
    if (!("medium" in machine)) world.crashCoordinator(machine);
    else {
      machine.node.stop();
      machine.state = null;
      if (isPowerLost) machine.medium.powerCut();
      else machine.medium.crash();
    }
    machine.node.isHeldDown = true;
    world.queue.schedule(durationMs * 1000, () => {
      machine.node.isHeldDown = false;
      if ("podIndex" in machine) world.startPod(machine);
      else if ("deviceId" in machine) world.startStash(machine);
      else world.startCoordinator(machine);
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
    for (const machine of this.#machines) {
      const { config } = world;
      world.queue.schedule(((detail % 97) * 13_337) % 2_000_000, () => {
        if (machine.state && machine.state.config.epoch < config.epoch) machine.state.config = config;
      });
    }
    later(() => world.startPod(pod));
  }

  #linksOf({ target, detail }: PlannedFault): [Address, Address][] {
    const all = this.#machines.map(({ node }) => node.address);
    const one = all[target % all.length] as Address;
    return all.flatMap((other, i): [Address, Address][] => {
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
    const machine = this.#machines[target % this.#machines.length];
    if (machine) machine.node.clockOffsetMs += ((detail % 2001) - 1000) * (detail % 7 === 0 ? 600 : 10);
  }
}
