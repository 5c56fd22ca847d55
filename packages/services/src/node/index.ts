export { approveNode } from "./approve.ts";
export { createEnrolmentToken } from "./create-token.ts";
export {
  type EnsureLocalNodesOptions,
  ensureLocalNodes,
  ensureSimulatedNodes,
  type InstallationAccess,
  type LocalEnrolment,
  type LocalNode,
  type LocalVault,
} from "./ensure-local.ts";
export { forgetSimulatedNodes } from "./forget-simulated.ts";
export { getNode } from "./get.ts";
export { listNodes } from "./list.ts";
export { listEnrolmentTokens } from "./list-tokens.ts";
export { revokeNode } from "./revoke.ts";
export { revokeEnrolmentToken } from "./revoke-token.ts";
export { rotateNodeKey } from "./rotate-key.ts";
export { listSilences } from "./silence.ts";
