/**
 * The file `volume`: the header page of the whole volume, twice. It is the last file that formatting writes and the
 * first that opening reads; each open rewrites it with the next volume epoch before anything else is written.
 */
import { isBlank } from "./bytes.ts";
import type { DiskError, DiskFile } from "./disk.ts";
import { LogError } from "./errors.ts";
import { type Identity, makeIdentity, PAGE_BYTES } from "./format.ts";
import { readChecked } from "./frame-scan.ts";
import {
  decodeHeaderPage,
  encodeHeaderPage,
  type HeaderPage,
  type Marks,
  type ReadHeaderPage,
  VOLUME_SLOT,
} from "./header-page.ts";
import { checkOptions, type LogOptions } from "./options.ts";
import { eachInTurn } from "./series.ts";
import { UnreadablePages } from "./unreadable-pages.ts";

export const VOLUME_FILE = "volume";
/** Lock file, held by the process that uses the folder. */
export const LOCK_FILE = "lock";
const VOLUME_FILE_BYTES = 2 * PAGE_BYTES;
export const segmentFileName = (slot: number): string => `segment-${String(slot).padStart(5, "0")}`;

/** Returns true if a volume, its index or an interrupted formatting leaves files of this name in its folder. */
export function isVolumeFile(name: string): boolean {
  const isOfIndex = /^(index|start)-[0-9a-f]+(\.root)?(\.partial)?$/.test(name);
  return name === LOCK_FILE || isOfIndex || /^(volume|segment-\d{5,})(\.partial)?$/.test(name);
}

export function ioFailed(doing: string, cause: DiskError): LogError {
  return new LogError("io_failed", `${doing} failed: ${cause.message}`, cause);
}

const zeroMarks = (generation: number): Marks => ({
  generation,
  volumeEpoch: 0,
  epochFirstSequence: 1,
  sequence: 0,
  nextLsn: 1,
  versionOrder: new Uint8Array(16),
});

/**
 * Creates an empty log in a folder that has none. An interrupted formatting, which opening calls `not_formatted` or
 * `volume_corrupt`, is resumed; a folder with a volume, intact or damaged, is refused: nothing is changed where a frame
 * was ever written.
 */
export function formatLog(options: LogOptions, done: (error: LogError | null) => void): void {
  const wrong = checkOptions(options);
  if (wrong !== null) {
    done(wrong);
    return;
  }
  const identity = makeIdentity(options.clusterId, options.deviceId, options.crc32c);
  options.disk.list((error, names) => {
    if (error !== null) done(ioFailed("Listing the folder", error));
    else if (!names.includes(VOLUME_FILE)) formatSegments(options, identity, names, done);
    else {
      isVolume(options, identity, (isOne) => {
        if (!isOne) formatSegments(options, identity, names, done);
        else {
          const message = "This folder holds a volume; remove its files first if nothing in it is needed.";
          done(new LogError("already_formatted", message));
        }
      });
    }
  });
}

/** Calls `done` with false only for the volume file that an interrupted formatting leaves behind. */
function isVolume(options: LogOptions, identity: Identity, done: (isOne: boolean) => void): void {
  options.disk.open(VOLUME_FILE, (error, file) => {
    if (error !== null || file === null || file.sizeBytes !== VOLUME_FILE_BYTES) done(true);
    else {
      readVolumeFile(file, identity, (failed) => {
        const isOne = failed?.code !== "not_formatted" && failed?.code !== "volume_corrupt";
        file.close(() => done(isOne));
      });
    }
  });
}

function formatSegments(
  options: LogOptions,
  identity: Identity,
  names: readonly string[],
  done: (error: LogError | null) => void,
): void {
  const slots = Array.from({ length: options.segmentCount }, (_, slot) => slot);
  eachInTurn<number, LogError>(
    slots,
    (slot, next) => {
      const name = segmentFileName(slot);
      const page = headerPage(options, slot, slot + 1, zeroMarks(options.segmentCount));
      const whenOpen = (error: DiskError | null, file: DiskFile | null): void => {
        if (error !== null || file === null) next(ioFailed(`Making ${name}`, error as DiskError));
        else writePages(file, options.segmentBytes, encodeHeaderPage(identity, page), next);
      };
      if (!names.includes(name)) options.disk.create(name, options.segmentBytes, whenOpen);
      else checkUnused(options, name, next, whenOpen);
    },
    (error) => {
      if (error !== null) done(error);
      else writeFirstVolumeFile(options, identity, names.includes(VOLUME_FILE), done);
    },
  );
}

/** Checks that a segment of an interrupted formatting has no frame and the requested size. */
function checkUnused(
  options: LogOptions,
  name: string,
  next: (error: LogError | null) => void,
  use: (error: DiskError | null, file: DiskFile | null) => void,
): void {
  options.disk.open(name, (error, file) => {
    if (error !== null || file === null) {
      use(error, file);
      return;
    }
    const fail = (failed: LogError): void => file.close(() => next(failed));
    const message = `${name} is in use by a volume whose file "${VOLUME_FILE}" is missing; move this folder's files away to start over.`;
    const inUse = new LogError("already_formatted", message);
    if (file.sizeBytes !== options.segmentBytes) {
      fail(inUse);
      return;
    }
    const unreadable = new UnreadablePages(0);
    readChecked({ file, offset: PAGE_BYTES, bytes: PAGE_BYTES }, unreadable, isBlank, (body) => {
      const failed = unreadable.refusal() ?? (isBlank(body) ? null : inUse);
      if (failed === null) use(null, file);
      else fail(failed);
    });
  });
}

function writeFirstVolumeFile(
  options: LogOptions,
  identity: Identity,
  exists: boolean,
  done: (error: LogError | null) => void,
): void {
  const page = encodeHeaderPage(identity, volumePage(options, zeroMarks(options.segmentCount)));
  const use = (error: DiskError | null, file: DiskFile | null): void => {
    if (error !== null || file === null) done(ioFailed("Creating the volume file", error as DiskError));
    else writePages(file, VOLUME_FILE_BYTES, page, done);
  };
  if (exists) options.disk.open(VOLUME_FILE, use);
  else options.disk.create(VOLUME_FILE, VOLUME_FILE_BYTES, use);
}

/** Writes the first and the last page of a file that is not in use, syncs and closes it. */
function writePages(
  file: DiskFile,
  sizeBytes: number,
  page: Uint8Array,
  done: (error: LogError | null) => void,
): void {
  const end = (error: DiskError | null): void =>
    file.close((failed) => {
      const cause = error ?? failed;
      done(cause === null ? null : ioFailed("Formatting", cause));
    });
  file.write(0, page, (front) => {
    if (front !== null) end(front);
    else file.write(sizeBytes - PAGE_BYTES, page, (back) => (back === null ? file.sync(end) : end(back)));
  });
}

function headerPage(options: LogOptions, slot: number, generation: number, marks: Marks): HeaderPage {
  const { segmentBytes, segmentCount, policy } = options;
  return { slot, generation, segmentBytes, segmentCount, policy, checkpointOffset: 0, marks };
}

export const volumePage = (options: LogOptions, marks: Marks): HeaderPage =>
  headerPage(options, VOLUME_SLOT, 0, marks);

/** Returns the refusal for a volume other than the requested one, as opposed to a damaged one. */
export function headerError(read: ReadHeaderPage, name: string): LogError | null {
  switch (read.state) {
    case "unsupported_format":
      return new LogError(
        read.state,
        `${name} is in a format that this version cannot read; use a later one.`,
      );
    case "foreign_cluster":
      return new LogError(
        read.state,
        `${name} belongs to another cluster; check which device is mounted here.`,
      );
    case "foreign_device":
      return new LogError(
        read.state,
        `${name} belongs to another device; check which device is mounted here.`,
      );
    default:
      return null;
  }
}

export interface VolumeCopy {
  readonly page: HeaderPage;
  /** Offset of the copy that counts. */
  readonly offset: number;
}

/** Reads the two copies from the medium; the one with the higher epoch counts. */
export function readVolumeFile(
  file: DiskFile,
  identity: Identity,
  done: (error: LogError | null, copy: VolumeCopy | null) => void,
): void {
  if (file.sizeBytes !== VOLUME_FILE_BYTES) {
    const message = `The volume file has ${file.sizeBytes} bytes instead of ${VOLUME_FILE_BYTES}; its shards must be rebuilt from other devices.`;
    done(new LogError("volume_corrupt", message), null);
    return;
  }
  const unreadable = new UnreadablePages(0);
  const decode = (bytes: Uint8Array): ReadHeaderPage[] =>
    [0, PAGE_BYTES].map((at) => decodeHeaderPage(identity, bytes.subarray(at, at + PAGE_BYTES)));
  const areGood = (bytes: Uint8Array): boolean => decode(bytes).every(({ state }) => state === "good");
  readChecked({ file, offset: 0, bytes: VOLUME_FILE_BYTES }, unreadable, areGood, (bytes) => {
    const failed = unreadable.refusal();
    if (failed !== null) {
      done(failed, null);
      return;
    }
    const copies = decode(bytes);
    const refusal = copies.map((copy) => headerError(copy, "The volume file")).find((each) => each !== null);
    const good = copies.flatMap((copy, at) =>
      copy.state === "good" && copy.page.slot === VOLUME_SLOT
        ? [{ page: copy.page, offset: at * PAGE_BYTES }]
        : [],
    );
    const newest = good.sort((a, b) => b.page.marks.volumeEpoch - a.page.marks.volumeEpoch)[0];
    if (refusal) done(refusal, null);
    else if (newest !== undefined) done(null, newest);
    else {
      const isBlank = copies.every((copy) => copy.state === "blank");
      const message = isBlank
        ? "Formatting was interrupted; remove the volume file and format again."
        : "Both copies of the volume's header are damaged; its shards must be rebuilt from other devices.";
      done(new LogError(isBlank ? "not_formatted" : "volume_corrupt", message), null);
    }
  });
}

/** Writes both copies; the one that counts only once the other is durable. */
export function writeVolumeFile(
  file: DiskFile,
  identity: Identity,
  page: HeaderPage,
  countingOffset: number,
  done: (error: DiskError | null) => void,
): void {
  const bytes = encodeHeaderPage(identity, page);
  eachInTurn<number, DiskError>(
    [PAGE_BYTES - countingOffset, countingOffset],
    (offset, next) => file.write(offset, bytes, (error) => (error === null ? file.sync(next) : next(error))),
    done,
  );
}
