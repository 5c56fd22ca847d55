/**
 * Reads a drive's model, serial number and firmware from the kernel's files under /sys, without a query to the drive.
 * Each is null if the kernel does not report it: a virtual drive often has none of them, and only root may read serial
 * numbers.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface DriveIdentity {
  readonly model: string | null;
  readonly serial: string | null;
  readonly firmware: string | null;
}

export const unknownIdentity: DriveIdentity = { model: null, serial: null, firmware: null };

/** Exceeds any drive's; limited because the text becomes a label of a series. */
const NAME_LENGTH_MAX = 64;
/** SCSI page of the unit serial number: its length is in the third and fourth byte (SPC-5, 7.7.17). */
const PAGE_HEADER_BYTES = 4;
/** Vendor that the kernel reports for all SATA drives. */
const ATA_VENDOR = "ATA";

/** Reduces a name to one line of printable characters; null if nothing is left. */
export function cleanName(text: string | undefined): string | null {
  const clean = (text ?? "")
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .replace(/ {2,}/g, " ")
    .slice(0, NAME_LENGTH_MAX);
  return clean === "" ? null : clean;
}

export async function readIdentity(sysFolder: string, diskName: string): Promise<DriveIdentity> {
  const folder = join(sysFolder, "block", diskName);
  const told = async (name: string): Promise<string | null> => {
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    return cleanName(text);
  };
  const [vendor, model, nvmeSerial, ownSerial, pageSerial, nvmeFirmware, rev] = await Promise.all([
    told("device/vendor"),
    told("device/model"),
    told("device/serial"),
    told("serial"),
    readSerialPage(join(folder, "device/vpd_pg80")),
    told("device/firmware_rev"),
    told("device/rev"),
  ]);
  return {
    model: model !== null && isMaker(vendor) ? `${vendor} ${model}` : model,
    serial: nvmeSerial ?? pageSerial ?? ownSerial,
    firmware: nvmeFirmware ?? rev,
  };
}

/** For NVMe and virtio, the same file contains PCI numbers instead. */
const isMaker = (vendor: string | null): boolean =>
  vendor !== null && vendor !== ATA_VENDOR && !vendor.startsWith("0x");

async function readSerialPage(file: string): Promise<string | null> {
  const page = await readFile(file).catch(() => null);
  if (page === null || page.length < PAGE_HEADER_BYTES) return null;
  const length = page.readUInt16BE(2);
  return cleanName(page.toString("latin1", PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + length));
}

/** Takes from `second` the fields that are unknown in `first`. */
export const joinIdentities = (first: DriveIdentity, second: DriveIdentity): DriveIdentity => ({
  model: first.model ?? second.model,
  serial: first.serial ?? second.serial,
  firmware: first.firmware ?? second.firmware,
});
