import assert from "node:assert/strict";

const RUN_ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const RUN_PREFIX = new RegExp(`(?:^|/)stashlight-${RUN_ID}/$`);

/** Prefix of everything that a run writes, and of nothing else: `<prefix>/stashlight-<run id>/`. */
export function buildRunPrefix(prefix: string, runId: string): string {
  assert.match(runId, new RegExp(`^${RUN_ID}$`), "The id of a run is a UUID.");
  const folder = prefix.replace(/\/+$/, "");
  return `${folder}${folder === "" ? "" : "/"}stashlight-${runId}/`;
}

/** True for the prefix of a single run, below which everything may be deleted. */
export function isRunPrefix(prefix: string): boolean {
  return RUN_PREFIX.test(prefix);
}
