import assert from "node:assert/strict";

const RUN_ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const RUN_PREFIX = new RegExp(`(?:^|/)stashlight-${RUN_ID}/$`);

/** Below which a run writes, and nothing else does: `<prefix>/stashlight-<run id>/`. */
export function runPrefixOf(prefix: string, runId: string): string {
  assert.match(runId, new RegExp(`^${RUN_ID}$`), "The id of a run is a UUID.");
  const folder = prefix.replace(/\/+$/, "");
  return `${folder}${folder === "" ? "" : "/"}stashlight-${runId}/`;
}

/** Whether this is the prefix of one run, so that all below it may be deleted. */
export function isRunPrefix(prefix: string): boolean {
  return RUN_PREFIX.test(prefix);
}
