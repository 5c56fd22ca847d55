import type { TransportEvent } from "@stashlight/transport";
import type { Logger } from "pino";

/** Puts what happens on connections into the log; that a node cannot be reached is only of interest while debugging. */
export function describeTransportEvent(logger: Logger, event: TransportEvent): void {
  switch (event.type) {
    case "connected":
      logger.info({ peer: event.nodeId, peerBootId: event.bootId }, "connected");
      return;
    case "disconnected":
      logger.warn({ peer: event.nodeId }, event.text);
      return;
    case "unreachable":
      logger.debug({ peer: event.nodeId }, event.text);
      return;
    case "refused":
    case "refusedByPeer":
      logger.error({ peer: event.nodeId, reason: event.reason }, event.text);
      return;
    case "trespass":
      logger.error(
        { peer: event.nodeId, from: event.from, message: event.message, trespass: event.trespass },
        "a node said what it may not say",
      );
  }
}
