/** Opens the files of a volume and reads the headers of its segments: the first part of opening a log. */
import { DiskError, type DiskFile } from "./disk.ts";
import { LogError } from "./errors.ts";
import { makeIdentity, PAGE_BYTES } from "./format.ts";
import { frameAt } from "./frame-scan.ts";
import { checkGeometry, checkNeverUsed } from "./growth.ts";
import type { GuardScope } from "./guarded-disk.ts";
import { raiseMarks } from "./header-page.ts";
import type { LogOptions } from "./options.ts";
import type { Candidate, Damage } from "./recovery-report.ts";
import { Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import { readSlotHeader, type SlotHeader } from "./slot-header.ts";
import { Volume } from "./volume.ts";
import { ioFailed, readVolumeFile, segmentFileName, VOLUME_FILE } from "./volume-file.ts";

/** A volume of which only the headers and the first frame of each segment are known. */
export interface VolumeHeaders {
  readonly volume: Volume;
  /** The volume's file, and the offset of the copy of its page that counts. */
  readonly volumeFile: { readonly file: DiskFile; readonly countingOffset: number };
  /** Headers of the segments that the volume page counts, which are those of the volume. */
  readonly headers: readonly SlotHeader[];
  readonly candidates: readonly Candidate[];
  /** Segments of a growth that no volume page counts yet. */
  readonly added: readonly Segment[];
  /** Headers that were lost. */
  readonly damage: readonly Damage[];
}

/** Receives what an opening finds. */
export interface OpeningOwner {
  /** Files that were opened, which their owner closes. */
  readonly files: DiskFile[];
  readonly scope: GuardScope;
  /** Called instead of `done`, and later if the volume fails. */
  fail(error: LogError): void;
}

type Next = (error: LogError | null) => void;

/** Called instead of `done` if opening fails, and later if the volume fails. */
export function openVolume(
  options: LogOptions,
  owner: OpeningOwner,
  done: (opened: VolumeHeaders) => void,
): void {
  new VolumeOpening(options, owner, done).start();
}

class VolumeOpening {
  readonly #options: LogOptions;
  readonly #owner: OpeningOwner;
  readonly #done: (opened: VolumeHeaders) => void;

  constructor(options: LogOptions, owner: OpeningOwner, done: (opened: VolumeHeaders) => void) {
    this.#options = options;
    this.#owner = owner;
    this.#done = done;
  }

  start(): void {
    this.#options.disk.list((error, names) => {
      if (error !== null) this.#owner.fail(ioFailed("Listing the folder", error));
      else if (!names.includes(VOLUME_FILE)) {
        this.#owner.fail(new LogError("not_formatted", "This folder holds no volume; format it first."));
      } else this.#openVolumeFile(names);
    });
  }

  /**
   * Opens and syncs, because data that a crashed process left in the page cache reaches the medium before it is read
   * from there.
   */
  #openFile(
    name: string,
    isNew: boolean,
    done: (error: DiskError | null, file: DiskFile | null) => void,
  ): void {
    const whenOpen = (error: DiskError | null, file: DiskFile | null): void => {
      if (error !== null || file === null) {
        done(error, null);
        return;
      }
      this.#owner.files.push(file);
      file.sync((failed) => (failed === null ? done(null, file) : done(failed, null)));
    };
    const { disk, segmentBytes } = this.#options;
    if (isNew) disk.create(name, segmentBytes, whenOpen);
    else disk.open(name, whenOpen);
  }

  #openVolumeFile(names: readonly string[]): void {
    const options = this.#options;
    const identity = makeIdentity(options.clusterId, options.deviceId, options.crc32c);
    this.#openFile(VOLUME_FILE, false, (error, file) => {
      if (error !== null || file === null) {
        this.#owner.fail(ioFailed("Opening the volume file", error as DiskError));
        return;
      }
      readVolumeFile(file, identity, (failed, copy) => {
        if (failed !== null || copy === null) {
          this.#owner.fail(failed as LogError);
          return;
        }
        const refusal = checkGeometry(options, copy.page);
        if (refusal !== null) this.#owner.fail(refusal);
        else {
          const volume = new Volume(options, identity, copy.page.marks);
          this.#owner.scope.volume = volume;
          volume.onPoison = (error) => this.#owner.fail(error);
          this.#openSegments(volume, { file, countingOffset: copy.offset }, names, copy.page.segmentCount);
        }
      });
    });
  }

  #openSegments(
    volume: Volume,
    volumeFile: VolumeHeaders["volumeFile"],
    names: readonly string[],
    segmentCountBefore: number,
  ): void {
    const slots = Array.from({ length: this.#options.segmentCount }, (_, slot) => slot);
    const headers: SlotHeader[] = [];
    const added: Segment[] = [];
    const openSlot = (slot: number, next: Next): void => {
      const name = segmentFileName(slot);
      this.#openFile(name, !names.includes(name), (error, file) => {
        if (error !== null || file === null) {
          next(ioFailed(`Opening ${name}`, error ?? new DiskError("io", "no file")));
          return;
        }
        if (file.sizeBytes !== this.#options.segmentBytes) {
          const message = `${name} has ${file.sizeBytes} bytes instead of ${this.#options.segmentBytes}; check the options of this log.`;
          next(new LogError("wrong_geometry", message));
          return;
        }
        const segment = new Segment(slot, file, volume.memory);
        if (slot < segmentCountBefore) {
          readSlotHeader(volume, segment, (refusal, header) => {
            if (header !== null) headers.push(header);
            next(volume.unreadable.refusal() ?? refusal);
          });
        } else {
          added.push(segment);
          checkNeverUsed(volume, segment, next);
        }
      });
    };
    eachInTurn<number, LogError>(slots, openSlot, (error) => {
      if (error !== null) this.#owner.fail(error);
      else this.#done({ volume, volumeFile, headers, added, ...takeHeaders(volume, headers) });
    });
  }
}

/** Adds the segments to the volume. */
function takeHeaders(
  volume: Volume,
  headers: readonly SlotHeader[],
): Pick<VolumeHeaders, "candidates" | "damage"> {
  const damageFound: Damage[] = [];
  const candidates: Candidate[] = [];
  for (const { segment, page, damaged, firstPage } of headers) {
    volume.segments.push(segment);
    if (damaged) {
      const kind = page === null ? "segment_lost" : "header_copy_lost";
      damageFound.push({ kind, slot: segment.slot, generation: page?.generation ?? 0, offset: 0 });
    }
    if (page === null) continue;
    segment.reset(page.generation);
    volume.byGeneration.set(page.generation, segment);
    raiseMarks(volume.marks, page.marks);
    volume.marks.generation = Math.max(volume.marks.generation, page.generation);
    const { segmentBytes } = volume.options;
    const firstFrame = frameAt(volume.identity, firstPage, 0, PAGE_BYTES, page.generation, segmentBytes);
    const { generation, checkpointOffset } = page;
    candidates.push({ segment, generation, firstFrame, checkpointOffset });
  }
  return { candidates, damage: damageFound };
}
