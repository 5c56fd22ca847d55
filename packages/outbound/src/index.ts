export type { Denial, PinnedAddress } from "./address-policy.ts";
export { findDenial, pinDestination, type Resolve } from "./destination.ts";
