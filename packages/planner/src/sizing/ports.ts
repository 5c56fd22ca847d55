/** Computes how much a network port carries of the bytes that the vault sends. */
import type { StashPlanInput } from "./types.ts";

/** Payload of a TCP segment over what it takes on the wire, with Ethernet's usual frames of 1,500 bytes and timestamps. */
const PAYLOAD_SHARE = 1448 / 1538;
const BITS_PER_BYTE = 8;

export const payloadBytesPerSecond = (bitsPerSecond: number): number =>
  (bitsPerSecond / BITS_PER_BYTE) * PAYLOAD_SHARE;

/** Payload up to the limit of how busy a port may be. */
export const usableBytesPerSecond = (
  { maxUtilisation }: Pick<StashPlanInput, "maxUtilisation">,
  bitsPerSecond: number,
): number => payloadBytesPerSecond(bitsPerSecond) * maxUtilisation;
