/**
 * Reads the identity and health of drives from `smartctl -a --json` of smartmontools 7, for NVMe, ATA and SCSI. It does
 * not wake sleeping drives.
 */
import { execFile } from "node:child_process";
import type { SmartSilence } from "@stashlight/contracts/metrics";
import { z } from "zod";
import { cleanName, type DriveIdentity } from "./identity.ts";
import { attributeSchema, countBadSectors, findWear } from "./smart-attributes.ts";
import { attributeWrites, nvmeWrites, type WrittenBytes } from "./smart-writes.ts";

export interface DriveHealth {
  /** Null if the drive does not report it, like every other field. */
  readonly isHealthy: boolean | null;
  /** From 0 to 1, or more once the rated endurance is exceeded. */
  readonly wearRatio: number | null;
  /**
   * Attribute from which the wear is taken, such as "177 Wear_Leveling_Count"; null if the drive reports a standard
   * figure.
   */
  readonly wearSource: string | null;
  readonly spareRatio: number | null;
  readonly badSectors: number | null;
  /** Errors that a SCSI drive could not correct in reads, writes and verifications. */
  readonly uncorrectedErrors: number | null;
  readonly temperatureCelsius: number | null;
  /** Bytes written since manufacture; null for the flash of most drives. */
  readonly written: WrittenBytes;
}

export type SmartAnswer =
  | { readonly type: "health"; readonly health: DriveHealth; readonly identity: DriveIdentity }
  /** The drive sleeps; earlier values remain valid. */
  | { readonly type: "asleep" }
  | { readonly type: "silent"; readonly silence: SmartSilence; readonly reason: string };

export const unknownHealth: DriveHealth = {
  isHealthy: null,
  wearRatio: null,
  wearSource: null,
  spareRatio: null,
  badSectors: null,
  uncorrectedErrors: null,
  temperatureCelsius: null,
  written: { host: null, flash: null },
};

const ANSWER_WITHIN_MS = 30_000;
const ANSWER_BYTES_MAX = 1_048_576;

const percent = z.number().min(0).max(255);
const scsiErrors = z.object({ total_uncorrected_errors: z.number().min(0).optional() }).optional();
const answerSchema = z.object({
  model_name: z.string().optional(),
  serial_number: z.string().optional(),
  firmware_version: z.string().optional(),
  smartctl: z.object({ messages: z.array(z.object({ string: z.string() })).optional() }).optional(),
  smart_status: z.object({ passed: z.boolean() }).optional(),
  temperature: z.object({ current: z.number() }).optional(),
  /** Reported by smartmontools 7.4 and later, for all kinds of drive. */
  endurance_used: z.object({ current_percent: percent }).optional(),
  spare_available: z.object({ current_percent: percent }).optional(),
  nvme_smart_health_information_log: z
    .object({
      critical_warning: z.int().optional(),
      available_spare: percent.optional(),
      percentage_used: percent.optional(),
      data_units_written: z.number().min(0).optional(),
      media_errors: z.number().min(0).optional(),
      temperature: z.number().optional(),
    })
    .optional(),
  ata_smart_attributes: z.object({ table: z.array(attributeSchema) }).optional(),
  scsi_model_name: z.string().optional(),
  scsi_revision: z.string().optional(),
  scsi_grown_defect_list: z.number().min(0).optional(),
  scsi_error_counter_log: z.object({ read: scsiErrors, write: scsiErrors, verify: scsiErrors }).optional(),
});

export function parseSmart(text: string): SmartAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return silent("unreadable", "smartctl printed no JSON; it is older than 7.0.");
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return silent("unreadable", "smartctl's answer has an unknown form.");
  const { smartctl, smart_status, temperature, endurance_used, spare_available, ...own } = parsed.data;
  const messages = smartctl?.messages?.map(({ string }) => string).join(" ") ?? "";
  if (/STANDBY|SLEEP/.test(messages)) return { type: "asleep" };
  const nvme = own.nvme_smart_health_information_log;
  const attributes = own.ata_smart_attributes?.table;
  const wear = attributes === undefined ? null : findWear(attributes);
  const wearPercent = nvme?.percentage_used ?? endurance_used?.current_percent;
  const uncorrectedErrors = sumOrNull(
    Object.values(own.scsi_error_counter_log ?? {}).flatMap((log) => log?.total_uncorrected_errors ?? []),
  );
  const warned = nvme?.critical_warning === undefined ? null : nvme.critical_warning !== 0;
  const passed = smart_status?.passed ?? null;
  const health: DriveHealth = {
    isHealthy: judgeHealth([
      passed,
      warned === null ? null : !warned,
      // SCSI's own status only predicts failures; these have happened.
      uncorrectedErrors === null ? null : uncorrectedErrors === 0,
    ]),
    wearRatio: percentToShare(wearPercent) ?? wear?.ratio ?? null,
    wearSource: wearPercent === undefined ? (wear?.source ?? null) : null,
    spareRatio: percentToShare(nvme?.available_spare ?? spare_available?.current_percent),
    badSectors:
      nvme?.media_errors ??
      own.scsi_grown_defect_list ??
      (attributes === undefined ? null : countBadSectors(attributes)),
    uncorrectedErrors,
    temperatureCelsius: temperature?.current ?? nvme?.temperature ?? null,
    written: attributes === undefined ? nvmeWrites(nvme?.data_units_written) : attributeWrites(attributes),
  };
  const { written, ...figures } = health;
  if ([...Object.values(figures), ...Object.values(written)].some((each) => each !== null)) {
    const identity = {
      model: cleanName(own.model_name ?? own.scsi_model_name),
      serial: cleanName(own.serial_number),
      firmware: cleanName(own.firmware_version ?? own.scsi_revision),
    };
    return { type: "health", health, identity };
  }
  if (/permission denied|not permitted|root/i.test(messages)) return silent("not_permitted", messages);
  return silent("unsupported", messages === "" ? "The drive reports nothing by SMART." : messages);
}

const silent = (silence: SmartSilence, reason: string): SmartAnswer => ({ type: "silent", silence, reason });

const percentToShare = (value: number | undefined): number | null =>
  value === undefined ? null : value / 100;
const sumOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);

/** Returns null if no sign is known; one bad sign outweighs all good ones. */
function judgeHealth(signs: readonly (boolean | null)[]): boolean | null {
  const known = signs.filter((sign) => sign !== null);
  return known.length === 0 ? null : known.every((isGood) => isGood);
}

/**
 * Queries a drive. Does not reject. The exit code is ignored, because some of its bits are warnings about drives that
 * answered.
 */
export function askSmart(drive: string): Promise<SmartAnswer> {
  const args = ["--json=c", "-n", "standby", "-a", `/dev/${drive}`];
  const limits = { timeout: ANSWER_WITHIN_MS, killSignal: "SIGKILL", maxBuffer: ANSWER_BYTES_MAX } as const;
  return new Promise((resolve) => {
    execFile("smartctl", args, limits, (error, stdout) => {
      const isMissing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
      resolve(
        isMissing
          ? silent("not_installed", "smartctl is not installed (smartmontools).")
          : parseSmart(stdout),
      );
    });
  });
}
