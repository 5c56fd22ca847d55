/** The space of everything behind an endpoint, as backup tools are shown it. */
import type { CoordinatorSpace } from "@stashlight/contracts/space/coordinator-space";
import type { StoreSpace } from "@stashlight/s3";

/** Null while the space of a vault is unknown: a sum without it would be wrong. */
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
