import { expect, test } from "vitest";
import {
  emptyForm,
  limitsChoices,
  limitsMoment,
  readForm,
  readVolumes,
  usualVolume,
  type VolumeForm,
  writeVolumes,
} from "./volume-form.ts";

const form = (part: Partial<VolumeForm>): VolumeForm => ({ ...emptyForm, ...part });

test("the initial form has a demand and two volumes, without any input", () => {
  const read = readForm(emptyForm, null);
  expect(read.problems).toEqual([]);
  expect(read.demand?.steps).toEqual([{ seconds: 7_200, iops: 3_000, kib: 4, readShare: 0.8 }]);
  expect(read.volumes).toEqual([
    { type: "gp2", sizeGiB: 8, iops: null, throughputMiBps: null },
    { type: "gp3", sizeGiB: 8, iops: 3_000, throughputMiBps: 125 },
  ]);
});

test("volumes survive a round trip through the address", () => {
  const text = "gp2:8 gp3:100:4000:250 io1:64:3000 st1:500 sc1:";
  expect(writeVolumes(readVolumes(text))).toBe("gp2:8 gp3:100:4000:250 io1:64:3000 st1:500");
  expect(writeVolumes([{ ...usualVolume("gp2"), sizeGiB: "1:0 0" }])).toBe("gp2:100");
  expect(readVolumes("tape:7")).toEqual([{ type: "gp2", sizeGiB: "7", iops: "", throughputMiBps: "" }]);
});

test.each<[Partial<VolumeForm>, string, string]>([
  [{ iops: "-1" }, "iops", "A demand must be from 0 to 10,000,000 IOPS."],
  [{ iops: "1e30" }, "iops", "A demand must be from 0 to 10,000,000 IOPS."],
  [{ minutes: "" }, "minutes", "A step lasts 0.001 s to a year."],
  [{ reads: "120" }, "reads", "The share of reads must be from 0 to 100 %."],
  [{ kib: "many" }, "kib", "An I/O must have 0.5 to 65,536 KiB."],
  [{ data: "0" }, "data", "The data must be a whole number from 1 to 65,536 GiB."],
  [{ volumes: "gp2:99999" }, "0.sizeGiB", "A gp2 volume has 1 to 16,384 GiB, a whole number."],
  [
    { volumes: "gp2:8 io1:10:3000" },
    "1.iops",
    "io1 has at most 50 IOPS per GiB: 10 GiB may have 500, and 3,000 need 60 GiB.",
  ],
  [
    { limits: "articles", volumes: "gp3:8:3000:125" },
    "0.type",
    "The limits of gp3 are known from 2020-12 on; choose that month or later, or another type.",
  ],
  [{ demand: "csv", csv: "60,100\n60;x" }, "csv", "Line 2: “x” is not a number."],
])("the form %j shows an error beside %s", (part, field, message) => {
  expect(readForm(form(part), null).problems).toEqual([{ field, message }]);
});

test("a trace takes missing values from the fields beside it", () => {
  const read = readForm(form({ demand: "csv", csv: "60,100\n60,100,16,0", kib: "8", reads: "50" }), null);
  expect(read.demand?.steps.map(({ kib, readShare }) => [kib, readShare])).toEqual([
    [8, 0.5],
    [16, 0],
  ]);
});

test("without measured windows there is no demand, and the form has no error", () => {
  const read = readForm(form({ demand: "measured" }), null);
  expect(read).toMatchObject({ demand: null, problems: [] });
});

test("the limits are those of the month, or the newest ones for an unknown month", () => {
  expect(limitsChoices[0]?.label).toBe("Newest known (September 2025)");
  expect(limitsMoment({ limits: "articles" })).toEqual({ month: "2018-06", ignoresFloor: true });
  expect(limitsMoment({ limits: "gone" })).toEqual(limitsChoices[0]?.moment);
});

test("limits are offered by month in words, newest first", () => {
  const labels = limitsChoices.map(({ label }) => label);
  expect(labels[0]).toMatch(/^Newest known \([A-Z][a-z]+ \d{4}\)$/);
  expect(labels.at(-1)).toBe("2018, without gp2's floor of 100 IOPS");
  expect(labels.at(-2)).toBe("June 2018");
  for (const label of labels.slice(1, -1)) expect(label).toMatch(/^[A-Z][a-z]+ \d{4}$/);
});
