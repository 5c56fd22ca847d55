/** Computes the bytes of the vault that a network port can carry. */
import type { StashPlanInput } from "./plan-types.ts";

/** Payload of a TCP segment over its size on the wire, with Ethernet's usual frames of 1,500 bytes and timestamps. */
const PAYLOAD_SHARE = 1448 / 1538;
const BITS_PER_BYTE = 8;

export const payloadBytesPerSecond = (bitsPerSecond: number): number =>
  (bitsPerSecond / BITS_PER_BYTE) * PAYLOAD_SHARE;

/** Payload rate at the limit on a port's utilisation. */
export const usableBytesPerSecond = (
  { maxUtilisation }: Pick<StashPlanInput, "maxUtilisation">,
  bitsPerSecond: number,
): number => payloadBytesPerSecond(bitsPerSecond) * maxUtilisation;
