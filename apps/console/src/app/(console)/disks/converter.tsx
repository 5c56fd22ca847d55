"use client";
import { Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { parseAsInteger, parseAsString, useQueryStates } from "nuqs";
import { formatRate, iopsAt, megabytesPerSecond } from "../drive-figures/format-figures.ts";

const KIB = 1_024;
const blocks = Array.from({ length: 13 }, (_, i) => (4 * KIB) << i);
const sizeLabel = (bytes: number): string =>
  bytes < KIB * KIB ? `${bytes / KIB} KiB` : `${bytes / KIB / KIB} MiB`;

const parsers = {
  block: parseAsInteger.withDefault(4 * KIB),
  /** Field typed last; the other follows it. */
  iops: parseAsString.withDefault("3000"),
  mbps: parseAsString,
};

const parseTyped = (text: string): number =>
  text.trim() === "" ? Number.NaN : Number(text.replaceAll(",", ""));
const isRate = (rate: number): boolean => Number.isFinite(rate) && rate >= 0 && rate <= 1e12;
const problem = "Enter a number from 0 to 1,000,000,000,000.";

/** Converts between IOPS and MB/s by block size, since provider documents and benchmarks use either. */
export function Converter() {
  const [{ block, iops, mbps }, set] = useQueryStates(parsers, { history: "replace" });
  const blockBytes = blocks.includes(block) ? block : parsers.block.defaultValue;
  const typed = parseTyped(mbps ?? iops);
  const isGood = isRate(typed);
  const shown = {
    iops: mbps === null ? iops : isGood ? formatRate(iopsAt(typed, blockBytes)) : "",
    mbps: mbps ?? (isGood ? formatRate(megabytesPerSecond(typed, blockBytes)) : ""),
  };
  return (
    <Section title="IOPS and MB/s" card>
      <div className="mb-2 grid max-w-3xl items-start gap-4 sm:grid-cols-3">
        <Field label="Block">
          <Select
            options={blocks.map((bytes) => ({ value: String(bytes), label: sizeLabel(bytes) }))}
            value={String(blockBytes)}
            onValueChange={(value) => void set({ block: Number(value) })}
          />
        </Field>
        <Field label="IOPS" error={mbps === null && !isGood ? problem : undefined}>
          <TextInput
            inputMode="decimal"
            value={shown.iops}
            onChange={(event) => void set({ iops: event.target.value, mbps: null })}
          />
        </Field>
        <Field label="MB/s" error={mbps !== null && !isGood ? problem : undefined}>
          <TextInput
            inputMode="decimal"
            value={shown.mbps}
            onChange={(event) => void set({ mbps: event.target.value })}
          />
        </Field>
      </div>
      <p className="text-sm text-faint">
        IOPS = MB/s × 1,000,000 / bytes per block. A KiB is 1,024 B, and an MB is 1,000,000 B.
      </p>
    </Section>
  );
}
