export { findDenial, pinDestination, type Resolve } from "./destination.ts";
export type { Denial, PinnedAddress } from "./judge.ts";
