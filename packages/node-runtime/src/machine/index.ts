/** Readings of the machine that Linux keeps in /proc, for agents of vaults and of other machines. */

export { type DiskCounts, type DiskWork, parseDiskstats, workBetween } from "./diskstats.ts";
