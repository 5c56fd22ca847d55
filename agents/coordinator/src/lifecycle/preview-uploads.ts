/** Counts the multipart uploads that rules would abort now, with their parts. */
import { abortingPrefix, findAbort } from "@stashlight/s3/lifecycle";
import { SEPARATOR, UPLOADS } from "../records/multipart-records.ts";
import { modifiedMsOf } from "../store/metadata.ts";
import { measureUpload } from "../store/multipart.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { addTo, type DueCount, type DueQuestion, NOTHING, type Tally } from "./preview-tally.ts";

const PAGE_KEY_COUNT = 1000;

/** Leaves out uploads that are aborted by default. Rejects with a VaultError. */
export async function countAborted(
  { vault, steadyMs }: { readonly vault: Pick<VaultVerbs, "list">; readonly steadyMs: () => number },
  { bucket, rules, timeMs, untilMs }: DueQuestion,
): Promise<DueCount> {
  const tallies = new Map<string, Tally>();
  const prefix = abortingPrefix(rules);
  let isTruncated = prefix !== null;
  for (let after = ""; isTruncated; ) {
    const range = { prefix: `${bucket}${SEPARATOR}${prefix}`, after, keyCountMax: PAGE_KEY_COUNT };
    const page = await vault.list(UPLOADS, range);
    for (const upload of page.uploads) {
      if (steadyMs() >= untilMs) return { tallies, isWhole: false };
      const [, key = "", uploadId = ""] = upload.key.split(SEPARATOR);
      const atMs = modifiedMsOf(upload);
      const { ruleId, dueMs } = findAbort(rules, { key, initiatedMs: atMs });
      if (dueMs > timeMs || !rules.some(({ id }) => id === ruleId)) continue;
      const bytes = await measureUpload(vault, uploadId);
      tallies.set(ruleId, addTo(tallies.get(ruleId) ?? NOTHING, { bytes, atMs }));
    }
    ({ isTruncated } = page);
    after = page.uploads.at(-1)?.key ?? after;
  }
  return { tallies, isWhole: true };
}
