/**
 * Memory that a socket reads into repeatedly. New memory for each read would cost the garbage collector more than
 * copying the bytes. Node offers this only to the calling side, so the side that receives many bytes should be the
 * caller.
 */
import type { OnReadOpts } from "node:net";

const INLET_BYTES = 131_072;

export interface Inlet {
  readonly onread: OnReadOpts;
  /** Called with bytes that are overwritten after it returns. */
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
