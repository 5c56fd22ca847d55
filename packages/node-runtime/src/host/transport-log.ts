import type { TransportEvent } from "@stashlight/transport";
import type { Logger } from "pino";

const WINDOW_MS = 60_000;
/**
 * Limit on lines per reason. Any process on the machine can connect to a node at any rate, and is refused each time.
 */
const LINES_PER_WINDOW = 10;

interface Window {
  beganMs: number;
  count: number;
}

/**
 * Logs the events of connections; an unreachable node only at debug level. Beyond a number of lines per minute,
 * refusals are only counted.
 */
export function createTransportLog(logger: Logger, nowMs: () => number): (event: TransportEvent) => void {
  const windows = new Map<string, Window>();
  return (event) => {
    const reason = logReason(event);
    if (reason === null || mayTell(windows, reason, nowMs(), logger)) logEvent(logger, event);
  };
}

/** Returns null for events that are always logged. */
function logReason(event: TransportEvent): string | null {
  switch (event.type) {
    case "refused":
    case "refusedByPeer":
      return `${event.type} ${event.reason}`;
    case "trespass":
      return `${event.type} ${event.trespass}`;
    case "acceptFailed":
      return event.type;
    default:
      return null;
  }
}

function mayTell(windows: Map<string, Window>, reason: string, nowMs: number, logger: Logger): boolean {
  const last = windows.get(reason);
  if (last !== undefined && nowMs - last.beganMs < WINDOW_MS) {
    last.count += 1;
    return last.count <= LINES_PER_WINDOW;
  }
  const untoldCount = (last?.count ?? 0) - LINES_PER_WINDOW;
  if (untoldCount > 0) logger.error({ reason, untoldCount }, "further refusals were not logged");
  windows.set(reason, { beganMs: nowMs, count: 1 });
  return true;
}

function logEvent(logger: Logger, event: TransportEvent): void {
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
    case "acceptFailed":
      logger.error(event.text);
      return;
    case "trespass":
      logger.error(
        { peer: event.nodeId, from: event.from, message: event.message, trespass: event.trespass },
        "a node sent a message that it may not send",
      );
  }
}
