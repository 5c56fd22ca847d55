/** Carries out planned faults, within the budget of the guarantee: media may lose shards of m - 1 nodes. */
import type { Address } from "@stashlight/write-path";
import type { FaultName, PlannedFault } from "../options.ts";
import { addDevice } from "./added-device.ts";
import { Ambushes } from "./ambush.ts";
import { drainDevice } from "./drained-device.ts";
import {
  disturbReads,
  failSync,
  fillPod,
  fillStash,
  hangDrive,
  rotBeyondBudget,
  slowDrive,
  targetHolder,
} from "./drive-faults.ts";
import { isLossName, type LossName, losses, replaceStuckDrives } from "./drive-losses.ts";
import { forgeMessages } from "./forgery.ts";
import { clog, partition } from "./link-faults.ts";
import { crash, cutPower, cutPowerOfSome, cutPowerTwice, stopAsPlanned } from "./outages.ts";
import { overtakeAppend } from "./overtaken-append.ts";
import { quarantineDevice } from "./quarantined-device.ts";
import { thinQuorum } from "./thin-quorum.ts";
import type { World } from "./world.ts";

/** Message faults are a property of the network, and strike at no particular time. */
type DisturbanceName = Exclude<FaultName, LossName | "message faults">;
type MaySpend = (address: Address) => boolean;
type Disturb = (world: World, fault: PlannedFault, ambushes: Ambushes, maySpend: MaySpend) => void;

const disturbances: Readonly<Record<DisturbanceName, Disturb>> = {
  "power cut": cutPower,
  "nested power cut": cutPowerTwice,
  "partial power cut": cutPowerOfSome,
  "process crash": crash,
  "planned stop": stopAsPlanned,
  partition,
  "clogged link": clog,
  "slow disk": slowDrive,
  "hung disk": hangDrive,
  "failed sync": failSync,
  "full stash": fillStash,
  "full pod": fillPod,
  "added device": addDevice,
  "drained device": drainDevice,
  "quarantined device": quarantineDevice,
  pause,
  "clock jump": jump,
  "forged message": (world, { detail }) => forgeMessages(world, detail),
  ambush: (_, fault, ambushes) => ambushes.lie(fault),
  "thin quorum": thinQuorum,
  "overtaken append": overtakeAppend,
  "failing reads": (world, fault) => disturbReads(world, fault, "failing"),
  "garbled reads": (world, fault) => disturbReads(world, fault, "garbled"),
  "rot beyond budget": (world, fault, _, maySpend) => rotBeyondBudget(world, fault, maySpend),
};

/** Every drive that can be opened is open by then. */
const STUCK_DRIVES_AFTER_US = 5_000_000;

export class FaultInjector {
  readonly #world: World;
  /** Nodes whose media have lost data, or may have. */
  readonly #lossy = new Set<Address>();
  readonly ambushes: Ambushes;

  constructor(world: World) {
    this.#world = world;
    this.ambushes = new Ambushes(world);
  }

  schedule(faults: readonly PlannedFault[]): void {
    for (const fault of faults) this.#world.queue.schedule(fault.atMs * 1000, () => this.#strike(fault));
  }

  /** Ends all lasting faults, so that the vault can come to rest. */
  healAll(): void {
    const world = this.#world;
    world.healedUs = world.queue.nowUs;
    world.network.heal();
    this.ambushes.healAll();
    for (const { medium, node } of [...world.pods, ...world.stashes]) {
      medium.setLying(false);
      medium.setSlowFactor(1);
      medium.setHung(false);
      medium.setFull(false);
      medium.setReads("good");
      node.resume();
    }
    for (const stash of world.stashes) stash.node.take({ type: "occupancy", isFull: false });
    for (const { node } of world.coordinators) node.resume();
    for (const { node } of world.machines) node.isHeldDown = false;
    world.powerOn(1_000_000);
    world.queue.schedule(STUCK_DRIVES_AFTER_US, () => replaceStuckDrives(world));
  }

  #strike(fault: PlannedFault): void {
    const { name } = fault;
    if (name === "message faults") throw new RangeError(`The fault "${name}" cannot be planned for a time.`);
    if (isLossName(name)) {
      this.#lose(name, fault);
      return;
    }
    this.#world.counters.add(name);
    disturbances[name](this.#world, fault, this.ambushes, (address) => this.maySpend(address));
  }

  #lose(name: LossName, fault: PlannedFault): void {
    const { holder, strike } = losses[name];
    const { address } = holder(this.#world, fault).node;
    if (this.maySpend(address) && strike(this.#world, fault)) this.#world.counters.add(name);
  }

  /** Returns true if the media of this node may lose something; the node then counts among the lossy ones. */
  maySpend(address: Address): boolean {
    const { parityShardCount } = this.#world.options.scheme;
    if (!this.#lossy.has(address) && this.#lossy.size >= parityShardCount - 1) return false;
    this.#lossy.add(address);
    return true;
  }
}

function pause(world: World, fault: PlannedFault): void {
  const { node } = targetHolder(world, fault);
  node.pause();
  world.queue.schedule(fault.durationMs * 1000, () => node.resume());
}

function jump({ machines }: World, { target, detail }: PlannedFault): void {
  const machine = machines[target % machines.length];
  if (machine) machine.node.clockOffsetMs += ((detail % 2001) - 1000) * (detail % 7 === 0 ? 600 : 10);
}
