/** Exports drive measurements in the formats of other tools. */
import type { DiskCellResult, DiskLatency } from "@stashlight/contracts/disk";

const KIB = 1024;
const NS_PER_US = 1_000;

/** A run on a drive without its samples. */
export interface ExportedCells {
  readonly tool: string;
  readonly startedAtMs: number;
  readonly fileBytes: number;
  readonly cells: readonly DiskCellResult[];
}

/**
 * Returns one job per cell, in the form of fio's `--output-format=json`. The shortest latency, deviations and the bins
 * of json+ are unknown, so they are left out.
 */
export function renderFioJson({ tool, startedAtMs, fileBytes, cells }: ExportedCells): string {
  const document = {
    "fio version": tool,
    timestamp: Math.floor(startedAtMs / 1_000),
    timestamp_ms: startedAtMs,
    "global options": { size: String(fileBytes), direct: "1" },
    jobs: cells.map((result, place) => ({
      jobname: jobName(result, place),
      error: 0,
      "job options": {
        rw: fioReadWrite(result),
        bs: String(result.cell.blockBytes),
        iodepth: String(result.cell.queueDepth),
        ...(result.cell.syncsWrites ? { fdatasync: "1" } : {}),
      },
      read: renderDirection(result, "read"),
      write: renderDirection(result, "write"),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns one line per second, as `--write_iops_log` and `--write_lat_log` with `--log_avg_msec=1000` write it. */
export function renderFioLogs({ cells }: ExportedCells): { readonly name: string; readonly text: string }[] {
  return cells.flatMap((result, place) => {
    const { iops, meanUs } = result.perSecond;
    const direction = result.cell.readShare >= 0.5 ? 0 : 1;
    const line = (second: number, value: number): string =>
      `${(second + 1) * 1_000}, ${Math.round(value)}, ${direction}, ${result.cell.blockBytes}, 0\n`;
    const job = jobName(result, place);
    return [
      { name: `${job}_iops.1.log`, text: iops.map((rate, second) => line(second, rate)).join("") },
      {
        name: `${job}_lat.1.log`,
        text: meanUs
          .map((us, second) => ((iops[second] ?? 0) === 0 ? "" : line(second, us * NS_PER_US)))
          .join(""),
      },
    ];
  });
}

const tests = [
  ["sequential", "write", 6],
  [null, "rewrite", 8],
  ["sequential", "read", 8],
  [null, "reread", 8],
  ["random", "read", 8],
  ["random", "write", 9],
] as const;
const HEADER = `${"kB".padStart(16)}${"reclen".padStart(8)}${tests.map(([, word]) => word.padStart(9)).join("")}`;

/**
 * Returns iozone's table in kB (of 1,024) per second, as `iozone -a -i0 -i1 -i2` prints it, one table per queue depth,
 * which iozone itself does not have. Tests that were not run are blank; of several runs it shows the median.
 */
export function renderIozoneTable({ tool, fileBytes, cells }: ExportedCells): string {
  const pure = cells.filter(
    ({ cell }) => !cell.syncsWrites && (cell.readShare === 0 || cell.readShare === 1),
  );
  const byDepth = [...Map.groupBy(pure, ({ cell }) => cell.queueDepth)].sort(([a], [b]) => a - b);
  const tables = byDepth.map(([queueDepth, ofDepth]) => {
    const bySize = [...Map.groupBy(ofDepth, ({ cell }) => cell.blockBytes)].sort(([a], [b]) => a - b);
    const lines = bySize.map(([blockBytes, ofSize]) => {
      const columns = tests.map(([access, word]) => {
        const rates = ofSize
          .filter(({ cell }) => cell.access === access && cell.readShare === (word === "read" ? 1 : 0))
          .map(
            ({ readsPerSecond, writesPerSecond }) => ((readsPerSecond + writesPerSecond) * blockBytes) / KIB,
          )
          .sort((a, b) => a - b);
        const median = rates[Math.floor((rates.length - 1) / 2)];
        return (median === undefined ? "" : String(Math.round(median))).padStart(9);
      });
      const sizes = `${String(Math.round(fileBytes / KIB)).padStart(16)}${String(Math.round(blockBytes / KIB)).padStart(8)}`;
      return `${sizes}${columns.join("")}`.trimEnd();
    });
    return [`        Queue depth ${queueDepth}`, HEADER, ...lines, ""].join("\n");
  });
  return `        Iozone's table, written by ${tool}\n        Output is in kBytes/sec\n\n${tables.join("\n")}`;
}

function jobName({ cell }: DiskCellResult, place: number): string {
  return `${String(place + 1).padStart(3, "0")}-${rwOfCell(cell)}-${cell.blockBytes}-qd${cell.queueDepth}`;
}

const fioReadWrite = ({ cell }: DiskCellResult): string => rwOfCell(cell);

function rwOfCell({ access, readShare }: DiskCellResult["cell"]): string {
  const verb = readShare === 1 ? "read" : readShare === 0 ? "write" : "rw";
  return access === "random" ? `rand${verb}` : verb;
}

function renderDirection(result: DiskCellResult, direction: "read" | "write") {
  const { cell, seconds } = result;
  const rate = direction === "read" ? result.readsPerSecond : result.writesPerSecond;
  const latency = result[direction];
  const latencies = fioLatency(latency);
  return {
    io_bytes: latency.n * cell.blockBytes,
    bw_bytes: Math.round(rate * cell.blockBytes),
    bw: Math.round((rate * cell.blockBytes) / KIB),
    iops: rate,
    runtime: Math.round(seconds * 1_000),
    total_ios: latency.n,
    lat_ns: latencies,
  };
}

function fioLatency({ n, meanUs, p50Us, p99Us, p999Us, maxUs }: DiskLatency) {
  const ns = (us: number): number => Math.round(us * NS_PER_US);
  const percentiles = [
    ["50.000000", p50Us],
    ["99.000000", p99Us],
    ["99.900000", p999Us],
  ] as const;
  const known = percentiles.flatMap(([key, us]) => (us === null ? [] : [[key, ns(us)] as const]));
  return {
    ...(maxUs === null ? {} : { max: ns(maxUs) }),
    ...(meanUs === null ? {} : { mean: ns(meanUs) }),
    N: n,
    ...(known.length === 0 ? {} : { percentile: Object.fromEntries(known) }),
  };
}
