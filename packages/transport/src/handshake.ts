/** Decides which nodes may connect to each other, from the other side's claims and its certificate. Pure functions. */
import type { KeyObject, X509Certificate } from "node:crypto";
import { type Frame, type FrameType, OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION } from "./codec/frame.ts";
import {
  decodeHello,
  type Hello,
  type Refusal,
  type RefusalReason,
  type Versions,
} from "./codec/handshake.ts";
import { FrameError } from "./errors.ts";
import type { NodeKeys } from "./node-key.ts";
import type { NodeIdentity } from "./options.ts";

/** Node ids that cannot be mistaken for wildcard names in certificates. */
const nodeIdPattern = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

export function isNodeId(text: string): boolean {
  return nodeIdPattern.test(text);
}

export interface Expectation {
  readonly identity: NodeIdentity;
  readonly epoch: number;
  /** Id of the called node; null for a server, which any node may call. */
  readonly calledNodeId: string | null;
  /** Null without TLS. */
  readonly certificate: X509Certificate | null;
  readonly publicKeyOf: NodeKeys["publicKeyOf"];
}

export type Verdict =
  /** The other side's claims, not yet verified; `publicKey` is the key of the node that it claims to be. */
  | {
      readonly type: "accepted";
      readonly hello: Hello;
      /** Version that both sides speak. */
      readonly version: number;
      readonly publicKey: KeyObject;
    }
  | { readonly type: "refused"; readonly nodeId: string | null; readonly refusal: Refusal };

/** Reads the hello in a frame, and judges it. Throws a `FrameError` if the frame is not a hello. */
export function judgeHello(
  frame: Frame,
  expectedType: FrameType,
  { identity, epoch, calledNodeId, certificate, publicKeyOf }: Expectation,
): Verdict {
  if (frame.header.type !== expectedType) {
    throw new FrameError("header", `Received a ${frame.header.type} instead of a ${expectedType}.`);
  }
  const { versions, hello } = decodeHello(frame);
  if (hello === null) {
    const text = `The other side speaks the protocol's ${named(versions)}, and this node ${named(ours)}; upgrade one version at a time.`;
    return { type: "refused", nodeId: null, refusal: { reason: "protocolVersion", text } };
  }
  const { clusterId, nodeId, expectedNodeId } = hello;
  const refuse = (reason: RefusalReason, text: string): Verdict => {
    return { type: "refused", nodeId, refusal: { reason, text } };
  };
  if (clusterId !== identity.clusterId) {
    return refuse(
      "foreignCluster",
      `The node "${nodeId}" belongs to the cluster "${clusterId}", and this node to another.`,
    );
  }
  if (expectedNodeId !== identity.nodeId) {
    return refuse("wrongNode", `The node "${expectedNodeId}" was called, but this is "${identity.nodeId}".`);
  }
  if (nodeId === identity.nodeId) {
    return refuse("wrongNode", `The other side calls itself "${nodeId}", which is this node's own name.`);
  }
  if (calledNodeId !== null && nodeId !== calledNodeId) {
    return refuse("wrongNode", `The node "${calledNodeId}" was called, but "${nodeId}" answered.`);
  }
  if (certificate !== null && !isCertified(certificate, nodeId)) {
    return refuse(
      "notCertified",
      `The certificate of the node that calls itself "${nodeId}" does not name it.`,
    );
  }
  if (hello.epoch < epoch) return refuse("olderEpoch", olderEpochText(nodeId, hello.epoch, epoch));
  const publicKey = isNodeId(nodeId) ? publicKeyOf(nodeId, certificate) : null;
  if (publicKey === null) return refuse("unknownNode", `The node "${nodeId}" is not part of this vault.`);
  return { type: "accepted", hello, version: Math.min(versions.own, ours.own), publicKey };
}

/**
 * A node that returns with an older epoch does not know all drives and stash devices, and could wrongly conclude that
 * an upload stored on the others is dead.
 */
export function olderEpochText(nodeId: string, theirEpoch: number, epoch: number): string {
  return `The node "${nodeId}" has epoch ${theirEpoch} of the vault's file, and epoch ${epoch} is in force; a coordinator will send it.`;
}

const ours: Versions = { own: PROTOCOL_VERSION, oldest: OLDEST_PROTOCOL_VERSION };

const named = ({ own, oldest }: Versions): string =>
  own === oldest ? `version ${own}` : `versions ${oldest} to ${own}`;

/** Returns true if the certificate contains the full name, not a wildcard for it or part of another name. */
export function isCertified(certificate: X509Certificate, nodeId: string): boolean {
  return isNodeId(nodeId) && certificate.checkHost(nodeId, { wildcards: false }) === nodeId;
}
