/**
 * What can go wrong with a disk. Shares are probabilities from 0 to 1, drawn for each operation (or page, where it
 * says so), and may be changed at any moment; a share of 0 draws nothing. A hang, damage to the media, power cuts and
 * process crashes are events, hence methods of the disk.
 */
export interface DiskFaults {
  /** fdatasync fails with EIO: every page it took is clean, and each is on the media, partly on it, or not. */
  syncError: number;
  /** fdatasync says done, but the drive kept the data in a cache that a power cut empties. */
  lyingSync: number;
  /** A write fails with EIO after some of its pages have entered the page cache. */
  writeError: number;
  /** A write or a create fails with ENOSPC; some pages of the write may have entered. */
  noSpace: number;
  /** A write comes back short and is continued inside: nothing but time. */
  shortWrite: number;
  /** A read, buffered or direct, fails with EIO; the next one may succeed. */
  readError: number;
  /** A read brings other bytes than the media hold, as a bad cable or controller does; the next one may be right. */
  garbledRead: number;
  /** A page that should land does so elsewhere on this device; drawn per page, keep it small. */
  misdirectedWrite: number;
  /** The kernel brings what was just written to the media on its own, long before any sync. */
  earlyWriteback: number;
  /** All device times are this much longer. */
  slowFactor: number;
  /** At a power cut, per dirty page: on the media; mixed of old, new and garbage sectors; the rest is dropped. */
  keptByCut: number;
  corruptByCut: number;
}

/** No faults. A power cut still decides each dirty page, evenly between kept and dropped, some corrupt. */
export function healthy(): DiskFaults {
  return {
    syncError: 0,
    lyingSync: 0,
    writeError: 0,
    noSpace: 0,
    shortWrite: 0,
    readError: 0,
    garbledRead: 0,
    misdirectedWrite: 0,
    earlyWriteback: 0,
    slowFactor: 1,
    keptByCut: 0.4,
    corruptByCut: 0.2,
  };
}

const COUNTED = [
  "writes",
  "syncs",
  "reads",
  "directReads",
  "creates",
  "pagesLanded",
  "syncErrors",
  "pagesOfFailedSyncKept",
  "pagesOfFailedSyncDropped",
  "pagesOfFailedSyncCorrupted",
  "syncsLiedAbout",
  "createsLiedAbout",
  "writeErrors",
  "noSpaceErrors",
  "shortWrites",
  "readErrors",
  "garbledReads",
  "unreadablePagesRead",
  "pagesMisdirected",
  "pagesWrittenBackEarly",
  "pagesWrittenBackByDirectRead",
  "bitsRotted",
  "pagesMadeUnreadable",
  "stalePagesEvicted",
  "operationsHeldByHang",
  "powerCuts",
  "processCrashes",
  "writesCutShort",
  "syncsCutShort",
  "createsCutShort",
  "pagesKeptByCut",
  "pagesDroppedByCut",
  "pagesCorruptedByCut",
  "filesLostByCut",
  "filesShortenedByCut",
  "callsAfterCrash",
] as const;

/** How often each thing has happened, so that a run can print which hazards it really met. */
export type DiskCounters = Record<(typeof COUNTED)[number], number>;

export function zeroCounters(): DiskCounters {
  return Object.fromEntries(COUNTED.map((name) => [name, 0])) as DiskCounters;
}
