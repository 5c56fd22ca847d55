/**
 * Messages between nodes. Every message may be lost, late, duplicated or overtaken by a later one; each handler
 * documents why that is harmless.
 */
import type { CoordinatorMessage } from "./to-coordinator.ts";
import type { PodMessage } from "./to-pod.ts";
import type { StashMessage } from "./to-stash.ts";

export type * from "./terms.ts";
export { coordinatorAddress, FREE_BYTES_UNKNOWN, podAddress, stashAddress } from "./terms.ts";
export type { CoordinatorMessage } from "./to-coordinator.ts";
export type * from "./to-pod.ts";
export type { StashMessage } from "./to-stash.ts";

export type Message = PodMessage | StashMessage | CoordinatorMessage;
