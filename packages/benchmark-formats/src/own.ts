import assert from "node:assert/strict";
import { benchmarkOperations } from "@stashlight/contracts/sample";
import { createRowCutter, type DelimitedRow } from "./delimited.ts";
import type { ImportLimits, ReadRun } from "./imported-run.ts";
import {
  at,
  type JsonNode,
  optionalAt,
  parseJson,
  requireCount,
  requireEntries,
  requireItems,
  requireString,
} from "./json-node.ts";
import { createLineCutter } from "./lines.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createRowBudget } from "./row-budget.ts";
import {
  checkSample,
  type ReadSample,
  type SampleColumn,
  sampleColumns,
  sampleOfCells,
} from "./sample-columns.ts";
import { type TakeSample, type TextReader, wholeTextReader } from "./text-reader.ts";

export const OWN_FORMAT = "stashlight-benchmark";
export const OWN_VERSION = 1;

/** Also matches after an editor has reformatted it over several lines. */
const OWN_HEAD = new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${OWN_FORMAT}"`);

export function isOwnJson(text: string): boolean {
  return OWN_HEAD.test(text);
}

/** Layout that `exportRun` writes: the header in the first line, then one sample per line. */
const LINE_A_SAMPLE = new RegExp(`^\\{"format":"${OWN_FORMAT}"[^\\n]*,"samples":\\[\\r?\\n`);

/** Stashlight's own JSON, which contains every field of a run's samples. */
export function ownJsonReader(limits: ImportLimits, takeSample: TakeSample): TextReader {
  let reader: TextReader | null = null;
  return {
    push(text) {
      reader ??= LINE_A_SAMPLE.test(text)
        ? sampleLinesReader(limits, takeSample)
        : wholeTextReader(limits, (whole) => readOwnJson(whole, limits, takeSample));
      reader.push(text);
    },
    end() {
      assert(reader, "A text begins with its format.");
      return reader.end();
    },
  };
}

function readOwnJson(text: string, limits: ImportLimits, takeSample: TakeSample): ReadRun {
  const root = parseJson(text, limits);
  const header = readHeader(root);
  const take = createRowBudget(limits.rowsMax);
  const collect = collector(takeSample);
  for (const node of requireItems(at(root, "samples"))) {
    take({ field: node.path });
    const read = checkSample(node.value);
    collect.add(read, (field) => ({ field: field === "" ? node.path : `${node.path}.${field}` }));
  }
  return header;
}

function readHeader(root: JsonNode): ReadRun {
  const version = requireCount(at(root, "version"));
  if (version !== OWN_VERSION) {
    throw new RefusedFile("bad-value", `It is ${version}; only version ${OWN_VERSION} is read.`, {
      field: "version",
    });
  }
  const details = optionalAt(root, "details");
  const counts = optionalAt(root, "connectionCounts");
  return {
    name: requireString(at(root, "name")),
    tool: requireString(at(root, "tool")),
    details: details === null ? {} : readTexts(requireEntries(details)),
    connectionCounts: counts === null ? [] : requireItems(counts).map(requireCount),
  };
}

/** Reads line by line, so that a long run is never completely in memory. */
function sampleLinesReader(limits: ImportLimits, takeSample: TakeSample): TextReader {
  const take = createRowBudget(limits.rowsMax);
  const collect = collector(takeSample);
  let header: ReadRun | null = null;
  let place: "first" | "after a comma" | "after the last" | "closed" = "first";
  let sampleCount = 0;
  const onLine = (text: string, line: number): void => {
    const trimmed = text.trim();
    if (header === null) {
      header = readHeader({ value: parseLine(`${trimmed}]}`, line), path: "" });
      return;
    }
    if (trimmed === "") return;
    if (trimmed === "]}" && (place === "first" || place === "after the last")) {
      place = "closed";
      return;
    }
    if (place === "closed" || place === "after the last") throw notJson(line);
    place = trimmed.endsWith(",") ? "after a comma" : "after the last";
    const value = parseLine(place === "after a comma" ? trimmed.slice(0, -1) : trimmed, line);
    const path = `samples[${sampleCount}]`;
    sampleCount += 1;
    take({ line });
    collect.add(checkSample(value), (field) => ({ line, field: field === "" ? path : `${path}.${field}` }));
  };
  let lineCount = 0;
  const cutter = createLineCutter((text, line) => {
    lineCount = line;
    onLine(text, line);
  });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      if (header === null || place !== "closed") throw notJson(lineCount);
      return header;
    },
  };
}

function parseLine(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(line);
  }
}

const notJson = (line: number): RefusedFile =>
  new RefusedFile("not-readable", "This is not valid JSON.", { line });

function readTexts(entries: ReturnType<typeof requireEntries>): Record<string, string> {
  return Object.fromEntries(entries.map(([key, node]) => [key, requireString(node)]));
}

export function isOwnCsv(text: string): boolean {
  const header = text.slice(0, 2000).split(/\r?\n/, 1)[0] ?? "";
  return header.includes("operation") && header.includes("wireMs");
}

/** Stashlight's own CSV: one row per sample, columns by name in any order. */
export function ownCsvReader(limits: ImportLimits, takeSample: TakeSample): TextReader {
  const take = createRowBudget(limits.rowsMax);
  const collect = collector(takeSample);
  let columns: SampleColumn[] | null = null;
  const onRow = ({ line, fields }: DelimitedRow): void => {
    if (columns === null) {
      columns = fields.map((name) => requireColumn(name, line));
      requireOnce(columns, line);
      return;
    }
    if (fields.length !== columns.length) {
      const what = `There are ${fields.length} fields; the header has ${columns.length}.`;
      throw new RefusedFile("bad-value", what, { line });
    }
    take({ line });
    collect.add(sampleOfCells(columns, fields), (field) => ({ line, field }));
  };
  const cutter = createRowCutter({ delimiter: ",", rowsMax: limits.rowsMax, onRow });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      return { tool: "Stashlight" };
    },
  };
}

function requireColumn(name: string, line: number): SampleColumn {
  const column = sampleColumns.find((each) => each === name);
  if (column === undefined) {
    throw new RefusedFile("bad-value", `There is no column ${shown(name)}.`, { line });
  }
  return column;
}

function requireOnce(columns: readonly SampleColumn[], line: number): void {
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) {
    throw new RefusedFile("bad-value", "The header has it twice.", { line, field: twice });
  }
}

interface Collector {
  readonly add: (read: ReadSample, placeOf: (field: string) => { line?: number; field?: string }) => void;
}

/** Refuses invalid samples and repeated indexes. */
function collector(takeSample: TakeSample): Collector {
  const seen = new Set<number>();
  return {
    add: (read, placeOf) => {
      if ("problem" in read) {
        const what =
          read.field === "operation" ? `it must be one of ${benchmarkOperations.join(", ")}` : read.problem;
        throw new RefusedFile(
          "bad-value",
          `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
          placeOf(read.field),
        );
      }
      if (seen.has(read.sample.index)) {
        throw new RefusedFile("bad-value", `Another sample has ${read.sample.index} too.`, placeOf("index"));
      }
      seen.add(read.sample.index);
      takeSample(read.sample);
    },
  };
}
