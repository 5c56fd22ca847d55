import { z } from "zod";
import { type NodeRole, type NodeStatus, nodeRoles } from "./roles.ts";

/** Secrets begin with their kind, so that one leaked into a file or log is recognised. */
export const enrolmentTokenPrefix = "sle_";
export const nodeKeyPrefix = "slk_";

const secretPattern = (prefix: string) => new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`);

const enrolmentTokenSchema = z
  .string("Enter the enrolment token.")
  .regex(secretPattern(enrolmentTokenPrefix), "The enrolment token is incomplete; copy it whole.");
const nodeKeyPattern = secretPattern(nodeKeyPrefix);
export const isNodeKey = (text: string): boolean => nodeKeyPattern.test(text);

/** Names appear in labels, tables and commands, so they are restricted to plain characters. */
const plainName = (what: string) =>
  z
    .string(`${what} is missing.`)
    .trim()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      `${what} can have up to 63 letters, digits, ".", "_" or "-", and must begin with a letter or digit.`,
    );

export const nodeNameSchema = plainName("The name of a node");
export const vaultNameSchema = plainName("The name of a vault");
const nodeRoleSchema = z.enum(nodeRoles, `The role of a node must be one of ${nodeRoles.join(", ")}.`);
export const agentVersionSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, "A version can have up to 64 printable characters and no space.");

/** Users paste both into a shell, so a node cannot report other characters. */
export const s3AddressSchema = z.object({
  url: z.string().regex(/^https?:\/\/[A-Za-z0-9.:[\]-]{1,262}$/),
  region: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
});
export type S3Address = z.infer<typeof s3AddressSchema>;

export const nodeIdInput = z.object({ nodeId: z.uuid("There is no such node.") });
export const revokeNodeInput = nodeIdInput.extend({
  /** Typed by the user to confirm the node. */
  name: z.string().max(100),
});
export const enrolmentTokenIdInput = z.object({ tokenId: z.uuid("There is no such token.") });

const enrolmentLifetimeHoursMax = 720;
const enrolmentUseCountMax = 10_000;
export const createEnrolmentTokenInput = z.object({
  vault: vaultNameSchema,
  role: nodeRoleSchema,
  useCountMax: z
    .int("Enter a whole number of nodes.")
    .min(1, "A token must enrol at least one node.")
    .max(enrolmentUseCountMax, `A token can enrol at most ${enrolmentUseCountMax} nodes.`)
    .default(1),
  lifetimeHours: z
    .int("Enter a whole number of hours.")
    .min(1, "A token must work for at least an hour.")
    .max(enrolmentLifetimeHoursMax, `A token can work for at most ${enrolmentLifetimeHoursMax} hours.`)
    .default(24),
  /** Nodes are active at once, without waiting for an admin. */
  isAutoApproved: z.boolean().default(false),
  /** Gives an enrolled node a new key: for a machine that lost its own. */
  mayReplace: z.boolean().default(false),
  isSimulated: z.boolean().default(false),
});

/** Request of a machine to the ingest to become a node. */
export const enrolNodeInput = z.object({
  token: enrolmentTokenSchema,
  name: nodeNameSchema,
  role: nodeRoleSchema,
  agentVersion: agentVersionSchema.optional(),
});

/** Answer of the ingest: the key is shown only once. */
export interface EnrolledNode {
  nodeId: string;
  name: string;
  vault: string;
  status: NodeStatus;
  key: string;
}

/** Node that a key belongs to. */
export interface AuthenticatedNode {
  nodeId: string;
  name: string;
  vault: string;
  role: NodeRole;
  status: Exclude<NodeStatus, "revoked">;
  isSimulated: boolean;
}

export interface IssuedEnrolmentToken {
  tokenId: string;
  token: string;
  expiresAt: Date;
  /** Address at which agents reach the ingest. */
  ingestUrl: string;
}

export interface IssuedNodeKey {
  key: string;
  /** Until then the previous key works too. */
  previousWorksUntil: Date;
}

export interface NodeRow {
  id: string;
  name: string;
  vault: string;
  role: NodeRole;
  status: NodeStatus;
  isSimulated: boolean;
  agentVersion: string | null;
  enrolmentTokenId: string | null;
  createdAt: Date;
  lastSeenAt: Date | null;
  /** Time without a report while an ingest listened; null unless that makes it silent. */
  silentSeconds: number | null;
  /** Offset of its clock from the console's; positive if it is ahead. */
  skewMs: number | null;
  /** Bytes of batches waiting on its disk. */
  spoolBytes: number | null;
  /** Address at which S3 clients reach a coordinator, as it reports; null for other nodes and older agents. */
  s3: S3Address | null;
}

export interface NodeKeyRow {
  id: string;
  lastCharacters: string;
  createdAt: Date;
  /** Time when a rotated key stops working; null for the latest. */
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export interface NodeDetails extends NodeRow {
  /** Latest first. */
  keys: NodeKeyRow[];
}

export interface EnrolmentTokenRow {
  id: string;
  lastCharacters: string;
  vault: string;
  role: NodeRole;
  useCount: number;
  useCountMax: number;
  isAutoApproved: boolean;
  mayReplace: boolean;
  isSimulated: boolean;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}
