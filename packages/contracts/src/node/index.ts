export {
  type AuthenticatedNode,
  agentVersionSchema,
  createEnrolmentTokenInput,
  type EnrolledNode,
  type EnrolmentTokenRow,
  enrolmentTokenIdInput,
  enrolmentTokenPrefix,
  enrolNodeInput,
  type IssuedEnrolmentToken,
  type IssuedNodeKey,
  isNodeKey,
  type NodeDetails,
  type NodeKeyRow,
  type NodeRow,
  nodeIdInput,
  nodeKeyPrefix,
  revokeNodeInput,
  type S3Address,
  s3AddressSchema,
} from "./node.ts";
export { type NodeRole, type NodeStatus, nodeRoleDescriptions, nodeRoles, nodeStatuses } from "./roles.ts";
export {
  describeSilence,
  describeSilentFor,
  findListeningSpan,
  isWhollySilent,
  type ListeningSpan,
  reportsAboutVault,
  silenceOfLabels,
  silentSeconds,
  type VaultSilence,
} from "./silence.ts";
export type { NodeDelivery, NodeGap, RefusedValues, TelemetryHealth } from "./telemetry-health.ts";
