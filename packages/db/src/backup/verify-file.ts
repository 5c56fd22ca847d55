/** Verifies a whole backup before it is used. */
import type { BackupEnd } from "./chunk-format.ts";
import { cutOffOrChanged } from "./failures.ts";
import { isMetricTable } from "./metric-tables.ts";
import type { BackupFile } from "./read-file.ts";

/** Reads the whole file and returns its digest. */
export async function verifyWhole(file: BackupFile, path: string): Promise<Buffer> {
  const counts = { rowCount: 0, metricRowCount: 0 };
  const items = file.read();
  let end: BackupEnd | undefined;
  let isMetrics = false;
  for (;;) {
    const next = await items.next();
    if (next.done === true) {
      assertCounts(end, counts, path);
      return next.value;
    }
    const item = next.value;
    if (item.type === "table") isMetrics = isMetricTable(item.table);
    else if (item.type === "end") end = item.end;
    else {
      counts.rowCount += 1;
      if (isMetrics) counts.metricRowCount += 1;
    }
  }
}

export function assertCounts(
  end: BackupEnd | undefined,
  { rowCount, metricRowCount }: { readonly rowCount: number; readonly metricRowCount: number },
  path: string,
): asserts end is BackupEnd {
  if (end?.rowCount === rowCount && (end.metricRowCount ?? 0) === metricRowCount) return;
  throw cutOffOrChanged(path, "the number of its rows differs from the one at its end");
}
