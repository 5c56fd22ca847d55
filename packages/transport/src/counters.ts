import { type RefusalReason, refusalReasons } from "./codec/handshake.ts";
import type { Trespass } from "./options.ts";

/**
 * Reason why a message was not sent. `lost`: its connection ended, whether or not the message had been passed to the
 * socket.
 */
export type DropReason = "queueFull" | "tooLarge" | "tooOld" | "notConnected" | "lost";

export interface TransportSnapshot {
  readonly framesSentTotal: number;
  readonly bytesSentTotal: number;
  readonly framesReceivedTotal: number;
  readonly bytesReceivedTotal: number;
  /** Handshakes that succeeded. */
  readonly connectionsTotal: number;
  /** Connections of a peer after the first; always 0 for a server. */
  readonly reconnectsTotal: number;
  /** Connections closed because the other side was silent for too long. */
  readonly silencesTotal: number;
  /** Number of times that reading was paused because the receiver could not keep up. */
  readonly pausesTotal: number;
  readonly refusalsTotal: Readonly<Record<RefusalReason, number>>;
  readonly refusalsByPeerTotal: Readonly<Record<RefusalReason, number>>;
  readonly dropsTotal: Readonly<Record<DropReason, number>>;
  readonly trespassesTotal: Readonly<Record<Trespass, number>>;
  readonly connectionCount: number;
  /** Bytes waiting to be sent, in the queue and in the socket. */
  readonly queuedBytes: number;
  readonly queuedCount: number;
  /** Round trip of the last ping; null before the first. */
  readonly roundTripUs: number | null;
}

type Mutable<Value> = {
  -readonly [Name in keyof Value]: Value[Name] extends object ? Mutable<Value[Name]> : Value[Name];
};

/** Counts that are kept as events happen; the rest of a snapshot is computed on request. */
export type Counters = Mutable<Omit<TransportSnapshot, "connectionCount" | "queuedBytes" | "queuedCount">>;

export function createCounters(): Counters {
  const noRefusals = () =>
    Object.fromEntries(Object.keys(refusalReasons).map((reason) => [reason, 0])) as Record<
      RefusalReason,
      number
    >;
  return {
    framesSentTotal: 0,
    bytesSentTotal: 0,
    framesReceivedTotal: 0,
    bytesReceivedTotal: 0,
    connectionsTotal: 0,
    reconnectsTotal: 0,
    silencesTotal: 0,
    pausesTotal: 0,
    refusalsTotal: noRefusals(),
    refusalsByPeerTotal: noRefusals(),
    dropsTotal: { queueFull: 0, tooLarge: 0, tooOld: 0, notConnected: 0, lost: 0 },
    trespassesTotal: { sender: 0, recipient: 0, role: 0, subject: 0 },
    roundTripUs: null,
  };
}

export function takeSnapshot(
  counters: Counters,
  outboxes: readonly { readonly heldBytes: number; readonly heldCount: number }[],
  connectionCount: number,
): TransportSnapshot {
  return {
    ...structuredClone(counters),
    connectionCount,
    queuedBytes: outboxes.reduce((sum, { heldBytes }) => sum + heldBytes, 0),
    queuedCount: outboxes.reduce((sum, { heldCount }) => sum + heldCount, 0),
  };
}
