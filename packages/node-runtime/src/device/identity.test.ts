import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanName, readIdentity } from "./identity.ts";

/** Creates a /sys with these files of one disk. */
function sysWith(disk: string, files: Record<string, string | Buffer>): string {
  const sys = mkdtempSync(join(tmpdir(), "stashlight-sys-"));
  onTestFinished(() => rmSync(sys, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(sys, "block", disk, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return sys;
}

const page = (serial: string) =>
  Buffer.concat([Buffer.from([0, 0x80, 0, serial.length]), Buffer.from(serial)]);

test.each([
  [
    "an NVMe drive",
    {
      "device/model": "SAMSUNG MZQL21T9HCJR-00A07              \n",
      "device/serial": "S64GNE0R100001      \n",
      "device/firmware_rev": "GDC5902Q\n",
      "device/vendor": "0x144d\n",
    },
    { model: "SAMSUNG MZQL21T9HCJR-00A07", serial: "S64GNE0R100001", firmware: "GDC5902Q" },
  ],
  [
    "a SATA drive, whose vendor is the name of the protocol",
    {
      "device/vendor": "ATA     \n",
      "device/model": "ST16000NM001G-2K\n",
      "device/rev": "SN03\n",
      "device/vpd_pg80": page("            ZL2ABCDE"),
    },
    { model: "ST16000NM001G-2K", serial: "ZL2ABCDE", firmware: "SN03" },
  ],
  [
    "a SAS drive",
    { "device/vendor": "SEAGATE \n", "device/model": "ST10000NM0096   \n", "device/rev": "E005\n" },
    { model: "SEAGATE ST10000NM0096", serial: null, firmware: "E005" },
  ],
  [
    "a virtio disk",
    { serial: "vol-0123\n", "device/vendor": "0x1af4\n" },
    { model: null, serial: "vol-0123", firmware: null },
  ],
  ["a disk of which the kernel knows nothing", {}, { model: null, serial: null, firmware: null }],
  [
    "a broken page",
    { "device/vpd_pg80": Buffer.from([0, 0x80]) },
    { model: null, serial: null, firmware: null },
  ],
])("the identity of %s is read from the kernel's files", async (_, files, expected) => {
  expect(await readIdentity(sysWith("sda", files), "sda")).toEqual(expected);
});

test("a name is printable, on one line and bounded in length", () => {
  expect(cleanName("  A\u0000B\n C   D ")).toBe("AB C D");
  expect(cleanName("x".repeat(1_000))).toHaveLength(64);
  expect(cleanName(" \u0000 ")).toBeNull();
});
