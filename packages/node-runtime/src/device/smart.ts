/**
 * What drives say of themselves and of their health: `smartctl -a --json` of smartmontools 7, for NVMe and ATA. Drives
 * that sleep are not woken for it.
 */
import { execFile } from "node:child_process";
import type { SmartSilence } from "@stashlight/contracts/metrics";
import { z } from "zod";
import { cleanName, type DriveIdentity } from "./identity.ts";

export interface DriveHealth {
  /** Null where the drive does not tell. All else too. */
  readonly isHealthy: boolean | null;
  /** 0 to 1 and beyond. */
  readonly wearRatio: number | null;
  readonly spareRatio: number | null;
  readonly badSectors: number | null;
  readonly temperatureCelsius: number | null;
}

export type SmartAnswer =
  | { readonly type: "health"; readonly health: DriveHealth; readonly identity: DriveIdentity }
  /** What was known before stays. */
  | { readonly type: "asleep" }
  | { readonly type: "silent"; readonly silence: SmartSilence; readonly reason: string };

export const unknownHealth: DriveHealth = {
  ...{ isHealthy: null, wearRatio: null, spareRatio: null, badSectors: null, temperatureCelsius: null },
};

const ANSWER_WITHIN_MS = 30_000;
const ANSWER_BYTES_MAX = 1_048_576;
/** Sectors that were replaced, that wait to be, and that could not be read; these ids mean the same with all makers. */
const BAD_SECTOR_IDS: ReadonlySet<number> = new Set([5, 197, 198]);
/** The lower half of a raw value counts; some makers write other figures into the upper. */
const RAW_MASK = 2 ** 32;

const percent = z.number().min(0).max(255);
const answerSchema = z.object({
  model_name: z.string().optional(),
  serial_number: z.string().optional(),
  firmware_version: z.string().optional(),
  smartctl: z.object({ messages: z.array(z.object({ string: z.string() })).optional() }).optional(),
  smart_status: z.object({ passed: z.boolean() }).optional(),
  temperature: z.object({ current: z.number() }).optional(),
  /** smartmontools 7.4 and later, for all kinds. */
  endurance_used: z.object({ current_percent: percent }).optional(),
  spare_available: z.object({ current_percent: percent }).optional(),
  nvme_smart_health_information_log: z
    .object({
      critical_warning: z.int().optional(),
      available_spare: percent.optional(),
      percentage_used: percent.optional(),
      media_errors: z.number().min(0).optional(),
      temperature: z.number().optional(),
    })
    .optional(),
  ata_smart_attributes: z
    .object({ table: z.array(z.object({ id: z.int(), raw: z.object({ value: z.number().min(0) }) })) })
    .optional(),
});

export function parseSmart(text: string): SmartAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return silent("unreadable", "smartctl printed no JSON; it is older than 7.0.");
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return silent("unreadable", "smartctl's answer has another form than is known.");
  const { smartctl, smart_status, temperature, endurance_used, spare_available, ...own } = parsed.data;
  const messages = smartctl?.messages?.map(({ string }) => string).join(" ") ?? "";
  if (/STANDBY|SLEEP/.test(messages)) return { type: "asleep" };
  const nvme = own.nvme_smart_health_information_log;
  const bad = own.ata_smart_attributes?.table.filter(({ id }) => BAD_SECTOR_IDS.has(id));
  const warned = nvme?.critical_warning === undefined ? null : nvme.critical_warning !== 0;
  const passed = smart_status?.passed ?? null;
  const health: DriveHealth = {
    isHealthy: passed === null && warned === null ? null : passed !== false && warned !== true,
    wearRatio: shareOf(nvme?.percentage_used ?? endurance_used?.current_percent),
    spareRatio: shareOf(nvme?.available_spare ?? spare_available?.current_percent),
    badSectors: nvme?.media_errors ?? sumOf(bad?.map(({ raw }) => raw.value % RAW_MASK)),
    temperatureCelsius: temperature?.current ?? nvme?.temperature ?? null,
  };
  if (Object.values(health).some((each) => each !== null)) {
    const { model_name, serial_number, firmware_version } = own;
    const identity = {
      model: cleanName(model_name),
      serial: cleanName(serial_number),
      firmware: cleanName(firmware_version),
    };
    return { type: "health", health, identity };
  }
  if (/permission denied|not permitted|root/i.test(messages)) return silent("not_permitted", messages);
  return silent("unsupported", messages === "" ? "The drive tells nothing by SMART." : messages);
}

const silent = (silence: SmartSilence, reason: string): SmartAnswer => ({ type: "silent", silence, reason });

const shareOf = (value: number | undefined): number | null => (value === undefined ? null : value / 100);
const sumOf = (values: readonly number[] | undefined): number | null =>
  values === undefined || values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);

/** Does not reject. The exit code is not looked at: bits of it warn of drives that answer all the same. */
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
