/** The space of all vaults behind an endpoint, as shown to backup tools. */
import type { CoordinatorSpace } from "@stashlight/contracts/health";
import type { StoreSpace } from "@stashlight/s3";

/** Returns null while the space of any vault is unknown, because a sum without it would be wrong. */
export function addSpaces(spaces: readonly CoordinatorSpace[]): StoreSpace | null {
  let capacityBytes = 0;
  let availableBytes = 0;
  for (const space of spaces) {
    if (space.takenBytes === null) return null;
    capacityBytes += space.capacityBytes;
    availableBytes += Math.max(0, space.capacityBytes - space.takenBytes);
  }
  return { capacityBytes, availableBytes };
}
