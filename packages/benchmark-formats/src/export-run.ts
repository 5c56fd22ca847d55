import { zstdCompressSync } from "node:zlib";
import { quoted } from "./delimited.ts";
import { renderFioJson, renderFioLogs, renderIozoneTable } from "./drive-exports.ts";
import { type ExportedFile, type ExportedRun, groupSamples } from "./exported-run.ts";
import { renderHgrm } from "./hgrm.ts";
import { renderOpenMetrics } from "./openmetrics.ts";
import { OWN_FORMAT, OWN_VERSION } from "./own.ts";
import { formatCell, sampleColumns } from "./sample-columns.ts";
import { renderWarpTsv } from "./warp-tsv.ts";

const exportFormats = ["json", "csv", "warp", "hgrm", "openmetrics", "fio", "iozone"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Exports a run as files. JSON and CSV contain all samples and can be read back unchanged; other formats contain what
 * their readers support. There is one .hgrm for each operation, size, number of connections and endpoint, and one file
 * of any other format; fio also has two logs per cell. Only runs on drives have cells, and other runs have no files of
 * fio or iozone.
 */
export function exportRun(run: ExportedRun, format: ExportFormat): ExportedFile[] {
  const stem = fileStem(run.name);
  const text = "text/plain; charset=utf-8";
  switch (format) {
    case "json":
      return [file(`${stem}.json`, "application/json", renderJson(run))];
    case "csv":
      return [file(`${stem}.csv`, "text/csv; charset=utf-8", renderCsv(run))];
    case "warp":
      return [
        {
          name: `${stem}.csv.zst`,
          mediaType: "application/zstd",
          bytes: zstdCompressSync(new TextEncoder().encode(renderWarpTsv(run))),
        },
      ];
    case "hgrm":
      return groupSamples(run).map((group, i) =>
        file(
          `${stem}-${i + 1}-${group.operation.toLowerCase()}-${group.sizeBytes}-${group.connectionCount}.hgrm`,
          text,
          renderHgrm(group),
        ),
      );
    case "fio":
      if (run.drive === null) return [];
      return [
        file(`${stem}.fio.json`, "application/json", renderFioJson(run.drive)),
        ...renderFioLogs(run.drive).map((log) => file(log.name, text, log.text)),
      ];
    case "iozone":
      return run.drive === null ? [] : [file(`${stem}.iozone.txt`, text, renderIozoneTable(run.drive))];
    case "openmetrics":
      return [
        file(
          `${stem}.openmetrics.txt`,
          "application/openmetrics-text; version=1.0.0; charset=utf-8",
          renderOpenMetrics(run),
        ),
      ];
  }
}

function file(name: string, mediaType: string, text: string): ExportedFile {
  return { name, mediaType, bytes: new TextEncoder().encode(text) };
}

/** Writes one sample per line, so that two runs can be compared line by line. */
function renderJson({ name, tool, details, connectionCounts, samples }: ExportedRun): string {
  const known = { format: OWN_FORMAT, version: OWN_VERSION, name, tool, details };
  const head = JSON.stringify(connectionCounts.length === 0 ? known : { ...known, connectionCounts });
  const lines = samples.map((sample) => JSON.stringify(sample));
  return `${head.slice(0, -1)},"samples":[\n${lines.join(",\n")}\n]}\n`;
}

function renderCsv({ samples }: ExportedRun): string {
  const rows = samples.map((sample) =>
    sampleColumns.map((column) => quoted(formatCell(sample, column), ",")).join(","),
  );
  return `${[sampleColumns.join(","), ...rows].join("\r\n")}\r\n`;
}

function fileStem(name: string): string {
  const stem = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[-.]+|-+$/g, "");
  return stem === "" ? "run" : stem.slice(0, 80);
}
