/** Unit in which the kernel counts a block device's sectors, regardless of the device's sector size. */
export const SECTOR_BYTES = 512;
