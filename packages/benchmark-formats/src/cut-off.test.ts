import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { expect, test } from "vitest";
import { importFile } from "./import-file.ts";

const folder = join(import.meta.dirname, "golden");
/** Limit on positions, at equal distances, at which a file is truncated. */
const CUT_COUNT_MAX = 150;

const files = readdirSync(folder).filter(
  (name) => !/\.(?:zst|md)$|^exported-(?:hgrm|openmetrics)/.test(name),
);

async function read(name: string, bytes: Uint8Array) {
  const samples: BenchmarkSample[] = [];
  const result = await importFile({ name, bytes }, { take: (sample) => samples.push(sample) });
  return result.ok ? { ...result.run, samples } : null;
}

/** A rate log truncated at the end has the mean of a shorter run. */
const isRateLog = (name: string): boolean => /_(?:iops|bw)\.(?:\d+\.)?log$/.test(name);

test.each(files)(
  "%s, truncated anywhere, is refused or yields only figures that are complete",
  async (name) => {
    const bytes = readFileSync(join(folder, name));
    const whole = await read(name, bytes);
    // A document that is already truncated is refused entirely, so any further truncation is refused or marked elsewhere.
    if (whole === null) return;
    const step = Math.max(1, Math.floor(bytes.length / CUT_COUNT_MAX));
    for (let end = 1; end < bytes.length; end += step) {
      const cut = await read(name, bytes.subarray(0, end));
      if (cut === null) continue;
      expect(cut.samples, `cut at ${end}`).toEqual(whole.samples.slice(0, cut.samples.length));
      if (isRateLog(name)) continue;
      for (const summary of cut.summaries) expect(whole.summaries, `cut at ${end}`).toContainEqual(summary);
      for (const each of cut.distributions) expect(whole.distributions, `cut at ${end}`).toContainEqual(each);
    }
  },
);
