/** Tests whether an endpoint answers `Expect: 100-continue`, which some clients wait for. Runs never send it. */
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import type { EndpointFinding } from "@stashlight/contracts/endpoint";
import type { PrepareRequest } from "../../drivers/s3/prepare-request.ts";
import { toWireTarget } from "../../endpoint/target.ts";
import { finding, type ProbeContext } from "../finding.ts";

const WAIT_MS = 1000;

export async function findExpectContinue(
  { target, runPrefix, body, signal }: ProbeContext,
  prepare: PrepareRequest,
): Promise<EndpointFinding> {
  const { address, port, isTls, hostname, caPem } = toWireTarget(target);
  const { first: request } = prepare({ method: "PUT", key: `${runPrefix}expect`, body });
  const head = request.subarray(0, request.indexOf("\r\n\r\n") + 2);
  const withExpect = Buffer.concat([head, Buffer.from("expect: 100-continue\r\n\r\n")]);
  const socket = isTls
    ? connectTls({
        host: address,
        port,
        ...(hostname === address ? {} : { servername: hostname }),
        ...(caPem === "" ? {} : { ca: caPem }),
      })
    : connectTcp({ host: address, port });
  try {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    await once(socket, isTls ? "secureConnect" : "connect", { signal: waiting });
    const startedAt = performance.now();
    socket.write(withExpect);
    const [first] = (await once(socket, "data", { signal: waiting })) as [Buffer];
    const status = /^HTTP\/1\.1 (\d{3})/.exec(first.toString("latin1"))?.[1];
    const afterMs = (performance.now() - startedAt).toFixed(0);
    return finding(
      "expect-continue",
      status === "100",
      `Expect: 100-continue was answered with ${status ?? "something else"} after ${afterMs} ms.`,
    );
  } catch {
    signal.throwIfAborted();
    return finding("expect-continue", false, `Expect: 100-continue was not answered within ${WAIT_MS} ms.`);
  } finally {
    socket.on("error", () => {}).destroy();
  }
}
