import { mutantsIn } from "./mutant.ts";

/** Mistakes in voting, flushing, promising and rejoining. */
export const podMutants = mutantsIn("pod", [
  {
    name: "order-check-dropped",
    find: 'if (top && upload.order <= top.upload.order) return "order";',
    replace: "",
    breaks: "a pod refuses an order that is not above that of the key's newest version",
  },
  {
    name: "condition-check-dropped",
    find: 'return isMet(condition, top?.upload.kind === "object" ? top.upload : null) ? null : "condition";',
    replace: "return null;",
    breaks: "a conditional write happens only when its condition holds",
  },
  {
    name: "contested-key-voted-for",
    find: 'if (top && top.outcome === null) return "contested";',
    replace: "",
    breaks: "a pod votes for at most one of two conflicting attempts",
  },
  {
    name: "unsettled-pod-takes-puts",
    find: 'if (state.lifecycle !== "settled") return "unsettled";',
    replace: "",
    breaks: "a pod that does not know what it lost does not vote",
  },
  {
    name: "promise-broken",
    find: 'if (state.refused.has(upload.uploadId)) return "fenced";',
    replace: "",
    breaks: "a promise never to take an upload is kept",
  },
  {
    name: "written-called-durable",
    find: 'const result = entry.state === "durable" ? "durable" : "written";',
    replace: 'const result = "durable";',
    breaks: "durable means fsynced",
  },
  {
    name: "flush-covers-later-writes",
    find: "const covered = state.flushing.filter(",
    replace: "const covered = [...state.flushing, ...state.dirty.splice(0)].filter(",
    breaks: "an fdatasync covers only what was written before it began",
  },
  {
    name: "purge-before-flush-ended",
    find: 'return [{ type: "flush" }];',
    replace:
      'const begun = state.flushing; const early = flushed(state); state.flushing = begun.map((entry) => ({ ...entry, state: "written", waiting: null })); return [{ type: "flush" }, ...early];',
    breaks: "a purge is sent after the fdatasync has ended, not when it begins",
  },
  {
    name: "failed-fsync-taken-for-done",
    find: 'return halt(state, "fdatasync failed: what was written since the last one may be gone");',
    replace: "return flushed(state);",
    breaks: "nothing is purged after an fsync error",
  },
  {
    name: "superseded-dropped-before-committed",
    find: 'versions.findLastIndex((other) => other.state === "durable" && other.outcome !== null)',
    replace: 'versions.findLastIndex((other) => other.state === "durable")',
    breaks: "an older version is dropped only below a committed one",
  },
  {
    name: "refusal-not-persisted",
    find: 'return [...killed, { type: "persistRefusal", refusal: { uploadId, isKnowing, order } }];',
    replace:
      "state.refused.set(uploadId, { isDurable: true, isKnowing, order, waiters: [] }); return [...killed, answerProbe(state, waiter)];",
    breaks: "a promise outlives a power cut",
  },
  {
    name: "refusal-forgotten-at-start",
    find: "state.refused.set(uploadId, { isDurable: true, isKnowing, order, waiters: [] });",
    replace: "void [isKnowing, order];",
    breaks: "a promise outlives a restart",
  },
  {
    name: "superseded-by-uncommitted",
    find: "versions.findLast((entry) => entry.outcome !== null)?.upload.order",
    replace: "versions.at(-1)?.upload.order",
    breaks: "only a committed version supersedes",
  },
  {
    name: "complete-without-holding",
    find: 'const isComplete = outcome === "complete" && holdsShard(entry);',
    replace: 'const isComplete = outcome === "complete";',
    breaks: "a pod that lost its shard asks for it until it has it again",
  },
  {
    name: "ends-never-asked-for",
    find: "if (nowMs - entry.bornMs < afterMs * 2 ** doublings) continue;",
    replace: "continue;",
    breaks: "an upload whose coordinator died is decided",
  },
  {
    name: "rotten-shard-not-repaired",
    find: "state.unreadable.delete(uploadId);\n  state.unresolved.set(uploadId, entry);",
    replace: "state.unreadable.delete(uploadId);",
    breaks: "a shard that fails its checksum is repaired",
  },
  {
    name: "only-newest-version-told",
    find: ".slice(Math.max(0, committed))",
    replace: ".slice(-1)",
    breaks: "readers learn of every version down to a committed one",
  },
  {
    name: "settled-without-comparing",
    find: 'state.lifecycle = "comparing";',
    replace: 'state.lifecycle = "settled";',
    breaks: "a returning pod knows of every upload before its silence counts",
  },
  {
    name: "known-forgotten",
    find: "if (arrival !== undefined) continue;",
    replace: "if (nowMs >= 0) continue;",
    breaks: "a pod never takes its own silence for absence",
  },
  {
    name: "digests-taken-for-alike",
    find: "const isDone = buckets.length === 0;",
    replace: "const isDone = true;",
    breaks: "index buckets that differ from a peer's are read",
  },
  {
    name: "compare-with-one-peer",
    find: "compared < Math.min(shardCount - 1, Math.max(discover, silent + 2))",
    replace: "compared < Math.min(1, shardCount, discover, silent + 2)",
    breaks: "a returning pod compares with m + 1 peers",
  },
  {
    name: "handoff-purged-before-durable",
    find: 'else if (present.state === "durable") effects.push(...purgeSoon(state, present, deviceId));',
    replace: 'else if (present.state !== "appending") effects.push(...purgeSoon(state, present, deviceId));',
    breaks: "a shard handed over is purged after its flush",
  },
  {
    name: "handoff-of-another-pod-taken",
    find: "if (shard.shardIndex !== state.identity.podIndex) countRefusal(state, ",
    replace: "if (shard.shardIndex < 0) countRefusal(state, ",
    breaks: "pod i holds shard i and no other",
  },
  {
    name: "other-bytes-taken",
    find: "if (shard.shardIndex !== state.identity.podIndex) return",
    replace: "if (shard.shardIndex < 0) return",
    breaks: "pod i holds shard i and no other",
  },
  {
    name: "discard-without-proof-on-pod",
    find: 'if (!isDeathProof(proof, upload, quorumsOf(state.config.scheme), "refuse") || isRefuted) {',
    replace: "if (isRefuted) {",
    breaks: "a pod drops a shard only on a proof",
  },
  {
    name: "pod-keeps-old-epoch",
    find: "if (config.epoch <= state.config.epoch) return [];",
    replace: "return [];",
    breaks: "a running pod learns of a new epoch, and accepts its uploads",
  },
  {
    name: "rebuilds-without-asking",
    find: "    taken.push(entry);\n",
    replace: "",
    breaks: "a pod gets back every shard that it lacks",
  },
]);
