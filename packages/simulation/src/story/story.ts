/** Formats a run's facts as lines that a person reads from top to bottom. */
import type { Address, UploadId } from "@stashlight/write-path";
import type { Notebook } from "./collected-facts.ts";
import { formatTime, nameAll } from "./describe-event.ts";
import type { Fact, ShardPicture } from "./facts.ts";

const LEGEND =
  "Signs, one per shard: . nowhere, w written to the page cache, D durable; first on the pods, then on the stash.";
/** Maximum number of lines; of a longer story only the end is kept. */
const LINE_COUNT_MAX = 160;
/** Minimum interval between events that are not grouped. */
const BREATH_US = 500_000;

export function renderStory(notebook: Notebook): string {
  const letters = assignLetters(notebook);
  const lines = weave(notebook.facts).map((line) => describe(line, letters, notebook));
  const left = lines.slice(-LINE_COUNT_MAX);
  const skipped = lines.length - left.length;
  const head = skipped === 0 ? [LEGEND] : [LEGEND, `(${skipped} lines before these are left out)`];
  return [...head, ...left].join("\n");
}

/** Replaces upload ids in a sentence about the run with the names used in its story. */
export function withUploadNames(sentence: string, notebook: Notebook): string {
  const letters = assignLetters(notebook);
  return sentence.replace(/[0-9a-f]{32}/g, (uploadId) => letters.get(uploadId) ?? uploadId);
}

/** Names the uploads A, B, ... Z, AA, AB, ... */
function assignLetters({ uploads }: Notebook): Map<UploadId, string> {
  return new Map([...uploads.keys()].map((uploadId, i) => [uploadId, columnLetters(i)]));
}

function columnLetters(i: number): string {
  const last = String.fromCharCode(65 + (i % 26));
  return i < 26 ? last : columnLetters(Math.floor(i / 26) - 1) + last;
}

interface Line {
  readonly timeUs: number;
  lastUs: number;
  readonly who: Address[];
  readonly phrase: string;
  readonly uploadId: UploadId | null;
  shards: ShardPicture | null;
}

/**
 * Groups the actions of several nodes on one upload between two steps into one line, with the picture after the last of
 * them.
 */
function weave(facts: readonly Fact[]): Line[] {
  const lines: Line[] = [];
  const open = new Map<string, Line>();
  for (const { timeUs, who, phrase, uploadId, shards, isStep } of facts) {
    if (isStep) open.clear();
    const name = `${phrase}\n${uploadId}`;
    const line = open.get(name);
    if (line && timeUs - line.lastUs < BREATH_US) {
      line.who.push(...who);
      line.lastUs = timeUs;
      line.shards = shards;
      continue;
    }
    const fresh = { timeUs, lastUs: timeUs, who: [...who], phrase, uploadId, shards };
    lines.push(fresh);
    if (!isStep) open.set(name, fresh);
  }
  return lines;
}

function describe(
  { timeUs, who, phrase, uploadId, shards }: Line,
  letters: ReadonlyMap<UploadId, string>,
  { uploads }: Notebook,
): string {
  const upload = uploadId === null ? undefined : uploads.get(uploadId)?.upload;
  const kind = upload?.kind === "tombstone" ? "deletion" : "upload";
  const uploadName = upload ? `${kind} ${letters.get(upload.uploadId)} of ${upload.key}` : "an upload";
  const words = phrase.replace("{who}", () => nameAll(who)).replace("{upload}", () => uploadName);
  const picture = shards === null ? "" : `   [${shards.pods} ${shards.stash}]`;
  return `${formatTime(timeUs)}  ${words}${picture}`;
}
