/**
 * Messages of the write path between nodes, as binary frames over TCP or TLS 1.3.
 *
 *     send -> outbox (bounded; drops) -> codec -> one write per turn of the event loop -> socket
 *     socket -> frame reader (limits, checksums) -> codec -> authorise -> receive
 *
 * Before the first message both nodes prove their identity, each by its own key (greeting.ts).
 *
 * A connection carries messages both ways, so only one of two nodes calls the other, preferably the one that receives
 * more bytes. Messages may be lost, as the protocol expects, and this package never resends them; those of one
 * connection arrive in order and once. The payload of a shard is not checked here: it has its own CRC32C, which is
 * checked when the shard is stored or decoded.
 */
export { authoriseByRole, type Directory } from "./authorisation.ts";
export type { RefusalReason } from "./codec/handshake.ts";
export type { Envelope } from "./codec/messages.ts";
export type { DropReason, TransportSnapshot } from "./counters.ts";
export type { FrameErrorCode } from "./errors.ts";
export { isLoopbackAddress } from "./loopback.ts";
export { createNodeKey, type NodeKeys, publicKeyText, readNodeKey, readPublicKey } from "./node-key.ts";
export type {
  Authorise,
  Credentials,
  EndpointOptions,
  NodeIdentity,
  Received,
  TlsIdentity,
  TransportEvent,
  TransportLimits,
  Trespass,
} from "./options.ts";
export type { Released } from "./outbox.ts";
export { type ConnectOptions, connectTo, type Peer } from "./peer.ts";
export { type ListenOptions, listen, type TransportServer } from "./server.ts";
