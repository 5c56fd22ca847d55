import type { Address, Message } from "@stashlight/write-path";
import type { RefusalReason } from "./codec/handshake.ts";
import type { Envelope } from "./codec/messages.ts";
import type { NodeKeys } from "./node-key.ts";

/** Who this process is. */
export interface NodeIdentity {
  readonly clusterId: string;
  /** Lower-case letters, digits, dots and dashes, as in a host name; under TLS the certificate names it. */
  readonly nodeId: string;
  /** Higher is later. */
  readonly bootId: number;
}

/** PEM texts: this node's certificate and key, and the authority that signs those of all nodes of the cluster. */
export interface TlsIdentity {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface TransportLimits {
  /** Larger frames are neither sent nor taken. */
  readonly frameBytesMax: number;
  /** What waits for one node, including what its socket has not taken yet; beyond it messages are dropped. */
  readonly queueBytesMax: number;
  readonly queueCountMax: number;
  /** What has waited this long for a connection is too old to help anybody. */
  readonly queueAgeMsMax: number;
  /** What a socket is given before it has taken what it was given before. */
  readonly inFlightBytesMax: number;
  readonly pingEveryMs: number;
  /** A node that is silent for this long hangs or is cut off, and its connection is closed. */
  readonly silenceMsMax: number;
  /** For TCP to connect. The kernel sends its first packet again after 1 s and 3 s; a new attempt comes earlier. */
  readonly connectMsMax: number;
  /** From the connection to the end of the handshakes. */
  readonly handshakeMsMax: number;
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
  readonly connectionCountMax: number;
  /** Connections whose other side is not verified yet; beyond this the oldest is closed. */
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

/** A message and the node that proved to be its sender. */
export interface Received extends Envelope {
  readonly nodeId: string;
}

/** Why a message of a node we talk to is not taken; see `authoriseByRole`. */
export type Trespass = "sender" | "recipient" | "role" | "subject";

/** Decides on each message before anybody sees it; null lets it pass. */
export type Authorise = (received: Received) => Trespass | null;

/** For the log of the process. All texts are sentences. */
export type TransportEvent =
  | { readonly type: "connected"; readonly nodeId: string; readonly bootId: number }
  | { readonly type: "disconnected"; readonly nodeId: string; readonly text: string }
  /** We refused the other side, whose name it need not have told truly. */
  | {
      readonly type: "refused";
      readonly nodeId: string | null;
      readonly reason: RefusalReason;
      readonly text: string;
    }
  /** The other side refused us. */
  | {
      readonly type: "refusedByPeer";
      readonly nodeId: string;
      readonly reason: RefusalReason;
      readonly text: string;
    }
  /** The system let no more connections in, as when there are no file descriptors left. */
  | { readonly type: "acceptFailed"; readonly text: string }
  | { readonly type: "unreachable"; readonly nodeId: string; readonly text: string }
  | {
      readonly type: "trespass";
      readonly nodeId: string;
      readonly trespass: Trespass;
      readonly message: Message["type"];
      readonly from: Address;
    };

/** What a node proves its identity with; another one may replace it while connections are open. */
export type Credentials = Pick<EndpointOptions, "keys" | "tls">;

export interface EndpointOptions {
  readonly identity: NodeIdentity;
  readonly keys: NodeKeys;
  /** Null for plain TCP, which is used between loopback addresses only: nobody else can listen or connect there. */
  readonly tls: TlsIdentity | null;
  readonly authorise: Authorise;
  /** The epoch of the vault's file in force here. */
  readonly epochOf: () => number;
  /** Called for one message after the other. Payloads are views of larger buffers, which they keep in memory. */
  readonly receive: (received: Received) => void;
  /** Payloads hold until `receive` returns, and are not copied for it; for a receiver that has used them by then. */
  readonly arePayloadsLent?: boolean;
  readonly observe?: (event: TransportEvent) => void;
  readonly limits?: Partial<TransportLimits>;
}
