/** Summarises logs and listings for a terminal: at most 96 columns. */
import { formatFigure, formatPlanBytes } from "@stashlight/planner";
import type { ImportedFigure, ImportedLoad, LoadPart } from "@stashlight/planner/load-log";
import { renderTable } from "../table.ts";
import { formatCount, formatMinute, formatShare } from "../units.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 96;

export function loadLines(load: ImportedLoad, taken: readonly LoadPart[]): string[] {
  const formats = [...new Set(load.files.map(({ format }) => format))].join(", ");
  const passed = load.passedOver.map(({ reason, count }) => `${formatCount(count)} ${reason}`).join(", ");
  const sentences = [
    `${formatCount(load.lineCount)} lines read as ${formats}. ${passed === "" ? "" : `Skipped: ${passed}.`}`,
    load.malformedCount === 0 ? "" : `${formatCount(load.malformedCount)} lines cannot be read, such as:`,
  ];
  const examples = load.malformedExamples.map(({ file, line, message }) => `  ${file}, ${line}: ${message}`);
  return [
    "LOAD FROM LOGS",
    ...sentences.flatMap((sentence) => wrap(sentence, WIDTH)),
    ...examples,
    ...renderTable(
      [{ title: "" }, { title: "FOUND", isRight: true }, { title: "PLAN" }],
      [
        [
          `Uploads of up to ${formatPlanBytes(load.smallBytesMax)}`,
          `${formatCount(load.small.count)} of ${formatCount(load.small.count + load.large.count)}`,
          load.smallShare === null ? "" : formatShare(load.smallShare),
        ],
        ["Sizes", `${load.sizes.length} classes`, takes("objects", taken)],
        ["Small uploads per second", shown(load.uploadsPerSecond), takes("uploadsPerSecond", taken)],
        ["Peak factor", shown(load.peakFactor), takes("peakFactor", taken)],
        ["From", shownTime(load.firstMs), ""],
        ["To", shownTime(load.lastMs), ""],
      ],
    ),
    ...[load.uploadsPerSecond, load.peakFactor]
      .flatMap(({ missing }) => (missing === null ? [] : [missing]))
      .filter((sentence, at, all) => all.indexOf(sentence) === at)
      .concat(load.notes)
      .flatMap((note) => wrap(note, WIDTH)),
  ];
}

const takes = (part: LoadPart, taken: readonly LoadPart[]): string =>
  taken.includes(part) ? "taken" : "from the input";
const shown = ({ value }: ImportedFigure): string => (value === null ? "-" : formatFigure(value));
const shownTime = (ms: number | null): string => (ms === null ? "-" : formatMinute(ms));
