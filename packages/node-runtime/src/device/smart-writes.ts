/** Bytes that hosts wrote to an SSD and bytes that the SSD wrote to its own flash, from SMART. */
import type { Attribute } from "./smart-attributes.ts";

export interface WrittenBytes {
  readonly host: number | null;
  /** Null if the drive does not count them, as most do not. */
  readonly flash: number | null;
}

const GIB = 2 ** 30;
const MIB_32 = 2 ** 25;
const SECTOR = 512;
/** NVMe counts thousands of units of 512 bytes, rounded up. */
const NVME_UNIT = 512_000;

/** The names in smartmontools' drive database imply the units; the same numbers mean other things on other drives. */
const HOST: readonly (readonly [name: RegExp, unitBytes: number])[] = [
  [/^(Host_Writes_32MiB|Host_Writes_Count_32MiB)$/, MIB_32],
  [/^(Host_Writes_GiB|Lifetime_Writes_GiB|Total_Writes_GiB|Total_Host_Writes_GiB)$/, GIB],
  [/^(Total_LBAs_Written|Total_Host_Sector_Writes?)$/, SECTOR],
];
const FLASH: typeof HOST = [
  [/^NAND_Writes_32MiB$/, MIB_32],
  [/^(NAND_Writes_1GiB|NAND_Writes_GiB|Total_NAND_Writes_GiB|Lifetime_Nand_Writes_GiB)$/, GIB],
  [/^(NAND_GB_Written_TLC|Lifetime_Wts_To_Flsh_GB)$/, GIB],
];
/** Pages written for the host, and pages written internally: their size is unknown, but their ratio is not. */
const HOST_PAGES = /^Host_Program_(Page_Count|NAND_Pages_Count)$/;
const OWN_PAGES = /^(FTL_Program_(Page_Count|NAND_Pages_Count)|Bckgnd_Program_Page_Cnt)$/;

export const nvmeWrites = (dataUnitsWritten: number | undefined): WrittenBytes => ({
  host: dataUnitsWritten === undefined ? null : dataUnitsWritten * NVME_UNIT,
  flash: null,
});

export function attributeWrites(table: readonly Attribute[]): WrittenBytes {
  const rawOf = (name: RegExp): number | null =>
    table.find((each) => name.test(each.name ?? ""))?.raw.value ?? null;
  const bytesBy = (counts: typeof HOST): number | null => {
    for (const [name, unitBytes] of counts) {
      const raw = rawOf(name);
      if (raw !== null) return raw * unitBytes;
    }
    return null;
  };
  const host = bytesBy(HOST);
  const [hostPages, ownPages] = [rawOf(HOST_PAGES), rawOf(OWN_PAGES)];
  const byPages =
    host === null || hostPages === null || ownPages === null || hostPages === 0
      ? null
      : host * (1 + ownPages / hostPages);
  return { host, flash: bytesBy(FLASH) ?? byPages };
}

/** Minimum wear: below it, the estimate depends mostly on the rounding of the percentage. */
const WEAR_MIN = 0.05;

/** Bytes from the host after which the drive is worn out, at the present rate; null while it is hardly worn. */
export function enduranceBytes(host: number | null, wearRatio: number | null): number | null {
  if (host === null || wearRatio === null || wearRatio < WEAR_MIN || host <= 0) return null;
  return host / wearRatio;
}

/** Bytes written to flash per byte from the host; null if the drive does not count both. */
export function writeAmplification({ host, flash }: WrittenBytes): number | null {
  return host === null || flash === null || host <= 0 ? null : flash / host;
}
