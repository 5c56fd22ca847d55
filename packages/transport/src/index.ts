export { authoriseByRole, type Directory } from "./authorisation.ts";
export type { RefusalReason } from "./codec/handshake.ts";
export type { Envelope } from "./codec/messages.ts";
export type { DropReason, TransportSnapshot } from "./counters.ts";
export { FrameError, type FrameErrorCode } from "./errors.ts";
export {
  type Authorise,
  defaultLimits,
  type EndpointOptions,
  type NodeIdentity,
  type Received,
  type TlsIdentity,
  type TransportEvent,
  type TransportLimits,
  type Trespass,
} from "./options.ts";
export type { Released } from "./outbox.ts";
export { type ConnectOptions, connectTo, type Peer } from "./peer.ts";
export { type ListenOptions, listen, type TransportServer } from "./server.ts";
