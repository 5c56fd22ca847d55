import { connect } from "node:net";
import type { ExchangeOptions } from "./connection.ts";

export interface Ping {
  /** Reading of `performance.now()` when the connection was requested. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: "ok" | "failed" | "timed-out";
  readonly errorCode: string | undefined;
  readonly localPort: number | undefined;
}

/** Times a TCP connection: one round trip, without TLS and the server's own work. Rejects when aborted. */
export function pingTcp(
  { address, port }: { readonly address: string; readonly port: number },
  { timeoutMs, signal }: ExchangeOptions,
): Promise<Ping> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const finish = (outcome: Ping["outcome"], errorCode?: string): void => {
      const endedAt = performance.now();
      settle();
      resolve({ startedAt, endedAt, outcome, errorCode, localPort: socket.localPort });
      socket.destroy();
    };
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners().on("error", () => {});
    };
    const onAbort = (): void => {
      settle();
      socket.destroy();
      reject(signal.reason);
    };
    const timer = setTimeout(() => finish("timed-out", "ETIMEDOUT"), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    const startedAt = performance.now();
    const socket = connect({ host: address, port });
    socket.once("connect", () => finish("ok"));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      finish("failed", error.code ?? "ConnectionFailed"),
    );
  });
}
