/** Unit of the kernel's counts of a block device, whatever the sector size of the device is. */
export const SECTOR_BYTES = 512;
