/** Preview of an imported load, figure by figure. */
import { formatFigure, formatPlanBytes, formatShare } from "@stashlight/planner";
import {
  fillFromLoad,
  type ImportedLoad,
  isSure,
  type LoadPart,
  loadParts,
  takeLoad,
} from "@stashlight/planner/load-log";
import { formatCount } from "@stashlight/ui";
import { type PreparedFigure, prepareCounts, prepareRows } from "@stashlight/ui/figure";
import { findField, shownAs } from "../draft.ts";
import type { LoadProgress } from "./messages.ts";

export interface PreviewRow {
  readonly part: LoadPart;
  readonly label: string;
  /** Value as the form would show it; null if there is nothing to fill in. */
  readonly found: string | null;
  /** Number of uploads behind the value, or the reason that there is none. */
  readonly from: string;
  /** Selected by default. */
  readonly isSure: boolean;
}

const labels: Record<LoadPart, string> = {
  objects: "Object sizes",
  uploadsPerSecond: "Small uploads per second",
  peakFactor: "Peak factor",
};

export function previewRows(load: ImportedLoad): PreviewRow[] {
  const filled = fillFromLoad(load);
  const uploads = `${formatCount(load.small.count)} uploads`;
  return loadParts.map((part): PreviewRow => {
    const row = { part, label: labels[part], isSure: isSure(load, part) };
    if (part === "objects") {
      const { objects } = filled;
      if (objects === undefined) return { ...row, found: null, from: "No small uploads found." };
      const sizes = objects.map(({ bytes }) => bytes);
      const found =
        sizes.length === 1
          ? formatPlanBytes(sizes[0] ?? 0)
          : `${sizes.length} sizes, ${formatPlanBytes(Math.min(...sizes))} to ${formatPlanBytes(Math.max(...sizes))}`;
      return { ...row, found, from: uploads };
    }
    const value = filled[part];
    if (value === undefined) return { ...row, found: null, from: load[part].missing ?? "" };
    const how = load.isListing ? ", by when they were last written" : "";
    return { ...row, found: formatFigure(value), from: `${uploads}${how}` };
  });
}

/** Form texts for the selected values; sizes are a separate table. */
export function draftTexts(load: ImportedLoad, taken: ReadonlySet<LoadPart>): Record<string, string> {
  const texts = Object.entries(takeLoad(load, [...taken])).flatMap(([path, value]) =>
    typeof value === "number" ? [[path, shownAs(findField(path) ?? { factor: 1 }, value)] as const] : [],
  );
  return Object.fromEntries(texts);
}

export function toDraftMix(load: ImportedLoad): { key: number; bytes: string; share: string }[] {
  const factor = findField("objects.bytes") ?? { factor: 1 };
  return (fillFromLoad(load).objects ?? []).map(({ bytes, share }, key) => ({
    key,
    bytes: shownAs(factor, bytes),
    share: shownAs({ factor: 1 }, share),
  }));
}

export const sizesFigure = ({ sizes }: ImportedLoad): PreparedFigure =>
  prepareRows(
    sizes.map(({ bytes, count, share }) => ({
      label: `about ${formatPlanBytes(bytes)}`,
      value: count,
      tone: "stash",
      note: formatShare(share),
    })),
    { xLabel: "small uploads" },
  );

/** Mean rate of each hour as a share of the day; leaves out hours that the log lacks. */
export function hoursFigure({ byHour }: ImportedLoad): PreparedFigure {
  const all = byHour.reduce<number>((sum, perSecond) => sum + (perSecond ?? 0), 0);
  const bars = byHour.flatMap((perSecond, hour) =>
    perSecond === null || all === 0 ? [] : [{ from: hour, to: hour, share: perSecond / all }],
  );
  return prepareCounts(bars, "hour of the day, UTC");
}

/** "1,240,000 lines of S3 server access log. 12 of them cannot be read." */
export function readWords({ files, lineCount, malformedCount }: ImportedLoad): string {
  const formats = [...new Set(files.flatMap(({ format }) => (format === null ? [] : [format])))];
  const wrong = malformedCount === 0 ? "" : ` ${formatCount(malformedCount)} of them cannot be read.`;
  return `${formatCount(lineCount)} lines of ${formats.join(", ")}.${wrong}`;
}

/** Share of uploads that are small, and the lines that were skipped. */
export function contentWords({ small, large, smallShare, smallBytesMax, passedOver }: ImportedLoad): string {
  const share = smallShare === null ? "" : ` (${formatShare(smallShare)})`;
  const passed = passedOver.map(({ reason, count }) => `${formatCount(count)} ${reason}`);
  return `${formatCount(small.count)} of ${formatCount(small.count + large.count)} uploads${share} have up to ${formatPlanBytes(smallBytesMax)} and use the stash.${passed.length === 0 ? "" : ` Skipped: ${passed.join(", ")}.`}`;
}

export function progressWords(progress: LoadProgress, elapsedMs: number): string {
  const { bytesRead, bytesTotal, lineCount } = progress;
  const leftMs = bytesRead === 0 ? null : (elapsedMs * (bytesTotal - bytesRead)) / bytesRead;
  const left = leftMs === null || elapsedMs < 1_000 ? "" : `, ${Math.ceil(leftMs / 1_000)} s left`;
  return `${formatCount(lineCount)} lines, ${formatPlanBytes(bytesRead)} of ${formatPlanBytes(bytesTotal)}${left}`;
}
