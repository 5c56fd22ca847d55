/**
 * Reports which processes of `npm start` are steady. A node of the vault does this, because it runs independently of
 * the others, and keeps its reports until the ingest and the database are back.
 */
import { readFileSync } from "node:fs";
import { type PartsState, parseParts } from "@stashlight/contracts/health";
import type { GaugeHandle, Recorder } from "@stashlight/telemetry";

export function followParts(recorder: Recorder, path: string): void {
  const shown = new Map<string, GaugeHandle>();
  recorder.onRead(() => {
    for (const gauge of shown.values()) gauge.set(null);
    for (const { name, failingSinceMs } of readParts(path)) {
      const gauge = recorder.gauge("stashlight_process_steady", { process: name });
      shown.set(name, gauge);
      gauge.set(failingSinceMs === null ? 1 : 0);
    }
  });
}

/** Empty if the file does not exist. */
function readParts(path: string): PartsState["parts"] {
  try {
    return parseParts(readFileSync(path, "utf8"))?.parts ?? [];
  } catch {
    return [];
  }
}
