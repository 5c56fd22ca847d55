/** Terms of Stashlight in code, console and documents. `pnpm docs:glossary` writes the document. */

/** Meanings by term, in alphabetical order. Backticks mark names of code. */
export const glossary = {
  Acknowledgement:
    "The 200 that a client gets for an upload, once a quorum of pods and of stash devices has the shards.",
  Agent: "The process on a node: pod, stash, coordinator, probe or host.",
  Annotation: "A mark that a person or a script put on the charts, such as a deploy.",
  Batch: "What an agent measured in one window, sent to the ingest as one request.",
  Coordinator: "The node that speaks S3, encodes objects into shards and counts the quorum.",
  "Delay correlation":
    "How strongly the delays of one upload's shards are correlated, from 0 (independent) to 1.",
  "Direct path":
    "The path of uploads that bypass the stash: they are acknowledged when their shards are synced on the pods.",
  Durable: "Kept through a power cut: the write was synced to the medium.",
  "Durable margin": "The durable shards of an upload beyond those that are needed to read it.",
  DWPD: "Drive writes per day: how often a drive's whole capacity may be written each day of its warranty.",
  Epoch: "The version of a vault's placement. It rises when a drive is replaced.",
  Fill: "The share of a vault's capacity for objects that is used, without parity, garbage and the reserve for deletes. At 100 % uploads are refused.",
  fsync:
    "The call that makes written data durable. The code and the charts mean `fdatasync`, which leaves out timestamps.",
  Gap: "A time for which nothing was reported. It is drawn as a gap, never as zero.",
  Headroom: "The share by which load may grow until the installed stash no longer suffices.",
  Host: "An agent that watches the drives and file systems of any Linux machine.",
  Ingest: "The process that receives batches from agents over HTTP and stores them.",
  Inhibition: "An alert is shown but not sent, because another alert that explains it is firing.",
  "Maintenance window": "A planned time in which alerts are recorded but not sent.",
  Modelled: "Measured on a drive whose timing imitates one of the catalogue, not on the machine's own.",
  Occupancy: "The share of the stash that unpurged shards take.",
  "Parity shard": "A shard beyond the data shards; any k of the n shards of an object restore it.",
  Piece: "A part of a large object that is stored as an upload of its own.",
  Pod: "An HDD node. It writes shards to the page cache, answers, and syncs later.",
  Probe: "An agent that runs benchmarks, and measures how fast drives sync, on its own machine.",
  Purge: "The removal of a shard from the stash, once it is durable on its pod.",
  "Purge lag": "The time from a shard being durable on the stash to its purge.",
  Quorum: "How many nodes must have answered before a step counts: n - 1 of n for an acknowledgement.",
  Scheme: "How objects are split, such as 16+4: 16 data and 4 parity shards.",
  Segment: "A fixed part of a shard log's file. Space is freed by whole segments.",
  Shard: "One of the n parts into which an upload is encoded.",
  Shed: "Refused at once with 503 SlowDown, because the vault has more work than it can do in time.",
  Simulated: "Reported by a node of the simulated fleet; no drive and no client is behind it.",
  Slot: "One occurrence of a benchmark's schedule. Its runs, one for each endpoint, are compared in pairs.",
  Stall: "A single sync that took longer than a threshold.",
  Stash: "The SSD nodes on which small uploads land before the pods have them durable.",
  Stripe: "The n shards that belong together: k of data, computed from the same bytes, and n - k of parity.",
  Tombstone: "The record that marks an object as deleted.",
  Uncertainty: "How far the answer of a plan varies within the ranges of its inputs.",
  Upload: "One attempt to store an object or a piece, named by 128 bits, at least 96 of them random.",
  Vault: "A coordinator, its pods and its stash: what stores one set of objects.",
  "Version order": "The number that decides which of several uploads of one key is the newest.",
  Window: "The ten seconds that one row of measurements covers.",
  "Write amplification": "Bytes written to a drive for each byte of shards.",
} as const;

export type GlossaryTerm = keyof typeof glossary;

export const glossaryPath = "/help/glossary";

/** Anchor of the term on the glossary page. */
export const anchorOfTerm = (term: GlossaryTerm): string => term.toLowerCase().replaceAll(" ", "-");
