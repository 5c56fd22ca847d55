import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { askSmart, type DriveHealth, parseSmart, type SmartAnswer, unknownHealth } from "./smart.ts";

const golden = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "golden", name), "utf8")) as Record<string, unknown>;

const nvme = {
  smartctl: { version: [7, 3], exit_status: 0 },
  smart_status: { passed: true, nvme: { value: 0 } },
  nvme_smart_health_information_log: {
    critical_warning: 0,
    temperature: 41,
    available_spare: 97,
    percentage_used: 12,
    data_units_written: 4_000_000,
    media_errors: 3,
  },
  temperature: { current: 41 },
};

const ata = {
  smart_status: { passed: false },
  ata_smart_attributes: {
    table: [
      { id: 5, name: "Reallocated_Sector_Ct", raw: { value: 8 } },
      { id: 9, name: "Power_On_Hours", raw: { value: 30_000 } },
      { id: 197, name: "Current_Pending_Sector", raw: { value: 2 ** 32 + 2 } },
      { id: 198, name: "Offline_Uncorrectable", raw: { value: 1 } },
    ],
  },
  temperature: { current: 33 },
  endurance_used: { current_percent: 4 },
};

test.each<[string, unknown, Partial<DriveHealth>]>([
  [
    "an NVMe drive",
    nvme,
    {
      isHealthy: true,
      wearRatio: 0.12,
      spareRatio: 0.97,
      badSectors: 3,
      temperatureCelsius: 41,
      written: { host: 2.048e12, flash: null },
    },
  ],
  [
    "an NVMe drive with a critical warning",
    { nvme_smart_health_information_log: { critical_warning: 1 } },
    { isHealthy: false },
  ],
  ["an ATA drive", ata, { isHealthy: false, wearRatio: 0.04, badSectors: 10, temperatureCelsius: 33 }],
  [
    "a SAS drive with 10 uncorrected errors, whose own status is passed,",
    golden("smartctl-sas-hdd-failing.json"),
    { isHealthy: false, badSectors: 42, uncorrectedErrors: 10, temperatureCelsius: 31 },
  ],
  [
    "a SAS drive without uncorrected errors",
    { smart_status: { passed: true }, scsi_error_counter_log: { read: { total_uncorrected_errors: 0 } } },
    { isHealthy: true, uncorrectedErrors: 0 },
  ],
  [
    "a SATA SSD queried by smartmontools 7.3",
    golden("smartctl-sata-ssd-7.3.json"),
    {
      isHealthy: true,
      wearRatio: 0.37,
      wearSource: "177 Wear_Leveling_Count",
      badSectors: 0,
      temperatureCelsius: 30,
    },
  ],
  ["a drive that reports only that it passed", { smart_status: { passed: true } }, { isHealthy: true }],
])("the health of %s is read", (_, printed, expected) => {
  expect(parseSmart(JSON.stringify(printed))).toMatchObject({
    type: "health",
    health: { ...unknownHealth, ...expected },
  });
});

test("the model of a SAS drive is read from another field", () => {
  expect(parseSmart(JSON.stringify(golden("smartctl-sas-hdd-failing.json")))).toMatchObject({
    identity: { model: "MAKER HDD16", serial: "Z", firmware: null },
  });
});

test.each([
  [231, "SSD_Life_Left", 90, 0.1],
  [233, "Media_Wearout_Indicator", 99, 0.01],
  [202, "Percent_Lifetime_Remain", 40, 0.6],
  [231, "Temperature_Celsius", 69, null],
  [233, "Lifetime_Wts_To_Flsh_GB", 100, null],
  [177, "Wear_Leveling_Count", 253, null],
])("attribute %i named %s with the value %i is a wear of %s", (id, name, value, wearRatio) => {
  const table = [{ id, name, value, raw: { value: 7 } }];
  const answer = parseSmart(
    JSON.stringify({ smart_status: { passed: true }, ata_smart_attributes: { table } }),
  );
  const wearSource = wearRatio === null ? null : `${id} ${name}`;
  expect(answer).toMatchObject({ health: { wearRatio, wearSource } });
});

test("the wear that smartmontools reports for all drives takes precedence over an attribute", () => {
  const printed = { ...golden("smartctl-sata-ssd-7.3.json"), endurance_used: { current_percent: 36 } };
  expect(parseSmart(JSON.stringify(printed))).toMatchObject({
    health: { wearRatio: 0.36, wearSource: null },
  });
});

test("a drive reports its model, serial number and firmware with its health", () => {
  const names = {
    model_name: " SAMSUNG  MZQL2 ",
    serial_number: "S64GNE0R1",
    firmware_version: "GDC5\u0007902Q",
  };
  expect(parseSmart(JSON.stringify({ ...nvme, ...names }))).toMatchObject({
    identity: { model: "SAMSUNG MZQL2", serial: "S64GNE0R1", firmware: "GDC5902Q" },
  });
});

test.each<[string, string, SmartAnswer["type"] | "not_permitted" | "unsupported" | "unreadable", string]>([
  [
    "a drive that sleeps",
    JSON.stringify({ smartctl: { messages: [{ string: "Device is in STANDBY mode, exit(2)" }] } }),
    "asleep",
    "",
  ],
  [
    "a drive that may not be queried",
    JSON.stringify({ smartctl: { messages: [{ string: "Permission denied" }] } }),
    "not_permitted",
    "Permission denied",
  ],
  ["a drive without SMART", "{}", "unsupported", "The drive reports nothing by SMART."],
  ["an old smartctl", "smartctl 6.6 2017", "unreadable", "older than 7.0"],
  ["another form", `{"smart_status":{"passed":"yes"}}`, "unreadable", "unknown form"],
])("the reason for missing health data is reported for %s", (_, printed, kind, reason) => {
  const answer = parseSmart(printed);
  expect(answer.type === "silent" ? answer.silence : answer.type).toBe(kind);
  if (answer.type === "silent") expect(answer.reason).toContain(reason);
});

/** Installs a smartctl that prints this if called with the right arguments, and ends with this exit code. */
function install(printed: string | null, exitCode = 0): void {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-smart-"));
  vi.stubEnv("PATH", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  if (printed === null) return;
  const file = join(folder, "smartctl");
  const expected = "--json=c -n standby -a /dev/nvme0n1";
  const lines = [
    "#!/bin/sh",
    `[ "$*" = "${expected}" ] || exit 1`,
    `printf '%s\\n' '${printed}'`,
    `exit ${exitCode}`,
  ];
  writeFileSync(file, lines.join("\n"));
  chmodSync(file, 0o755);
}

test("a worn drive with warnings is read like any other", async () => {
  const log = { percentage_used: 104, critical_warning: 4 };
  install(JSON.stringify({ nvme_smart_health_information_log: log }), 8);
  expect(await askSmart("nvme0n1")).toMatchObject({ health: { wearRatio: 1.04, isHealthy: false } });
});

test("a missing smartctl is reported as the reason for missing health data", async () => {
  install(null);
  expect(await askSmart("nvme0n1")).toMatchObject({ type: "silent", silence: "not_installed" });
});

test("an oversized answer is treated as no answer", async () => {
  install(JSON.stringify(nvme).padStart(2_000_000));
  expect(await askSmart("nvme0n1")).toMatchObject({ type: "silent" });
});
