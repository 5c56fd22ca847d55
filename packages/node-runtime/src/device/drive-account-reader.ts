import type { DriveAccount } from "./drive-account.ts";
import { joinIdentities, readIdentity, unknownIdentity } from "./identity.ts";
import { type SmartAnswer, unknownHealth } from "./smart.ts";

export interface AskAccountOptions {
  readonly sysFolder: string;
  /** Name under /dev: "nvme0n1". */
  readonly disk: string;
  /** Last account of the drive. */
  readonly known: DriveAccount | null;
  readonly ask: (disk: string) => Promise<SmartAnswer>;
}

/**
 * Reads the identity from the kernel first; the drive's answer adds fields that the kernel lacks, such as the firmware
 * of most drives.
 */
export async function askAccount({ sysFolder, disk, known, ask }: AskAccountOptions): Promise<DriveAccount> {
  const identity = await readIdentity(sysFolder, disk);
  const answer = await ask(disk);
  if (answer.type === "health") {
    return { identity: joinIdentities(identity, answer.identity), health: answer.health, silence: null };
  }
  if (answer.type === "silent") return { identity, health: unknownHealth, silence: answer.silence };
  const before = known ?? { identity: unknownIdentity, health: unknownHealth, silence: null };
  return { ...before, identity: joinIdentities(identity, before.identity) };
}
