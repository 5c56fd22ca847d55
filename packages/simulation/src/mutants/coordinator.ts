import { mutantsIn } from "./mutant.ts";

/** Mistakes in counting promises, deciding outcomes and answering reads. */
export const coordinatorMutants = mutantsIn("coordinator", [
  {
    name: "ack-one-written-short",
    find: "if (writtenCount >= acknowledge && durableCount >= acknowledge) {",
    replace: "if (writtenCount >= acknowledge - 1 && durableCount >= acknowledge) {",
    breaks: "an acknowledged upload is missing on at most one pod",
  },
  {
    name: "ack-one-durable-short",
    find: "if (writtenCount >= acknowledge && durableCount >= acknowledge) {",
    replace: "if (writtenCount >= acknowledge && durableCount >= acknowledge - 1) {",
    breaks: "an acknowledged upload has q durable shards",
  },
  {
    name: "ack-without-stash",
    find: "if (writtenCount >= acknowledge && durableCount >= acknowledge) {",
    replace: "if (writtenCount >= acknowledge) {",
    breaks: "an acknowledgement rests on durable shards, not on page caches",
  },
  {
    name: "full-stash-counts-as-durable",
    find: 'attempt.stash[shardIndex] = result === "durable" ? "durable" : "failed";',
    replace: 'attempt.stash[shardIndex] = "durable";',
    breaks: "a device that refused a shard does not count for the quorum",
  },
  {
    name: "tombstone-not-durable",
    find: 'return attempt.pods.map((outcome, i) => outcome === "durable" || attempt.stash[i] === "durable");',
    replace:
      'return attempt.pods.map((outcome, i) => attempt.upload.kind === "tombstone" || outcome === "durable" || attempt.stash[i] === "durable");',
    breaks: "a tombstone is durable before the reply, so recovery cannot restore the object",
  },
  {
    name: "confirmation-skipped",
    find: "restingPods(attempt).every((i) => attempt.confirmations.get(i))",
    replace: "restingPods(attempt).every(() => true)",
    breaks: "a shard that is only in a page cache is confirmed before it counts",
  },
  {
    name: "silent-quorum-called-live",
    find: 'tell(state, resolution, "unknown", ({ type }) => type === "put");',
    replace: 'tell(state, resolution, "live", ({ type }) => type === "put");',
    breaks: 'a client is answered "stored" only about an upload with q durable shards',
  },
  {
    name: "conditional-straight-to-stash",
    find: 'isConditional ? "voting" : "stash"',
    replace: '"stash"',
    breaks: "a conditional write that loses leaves no shards on the stash",
  },
  {
    name: "conditional-tries-a-device",
    find: "const due = isConditional ? [] : dueDevices(state, nowMs);",
    replace: "const due = dueDevices(state, nowMs);",
    breaks: "a conditional write that loses leaves no shards on the stash",
  },
  {
    name: "failure-told-before-the-end",
    find: 'return resolve(state, attempt.upload, { type: "put", uploadId }, true, nowMs);',
    replace:
      'state.puts.delete(uploadId); return [{ type: "answerPut", token: attempt.token, outcome: failureOf(state, attempt) }];',
    breaks: "an upload that was reported to a client as not stored never appears later",
  },
  {
    name: "unknown-end-told-as-failure",
    find: 'outcome: end === "dead" ? failureOf(state, attempt) : { type: "unavailable" }',
    replace: "outcome: failureOf(state, attempt)",
    breaks: "a client is notified of a conflict only if its upload is dead",
  },
  {
    name: "complete-with-straggler",
    find: "const isWritten = attempt.pods.every(hasWritten);",
    replace: "const isWritten = attempt.pods.filter(hasWritten).length >= state.quorums.acknowledge;",
    breaks: "complete means n of n shards, so a pod that lacks its shard still gets it",
  },
  {
    name: "read-with-one-pod-fewer",
    find: "answers.filter((answer) => answer.isSettled).length >= discover",
    replace: "answers.filter((answer) => answer.isSettled).length >= discover - 1",
    breaks: "every object is known to one of any m + 1 settled pods, but not of any m",
  },
  {
    name: "read-from-unsettled-pods",
    find: "answers.filter((answer) => answer.isSettled).length >= discover",
    replace: "answers.length >= discover",
    breaks: "a pod that has not settled does not count for a read",
  },
  {
    name: "show-without-settling",
    find: "if (views.some((view) => view.isCommitted && view.upload.uploadId === chosen.uploadId)) {",
    replace: "if (views.some((view) => view.upload.uploadId === chosen.uploadId)) {",
    breaks: "a version that is not proved committed is decided before it is shown",
  },
  {
    name: "first-version-shown",
    find: "best === undefined || upload.order > best.order ? upload : best",
    replace: "best ?? upload",
    breaks: "a GET returns the version with the highest order",
  },
  {
    name: "read-falls-through-tombstone",
    find: "const chosen = highest(uploads.filter(({ uploadId }) => !read.dead.has(uploadId)));",
    replace:
      'const chosen = highest(uploads.filter(({ uploadId, kind }) => kind === "object" && !read.dead.has(uploadId)));',
    breaks: "a deleted object stays deleted",
  },
  {
    name: "shards-of-two-uploads-mixed",
    find: "read.shards.clear();",
    replace: "",
    breaks: "shards of two uploads are never mixed",
  },
  {
    name: "list-from-too-few-pods",
    find: "if (!isDiscovered(state, pods.values(), stash.size)) return [];",
    replace: "if (pods.size === 0) return [];",
    breaks: "a LIST is the union of the lists of enough settled pods",
  },
  {
    name: "list-digests-taken-for-alike",
    find: "if (said.digest === digest) listing.listed.set(podIndex, { isSettled, page });",
    replace: "listing.listed.set(podIndex, { isSettled, page });",
    breaks: "a LIST is the union of the lists of enough settled pods",
  },
  {
    name: "list-without-settling",
    find: "if (open.length > 0) {",
    replace: "if (open.length < 0) {",
    breaks: "a LIST proves each version before it shows it",
  },
  {
    name: "live-below-k",
    find: "if (resolution.isCommitted || resolution.isNoted || count.isLost || count.durable.length >= decode) {",
    replace:
      "if (resolution.isCommitted || resolution.isNoted || count.isLost || count.durable.length >= decode - 1) {",
    breaks: "k durable shards prove that an upload lives, but k - 1 do not",
  },
  {
    name: "dead-by-m-promises",
    find: "if (count.refused.length >= bury) return becomeDead(",
    replace: "if (count.refused.length >= refuse - 1) return becomeDead(",
    breaks: "m + 1 promises prove that an upload is dead, but m do not",
  },
  {
    name: "dead-before-promises-are-spread",
    find: "if (count.refused.length >= bury) return becomeDead(",
    replace: "if (count.refused.length >= refuse) return becomeDead(",
    breaks: "an upload that was declared dead stays dead when m - 1 nodes lose their media",
  },
  {
    name: "stored-below-quorum",
    find: 'type === "put" ? durableCount >= acknowledge : isShown',
    replace: "isShown",
    breaks: 'a coordinator answers "stored" only if q shards are durable',
  },
  {
    name: "superseded-told-as-dead",
    find: 'tell(state, resolution, "superseded");',
    replace: 'tell(state, resolution, "dead");',
    breaks: "a version that may have been shown is not declared dead",
  },
  {
    name: "unknown-told-as-dead",
    find: "endUnknown(state, resolution);\n    return [];\n  }\n  // While",
    replace:
      'forget(state, resolution);\n    tell(state, resolution, "dead");\n    return [];\n  }\n  // While',
    breaks: "an upload whose outcome could not be proved is not declared dead",
  },
  {
    name: "coordinator-keeps-old-epoch",
    find: "if (config.epoch <= state.config.epoch) return [];",
    replace: "return [];",
    breaks: "a running coordinator learns of a new epoch, and uploads continue",
  },
  {
    name: "overwrite-noted-at-k-shards",
    find: "return isCommitted || durable.length >= quorums.acknowledge;",
    replace: "return isCommitted || durable.length >= quorums.decode;",
    breaks: "a version is kept until the one that replaces it survives as many lost drives",
  },
  {
    name: "group-without-end",
    folder: "",
    find: "truncatedAfter: end };",
    replace: "truncatedAfter: null };",
    breaks: "a list that ends inside a common prefix can be continued there",
  },
]);
