export { isAllowed, type PinnedAddress, pinDestination, type Resolve } from "./destination.ts";
