/**
 * Compares the timing client with a bare socket, alternating sample by sample with the same bytes, to measure the
 * client's own overhead. The bare socket only writes a request at once and counts the bytes of the answer.
 */
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { openDriver } from "../drivers/open.ts";
import { type EndpointTarget, toWireTarget } from "../endpoint/target.ts";
import { toUploadBody } from "../run/bodies.ts";
import { TimedConnection, type WireRequest } from "../wire/connection.ts";
import { TEST_CREDENTIALS } from "./test-job.ts";

const WARM_UPS = 30;
const TIMEOUT_MS = 10_000;
const HEAD_END = "\r\n\r\n";

export interface RawComparison {
  readonly operation: "PUT" | "GET";
  readonly sizeBytes: number;
  /** Milliseconds, in pairs. */
  readonly clientMs: readonly number[];
  readonly rawMs: readonly number[];
}

/** Rejects if an answer is not a success, or the endpoint has no TLS. */
export async function compareWithRawSocket(
  target: EndpointTarget,
  { sizesBytes, pairCount, pauseMs }: { sizesBytes: readonly number[]; pairCount: number; pauseMs: number },
): Promise<RawComparison[]> {
  const driver = openDriver(target, TEST_CREDENTIALS, Date.now);
  const timed = new TimedConnection(toWireTarget(target));
  const raw = await RawSocket.open(target);
  const comparisons: RawComparison[] = [];
  try {
    for (const sizeBytes of sizesBytes) {
      const body = toUploadBody(Buffer.alloc(sizeBytes, 7));
      const requests = { PUT: () => driver.put("bare", body), GET: () => driver.get("bare") };
      for (const operation of ["PUT", "GET"] as const) {
        const ways = {
          client: () => measureExchange(timed, requests[operation]()),
          raw: () => raw.exchange(requests[operation]()),
        };
        const clientMs: number[] = [];
        const rawMs: number[] = [];
        for (let pair = -WARM_UPS; pair < pairCount; pair += 1) {
          const order = pair % 2 === 0 ? (["client", "raw"] as const) : (["raw", "client"] as const);
          const took = { client: 0, raw: 0 };
          for (const way of order) {
            took[way] = await ways[way]();
            await new Promise((resolve) => setTimeout(resolve, pauseMs));
          }
          if (pair < 0) continue;
          clientMs.push(took.client);
          rawMs.push(took.raw);
        }
        comparisons.push({ operation, sizeBytes, clientMs, rawMs });
      }
    }
    return comparisons;
  } finally {
    timed.close();
    raw.close();
  }
}

async function measureExchange(connection: TimedConnection, request: WireRequest): Promise<number> {
  const { signal } = new AbortController();
  const { moments, result } = await connection.exchange(request, { timeoutMs: TIMEOUT_MS, signal });
  if (result.kind !== "answered" || result.status !== 200)
    throw new Error("The timing client had no success.");
  return moments.t7 - moments.t0;
}

class RawSocket {
  readonly #socket: TLSSocket;
  #onData: (chunk: Buffer) => void = () => {};

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#onData(chunk));
  }

  static async open(target: EndpointTarget): Promise<RawSocket> {
    const { hostname, address, port, isTls, caPem } = toWireTarget(target);
    if (!isTls) throw new Error("The bare socket speaks TLS only.");
    const socket = connect({
      host: address,
      port,
      servername: hostname,
      ca: caPem,
      ALPNProtocols: ["http/1.1"],
    });
    await once(socket, "secureConnect");
    return new RawSocket(socket);
  }

  /** Milliseconds from the write to the last byte of the answer. */
  exchange({ first, rest }: WireRequest): Promise<number> {
    const bytes = rest === null ? first : Buffer.concat([first, rest]);
    return new Promise((resolve, reject) => {
      let head = "";
      let missing = Number.NaN;
      const failed = setTimeout(() => reject(new Error("The bare socket had no answer.")), TIMEOUT_MS);
      this.#onData = (chunk) => {
        let bodyBytes = chunk.length;
        if (Number.isNaN(missing)) {
          head += chunk.toString("latin1");
          const end = head.indexOf(HEAD_END);
          if (end === -1) return;
          missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
          bodyBytes = head.length - end - HEAD_END.length;
        }
        missing -= bodyBytes;
        if (missing > 0) return;
        const endedAt = performance.now();
        clearTimeout(failed);
        if (head.startsWith("HTTP/1.1 200")) resolve(endedAt - startedAt);
        else reject(new Error(`The bare socket was answered "${head.split("\r\n")[0]}".`));
      };
      const startedAt = performance.now();
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
