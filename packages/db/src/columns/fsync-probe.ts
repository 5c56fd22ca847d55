import { measurableDriveSchema } from "@stashlight/contracts/disk";
import { fsyncProbeStates, fsyncResultSchema } from "@stashlight/contracts/probe";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

export const probeDriveColumns = {
  benchmark: jsonColumn("probe_drive.benchmark", measurableDriveSchema),
};

export const fsyncProbeColumns = {
  state: wordColumn("fsync_probe.state", fsyncProbeStates),
  result: jsonColumn("fsync_probe.result", fsyncResultSchema),
};
