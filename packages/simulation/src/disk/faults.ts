/**
 * Faults of a disk. Shares are probabilities from 0 to 1, drawn per operation (or per page where noted), and may be
 * changed at any moment; a share of 0 draws nothing. A hang, damage to the media, power cuts and process crashes are
 * events, hence methods of the disk.
 */
export interface DiskFaults {
  /** fdatasync fails with EIO: every page it covered is clean, and each is on the media, partly on it, or not. */
  syncError: number;
  /** fdatasync reports success, but the drive kept the data in a cache that a power cut empties. */
  lyingSync: number;
  /** A write fails with EIO after some of its pages have entered the page cache. */
  writeError: number;
  /** A write or a create fails with ENOSPC; some pages of the write may have entered. */
  noSpace: number;
  /** A write returns short and is continued internally: it costs only time. */
  shortWrite: number;
  /** A read, buffered or direct, fails with EIO; the next one may succeed. */
  readError: number;
  /**
   * A read returns bytes that differ from those on the media, as with a bad cable or controller; the next read may be
   * correct.
   */
  garbledRead: number;
  /** A page lands elsewhere on this device. Drawn per page, so keep the probability small. */
  misdirectedWrite: number;
  /** The kernel writes recent data to the media on its own, long before any sync. */
  earlyWriteback: number;
  /** Multiplies all device times. */
  slowFactor: number;
  /**
   * Fate of each dirty page at a power cut: written to the media, or mixed from old, new and garbage sectors; the rest
   * is dropped.
   */
  keptByCut: number;
  corruptByCut: number;
}

/** No faults. A power cut still decides each dirty page, evenly between kept and dropped, and some corrupt. */
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

/** Counts each fault, so that a run can print the hazards that it met. */
export type DiskCounters = Record<(typeof COUNTED)[number], number>;

export function zeroCounters(): DiskCounters {
  return Object.fromEntries(COUNTED.map((name) => [name, 0])) as DiskCounters;
}
