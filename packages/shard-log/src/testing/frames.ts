/** Frames on a medium, for tests that damage a certain one. */

import { alignPage, makeIdentity, type ReadFrame } from "../format.ts";
import { frameAt } from "../frame-scan.ts";
import { decodeHeaderPage } from "../header-page.ts";
import { crc32c } from "./crc32c.ts";
import type { MemoryDisk } from "./memory-disk.ts";
import { encodeText } from "./samples.ts";

export interface PlacedFrame {
  readonly file: string;
  readonly frame: ReadFrame;
}

/** Returns all frames of the current generations, by sequence. */
export function listFrames(disk: MemoryDisk): PlacedFrame[] {
  const identity = makeIdentity(encodeText("cluster-00000001"), encodeText("device--00000001"), crc32c);
  const found: PlacedFrame[] = [];
  for (const file of disk.names().filter((name) => name !== "volume")) {
    const medium = disk.medium(file);
    const header = decodeHeaderPage(identity, medium.subarray(0, 4096));
    if (header.state !== "good") continue;
    for (let offset = 4096; offset < medium.length - 4096; ) {
      const frame = frameAt(identity, medium, offset, offset, header.page.generation, medium.length);
      if (frame !== null) found.push({ file, frame });
      offset += frame === null ? 4096 : alignPage(frame.bytes);
    }
  }
  return found.sort((a, b) => a.frame.sequence - b.frame.sequence);
}
