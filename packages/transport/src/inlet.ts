/**
 * Memory that a socket reads into again and again, instead of new memory for each read, which costs the collector more
 * than the bytes cost to copy. Node offers it to whoever calls, not to a server; so whoever receives many bytes should
 * be the one who calls.
 */
import type { OnReadOpts } from "node:net";

const INLET_BYTES = 131_072;

export interface Inlet {
  readonly onread: OnReadOpts;
  /** Called with bytes that are overwritten after it has returned. */
  receive: (bytes: Buffer) => void;
}

export function createInlet(): Inlet {
  const buffer = Buffer.allocUnsafeSlow(INLET_BYTES);
  const inlet: Inlet = {
    receive: () => undefined,
    onread: {
      buffer,
      callback: (byteCount) => {
        inlet.receive(buffer.subarray(0, byteCount));
        return true;
      },
    },
  };
  return inlet;
}
