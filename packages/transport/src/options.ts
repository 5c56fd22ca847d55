import type { Address, Message } from "@stashlight/write-path";
import type { RefusalReason } from "./codec/handshake.ts";
import type { Envelope } from "./codec/messages.ts";
import type { NodeKeys } from "./node-key.ts";

/** Identity of this process. */
export interface NodeIdentity {
  readonly clusterId: string;
  /** Lower-case letters, digits, dots and dashes, as in a host name; under TLS the certificate names it. */
  readonly nodeId: string;
  /** Increases with each restart of the process. */
  readonly bootId: number;
}

/**
 * PEM texts: this node's certificate and key, and the authority that signs the certificates of all nodes in the
 * cluster.
 */
export interface TlsIdentity {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface TransportLimits {
  /** Larger frames are neither sent nor accepted. */
  readonly frameBytesMax: number;
  /**
   * Limit on bytes waiting for one node, including those that its socket has not taken yet; beyond it messages are
   * dropped.
   */
  readonly queueBytesMax: number;
  readonly queueCountMax: number;
  /** Age at which a message that waits for a connection is too old to be useful. */
  readonly queueAgeMsMax: number;
  /** Limit on bytes passed to a socket and not accepted by it yet. */
  readonly inFlightBytesMax: number;
  readonly pingEveryMs: number;
  /** Time without any data after which a node counts as hung or cut off, and its connection is closed. */
  readonly silenceMsMax: number;
  /** Time for TCP to connect. The kernel repeats its first packet after 1 s and 3 s; a new attempt comes sooner. */
  readonly connectMsMax: number;
  /** Time from the connection to the end of the handshakes. */
  readonly handshakeMsMax: number;
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
  readonly connectionCountMax: number;
  /** Limit on connections whose other side is not verified yet; beyond it the oldest is closed. */
  readonly strangerCountMax: number;
}

export const defaultLimits: TransportLimits = {
  frameBytesMax: 16_777_216,
  queueBytesMax: 16_777_216,
  queueCountMax: 16_384,
  queueAgeMsMax: 2_000,
  inFlightBytesMax: 1_048_576,
  pingEveryMs: 1_000,
  silenceMsMax: 6_000,
  connectMsMax: 2_500,
  handshakeMsMax: 5_000,
  reconnectMsMin: 100,
  reconnectMsMax: 1_000,
  connectionCountMax: 1_024,
  strangerCountMax: 256,
};

/** A message and its verified sender. */
export interface Received extends Envelope {
  readonly nodeId: string;
}

/** Reason why a message of a connected node is refused; see `authoriseByRole`. */
export type Trespass = "sender" | "recipient" | "role" | "subject";

/** Decides on each message before it is delivered; null accepts it. */
export type Authorise = (received: Received) => Trespass | null;

/** Events for the process's log. Every text is a sentence. */
export type TransportEvent =
  | { readonly type: "connected"; readonly nodeId: string; readonly bootId: number }
  | { readonly type: "disconnected"; readonly nodeId: string; readonly text: string }
  /** This side refused the other, whose claimed name may be false. */
  | {
      readonly type: "refused";
      readonly nodeId: string | null;
      readonly reason: RefusalReason;
      readonly text: string;
    }
  /** The other side refused this one. */
  | {
      readonly type: "refusedByPeer";
      readonly nodeId: string;
      readonly reason: RefusalReason;
      readonly text: string;
    }
  /** The system accepted no more connections, for example because no file descriptors were left. */
  | { readonly type: "acceptFailed"; readonly text: string }
  | { readonly type: "unreachable"; readonly nodeId: string; readonly text: string }
  | {
      readonly type: "trespass";
      readonly nodeId: string;
      readonly trespass: Trespass;
      readonly message: Message["type"];
      readonly from: Address;
    };

/** Credentials of a node; they may be replaced while connections are open. */
export type Credentials = Pick<EndpointOptions, "keys" | "tls">;

export interface EndpointOptions {
  readonly identity: NodeIdentity;
  readonly keys: NodeKeys;
  /**
   * Null for plain TCP, which is allowed only between loopback addresses, where no other machine can listen or connect.
   */
  readonly tls: TlsIdentity | null;
  readonly authorise: Authorise;
  /** Returns the current epoch of the vault's file on this node. */
  readonly epochOf: () => number;
  /** Called for one message at a time. Payloads are views of larger buffers, which they keep in memory. */
  readonly receive: (received: Received) => void;
  /**
   * Payloads are valid only until `receive` returns, and are not copied, for a receiver that is done with them by then.
   */
  readonly arePayloadsLent?: boolean;
  readonly observe?: (event: TransportEvent) => void;
  readonly limits?: Partial<TransportLimits>;
}
