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
    breaks: "a tombstone is durable before the reply, or recovery raises the dead",
  },
  {
    name: "confirmation-skipped",
    find: "restingPods(attempt).every((i) => attempt.confirmations.get(i))",
    replace: "restingPods(attempt).every(() => true)",
    breaks: "a shard that rests on a page cache alone is confirmed before it counts",
  },
  {
    name: "silent-quorum-called-live",
    find: 'tell(state, resolution, "unknown", ({ type }) => type === "put");',
    replace: 'tell(state, resolution, "live", ({ type }) => type === "put");',
    breaks: 'an author hears "stored" only of what has q durable shards',
  },
  {
    name: "conditional-straight-to-stash",
    find: 'isConditional ? "voting" : "stash"',
    replace: '"stash"',
    breaks: "a loser's shards are not on the stash to be found after a power cut",
  },
  {
    name: "conditional-tries-a-device",
    find: "const due = isConditional ? [] : dueDevices(state, nowMs);",
    replace: "const due = dueDevices(state, nowMs);",
    breaks: "a loser's shards are not on the stash to be found after a power cut",
  },
  {
    name: "failure-told-before-the-end",
    find: 'return resolve(state, attempt.upload, { type: "put", uploadId }, true, nowMs);',
    replace:
      'state.puts.delete(uploadId); return [{ type: "answerPut", token: attempt.request.token, outcome: failureOf(state, attempt) }];',
    breaks: "nothing that was answered with no appears later",
  },
  {
    name: "unknown-end-told-as-failure",
    find: 'outcome: end === "dead" ? failureOf(state, attempt) : { type: "unavailable" }',
    replace: "outcome: failureOf(state, attempt)",
    breaks: "a client hears of a conflict only when nothing happened",
  },
  {
    name: "complete-with-straggler",
    find: "const isWritten = attempt.pods.every(hasWritten);",
    replace: "const isWritten = attempt.pods.filter(hasWritten).length >= state.quorums.acknowledge;",
    breaks: "complete means n of n, and a straggler is brought back",
  },
  {
    name: "read-with-one-pod-fewer",
    find: "answers.filter((answer) => answer.isSettled).length >= discover",
    replace: "answers.filter((answer) => answer.isSettled).length >= discover - 1",
    breaks: "m + 1 settled pods know every object, m do not",
  },
  {
    name: "read-from-unsettled-pods",
    find: "answers.filter((answer) => answer.isSettled).length >= discover",
    replace: "answers.length >= discover",
    breaks: "a pod that has not replayed does not count for a read",
  },
  {
    name: "show-without-settling",
    find: "if (views.some((view) => view.isCommitted && view.upload.uploadId === chosen.uploadId)) {",
    replace: "if (views.some((view) => view.upload.uploadId === chosen.uploadId)) {",
    breaks: "what a reader cannot prove committed it settles before it shows it",
  },
  {
    name: "first-version-shown",
    find: "best === undefined || upload.order > best.order ? upload : best",
    replace: "best ?? upload",
    breaks: "a GET takes the highest version order",
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
    breaks: "a LIST is the union of enough settled pods",
  },
  {
    name: "list-digests-taken-for-alike",
    find: "if (said.digest === digest) listing.listed.set(podIndex, { isSettled, page });",
    replace: "listing.listed.set(podIndex, { isSettled, page });",
    breaks: "a LIST is the union of enough settled pods",
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
    breaks: "k durable shards prove that an upload lives, k - 1 do not",
  },
  {
    name: "dead-by-m-promises",
    find: "if (count.refused.length >= bury) return becomeDead(",
    replace: "if (count.refused.length >= refuse - 1) return becomeDead(",
    breaks: "m + 1 promises prove that an upload is dead, m do not",
  },
  {
    name: "dead-before-promises-are-spread",
    find: "if (count.refused.length >= bury) return becomeDead(",
    replace: "if (count.refused.length >= refuse) return becomeDead(",
    breaks: "an upload that was called dead stays so when media of m - 1 nodes are lost",
  },
  {
    name: "stored-below-quorum",
    find: 'type === "put" ? durableCount >= acknowledge : isShown',
    replace: "isShown",
    breaks: "an author answers stored with q durable shards alone",
  },
  {
    name: "superseded-told-as-dead",
    find: 'tell(state, resolution, "superseded");',
    replace: 'tell(state, resolution, "dead");',
    breaks: "a version that may have been shown is not called one that never was",
  },
  {
    name: "unknown-told-as-dead",
    find: "endUnknown(state, resolution);\n    return [];\n  }\n  // While",
    replace:
      'forget(state, resolution);\n    tell(state, resolution, "dead");\n    return [];\n  }\n  // While',
    breaks: "an upload whose end could not be proved is not called dead",
  },
  {
    name: "coordinator-keeps-old-epoch",
    find: "if (config.epoch <= state.config.epoch) return [];",
    replace: "return [];",
    breaks: "a coordinator that runs learns of another epoch, and uploads go on",
  },
  {
    name: "overwrite-noted-at-k-shards",
    find: "return isCommitted || durable.length >= quorums.acknowledge;",
    replace: "return isCommitted || durable.length >= quorums.decode;",
    breaks: "what an overwrite replaces is kept until the overwrite outlives as many lost drives",
  },
  {
    name: "group-without-end",
    folder: "",
    find: "truncatedAfter: end };",
    replace: "truncatedAfter: null };",
    breaks: "a list ends inside a common prefix of which it shows nothing",
  },
]);
