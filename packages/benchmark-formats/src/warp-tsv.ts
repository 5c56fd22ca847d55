import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { quoted } from "./delimited.ts";
import type { ExportedRun } from "./exported-run.ts";
import { formatInstant } from "./instant.ts";
import { type WarpColumn, warpColumns } from "./warp-csv.ts";

const operations: Readonly<Partial<Record<BenchmarkSample["operation"], string>>> = {
  PUT: "PUT",
  GET: "GET",
  DELETE: "DELETE",
  HEAD: "STAT",
};

/**
 * Writes the format that `warp analyze` reads. Durations are service times from when each request was written, as in
 * warp. Pings and disk operations, which warp lacks, are left out.
 */
export function renderWarpTsv(run: ExportedRun): string {
  const rows = run.samples.flatMap((sample) => {
    const operation = operations[sample.operation];
    return operation === undefined ? [] : [formatRow(sample, operation)];
  });
  const comment = [run.name, run.tool].map((text) => `# ${text.replaceAll(/[\r\n]+/g, " ")}`);
  return `${[warpColumns.join("\t"), ...rows, ...comment].join("\n")}\n`;
}

function formatRow(sample: BenchmarkSample, operation: string): string {
  const { startedAtMs, wireMs, phases } = sample;
  const cells: Record<WarpColumn, string> = {
    idx: String(sample.index),
    thread: String(sample.connection ?? 0),
    op: operation,
    client_id: "",
    n_objects: "1",
    bytes: String(sample.sizeBytes),
    endpoint: sample.endpoint ?? sample.remoteAddress ?? "",
    file: sample.objectKey ?? "",
    error: sample.outcome === "ok" ? "" : (sample.errorCode ?? sample.outcome),
    start: formatInstant(startedAtMs),
    first_byte: phases.headersMs === undefined ? "" : formatInstant(startedAtMs + phases.headersMs),
    last_byte: "",
    end: formatInstant(startedAtMs + wireMs),
    duration_ns: String(Math.round(wireMs * 1e6)),
    cat: "0",
  };
  return warpColumns.map((column) => quoted(cells[column], "\t")).join("\t");
}
