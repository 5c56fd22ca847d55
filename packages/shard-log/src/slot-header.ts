/** The header of one slot: two copies, at the front and at the back of its file. */
import type { LogError } from "./errors.ts";
import { PAGE_BYTES } from "./format.ts";
import { readPages } from "./frame-scan.ts";
import { decodeHeaderPage, type HeaderPage } from "./header-page.ts";
import type { Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";
import { refusalOf, segmentFileName } from "./volume-file.ts";

/** What the header pages of one slot say. */
export interface SlotHeader {
  readonly segment: Segment;
  readonly page: HeaderPage | null;
  /** The copies that do not say the same as the one that counts. */
  readonly stale: readonly ("front" | "back")[];
  readonly damaged: boolean;
  readonly firstPage: Uint8Array;
}

/** Reads both copies. A header that both have lost is no error: its page is null then. */
export function readSlotHeader(
  { identity, unreadable }: Pick<Volume, "identity" | "unreadable">,
  segment: Segment,
  done: (refusal: LogError | null, header: SlotHeader | null) => void,
): void {
  const { file, slot } = segment;
  readPages(file, 0, 2 * PAGE_BYTES, unreadable, (head) =>
    readPages(file, file.sizeBytes - PAGE_BYTES, PAGE_BYTES, unreadable, (tail) => {
      const copies = [head.subarray(0, PAGE_BYTES), tail].map((bytes) => decodeHeaderPage(identity, bytes));
      const refusal = copies
        .map((copy) => refusalOf(copy, segmentFileName(slot)))
        .find((each) => each !== null);
      if (refusal) {
        done(refusal, null);
        return;
      }
      const [front, back] = copies.map((copy) =>
        copy.state === "good" && copy.page.slot === slot ? copy.page : null,
      ) as [HeaderPage | null, HeaderPage | null];
      // The copy at the end is written first; of equal ones it is the one that may name a checkpoint.
      const page = (back?.generation ?? 0) >= (front?.generation ?? 0) ? back : front;
      const stale = (["front", "back"] as const).filter(
        (copy) => page !== null && (copy === "front" ? front : back)?.generation !== page.generation,
      );
      const damaged = front === null || back === null;
      done(null, { segment, page, stale, damaged, firstPage: head.subarray(PAGE_BYTES) });
    }),
  );
}
