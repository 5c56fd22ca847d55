/** The header of one slot, which has two copies: at the front and at the back of its file. */
import { isBlank } from "./bytes.ts";
import type { LogError } from "./errors.ts";
import { decodeFrameHeader, type Identity, PAGE_BYTES } from "./format.ts";
import { readChecked } from "./frame-scan.ts";
import { decodeHeaderPage, type HeaderPage, type ReadHeaderPage } from "./header-page.ts";
import type { Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";
import { headerError, segmentFileName } from "./volume-file.ts";

/** Content of the header pages of one slot. */
export interface SlotHeader {
  readonly segment: Segment;
  readonly page: HeaderPage | null;
  /** Copies that differ from the one that counts. */
  readonly stale: readonly ("front" | "back")[];
  readonly damaged: boolean;
  readonly firstPage: Uint8Array;
}

/** Reads both copies. A header lost in both is not an error: its page is then null. */
export function readSlotHeader(
  { identity, unreadable }: Pick<Volume, "identity" | "unreadable">,
  segment: Segment,
  done: (refusal: LogError | null, header: SlotHeader | null) => void,
): void {
  const { file, slot } = segment;
  const backOffset = file.sizeBytes - PAGE_BYTES;
  const decode = (bytes: Uint8Array): ReadHeaderPage => decodeHeaderPage(identity, bytes);
  const isHead = (head: Uint8Array): boolean =>
    isDecoded(decode(head.subarray(0, PAGE_BYTES))) && isFrameOrBlank(identity, head.subarray(PAGE_BYTES));
  const isTail = (tail: Uint8Array): boolean => isDecoded(decode(tail));
  readChecked({ file, offset: 0, bytes: 2 * PAGE_BYTES }, unreadable, isHead, (head) =>
    readChecked({ file, offset: backOffset, bytes: PAGE_BYTES }, unreadable, isTail, (tail) => {
      const copies = [decode(head.subarray(0, PAGE_BYTES)), decode(tail)];
      const refusal = copies
        .map((copy) => headerError(copy, segmentFileName(slot)))
        .find((each) => each !== null);
      if (refusal) {
        done(refusal, null);
        return;
      }
      const [front, back] = copies.map((copy) =>
        copy.state === "good" && copy.page.slot === slot ? copy.page : null,
      ) as [HeaderPage | null, HeaderPage | null];
      // The copy at the end is written first; of equal copies it is the one that may name a checkpoint.
      const page = (back?.generation ?? 0) >= (front?.generation ?? 0) ? back : front;
      const stale = (["front", "back"] as const).filter(
        (copy) => page !== null && (copy === "front" ? front : back)?.generation !== page.generation,
      );
      const damaged = front === null || back === null;
      done(null, { segment, page, stale, damaged, firstPage: head.subarray(PAGE_BYTES) });
    }),
  );
}

/** Returns true if the page's checksum is correct, even if the page belongs to another volume. */
function isDecoded({ state }: ReadHeaderPage): boolean {
  return state !== "corrupt" && state !== "blank";
}

function isFrameOrBlank(identity: Identity, page: Uint8Array): boolean {
  return decodeFrameHeader(identity, page, 0) !== null || isBlank(page);
}
