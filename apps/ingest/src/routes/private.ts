import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { refusal } from "../http/answer.ts";
import type { Ingest } from "../ingest.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Refuses an answer over a connection that others may read; `served` begins the reason. */
export function requirePrivate(ingest: Ingest, request: IncomingMessage, served: string): void {
  if (isPrivate(ingest, request)) return;
  throw refusal(
    403,
    `${served} over TLS only: put a TLS proxy in front of the ingest and name it in STASHLIGHT_TRUSTED_PROXIES.`,
  );
}

/** True if the connection to the ingest, or to its proxy, is safe from eavesdropping. */
function isPrivate({ trustedProxies }: Pick<Ingest, "trustedProxies">, request: IncomingMessage): boolean {
  const peer = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const family = isIP(peer) === 6 ? "ipv6" : "ipv4";
  if (isIP(peer) === 0) return false;
  const protocol = request.headers["x-forwarded-proto"];
  if (protocol !== undefined || request.headers["x-forwarded-for"] !== undefined) {
    return trustedProxies.check(peer, family) && protocol === "https";
  }
  return loopback.check(peer, family);
}
