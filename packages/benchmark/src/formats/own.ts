import { type BenchmarkSample, benchmarkOperations } from "@stashlight/contracts";
import { delimitedRows } from "./delimited.ts";
import type { ImportLimits, ReadRun } from "./imported-run.ts";
import { at, countOf, entriesOf, itemsOf, optionalAt, parseJson, stringOf } from "./json-node.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createRowBudget } from "./row-budget.ts";
import {
  checkSample,
  type ReadSample,
  type SampleColumn,
  sampleColumns,
  sampleOfCells,
} from "./sample-columns.ts";

export const OWN_FORMAT = "stashlight-benchmark";
export const OWN_VERSION = 1;

/** Also when an editor has spread it over lines. */
const OWN_HEAD = new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${OWN_FORMAT}"`);

export function isOwnJson(text: string): boolean {
  return OWN_HEAD.test(text);
}

/** Our own JSON: everything that a run's samples say. The header's line ends before the first sample's. */
export function readOwnJson(text: string, limits: ImportLimits): ReadRun {
  const root = parseJson(text, limits);
  const version = countOf(at(root, "version"));
  if (version !== OWN_VERSION) {
    throw new RefusedFile("bad-value", `It is ${version}; only version ${OWN_VERSION} is read.`, {
      field: "version",
    });
  }
  const take = createRowBudget(limits.rowsMax);
  const collect = collector();
  for (const node of itemsOf(at(root, "samples"))) {
    take({ field: node.path });
    const read = checkSample(node.value);
    collect.add(read, (field) => ({ field: field === "" ? node.path : `${node.path}.${field}` }));
  }
  const details = optionalAt(root, "details");
  return {
    name: stringOf(at(root, "name")),
    tool: stringOf(at(root, "tool")),
    samples: collect.samples,
    details: details === null ? {} : textsOf(entriesOf(details)),
  };
}

function textsOf(entries: ReturnType<typeof entriesOf>): Record<string, string> {
  return Object.fromEntries(entries.map(([key, node]) => [key, stringOf(node)]));
}

export function isOwnCsv(text: string): boolean {
  const header = text.slice(0, 2000).split(/\r?\n/, 1)[0] ?? "";
  return header.includes("operation") && header.includes("wireMs");
}

/** Our own CSV: a row a sample, columns by name in any order. */
export function readOwnCsv(text: string, limits: ImportLimits): ReadRun {
  const take = createRowBudget(limits.rowsMax);
  const collect = collector();
  let columns: SampleColumn[] | null = null;
  for (const { line, fields } of delimitedRows(text, { delimiter: ",", rowsMax: limits.rowsMax })) {
    if (columns === null) {
      columns = fields.map((name) => columnOf(name, line));
      requireOnce(columns, line);
      continue;
    }
    if (fields.length !== columns.length) {
      throw new RefusedFile(
        "bad-value",
        `There are ${fields.length} fields; the header has ${columns.length}.`,
        { line },
      );
    }
    take({ line });
    collect.add(sampleOfCells(columns, fields), (field) => ({ line, field }));
  }
  return { tool: "Stashlight", samples: collect.samples };
}

function columnOf(name: string, line: number): SampleColumn {
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
  readonly samples: BenchmarkSample[];
  readonly add: (read: ReadSample, placeOf: (field: string) => { line?: number; field?: string }) => void;
}

/** Refuses what is no sample, and an index that was there before. */
function collector(): Collector {
  const samples: BenchmarkSample[] = [];
  const seen = new Set<number>();
  return {
    samples,
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
      samples.push(read.sample);
    },
  };
}
