/**
 * `POST /drill/faults` with `{"address": "s3", "fault": "eio"}`: makes the drive of a pod or stash device fail in this
 * way until another fault, or "none", is set. Available only in a process that was started with `--drill`.
 */
import type { Disk } from "@stashlight/shard-log";
import type { Address } from "@stashlight/write-path";
import { z } from "zod";
import { FAULTS, FaultSwitch, faultDisk } from "../drive/fault-disk.ts";
import { AdminError } from "./admin-server.ts";

/** Fault switches of a node's drives, by address. */
export class DrillFaults {
  readonly #switches = new Map<Address, FaultSwitch>();

  /** Returns a wrapper for the drive of this address, to put between the drive and its log. */
  wrap(address: Address): (disk: Disk) => Disk {
    const faults = new FaultSwitch();
    this.#switches.set(address, faults);
    return (disk) => faultDisk(disk, faults);
  }

  at(address: string): FaultSwitch | undefined {
    return this.#switches.get(address as Address);
  }

  state(): Record<string, string> {
    return Object.fromEntries([...this.#switches].map(([address, { fault }]) => [address, fault]));
  }
}

const requestSchema = z.strictObject({ address: z.string(), fault: z.enum(FAULTS) });

/** Sets a drive's fault and returns the faults of all drives. */
export function setFault(faults: DrillFaults | null, body: unknown): object {
  if (faults === null) {
    throw new AdminError(
      403,
      "This process was started without --drill, so its drives cannot be made to fail.",
    );
  }
  const request = requestSchema.safeParse(body);
  if (!request.success) {
    throw new AdminError(400, `Send {"address": "s0", "fault": one of ${FAULTS.join(", ")}}.`);
  }
  const { address, fault } = request.data;
  const drive = faults.at(address);
  if (drive === undefined) throw new AdminError(404, `No drive of this node has the address ${address}.`);
  drive.set(fault);
  return faults.state();
}
