/** Answers that clients received, and the guarantees that follow from them. */
import { objectNameOf, type UploadHeader } from "@stashlight/write-path";
import { canonicalText } from "./canonical-text.ts";
import type { Answer } from "./node.ts";
import { BUCKET, decode, makeBody, type Scenario, scenarioUploadId } from "./scenario.ts";

export interface Ledger {
  /** Uploads that were acknowledged or shown to a reader: each exists until its key has a higher version. */
  readonly promised: readonly UploadHeader[];
  /** Uploads that clients were notified did not happen. */
  readonly gone: readonly string[];
  /** Minimum version order that each read in progress may return. */
  readonly floors: readonly (readonly [token: number, order: string])[];
  /** Content of each key read after a power cut. Nothing is written then, so the key must keep it. */
  readonly seen: readonly (readonly [key: string, uploadId: string | null])[];
}

export const emptyLedger: Ledger = { promised: [], gone: [], floors: [], seen: [] };

const numbers = new WeakMap<Ledger, number>();
const numbersByText = new Map<string, number>();

/** Equal ledgers have equal numbers, which are quicker to compare than their texts. There are few ledgers. */
export function ledgerNumber(ledger: Ledger): number {
  const known = numbers.get(ledger);
  if (known !== undefined) return known;
  const text = canonicalText(ledger);
  const number = numbersByText.get(text) ?? numbersByText.size;
  numbersByText.set(text, number);
  numbers.set(ledger, number);
  return number;
}

export class Broken extends Error {
  override readonly name = "Broken";
}

export function isSupersededBy(upload: UploadHeader, other: UploadHeader): boolean {
  return objectNameOf(upload) === objectNameOf(other) && other.order > upload.order;
}

/** Returns the promised version of a key that no other promised version supersedes. */
function newestPromised({ promised }: Ledger, key: string): UploadHeader | undefined {
  return promised
    .filter((upload) => upload.key === key)
    .reduce<UploadHeader | undefined>(
      (top, upload) => (top && top.order > upload.order ? top : upload),
      undefined,
    );
}

function promise(ledger: Ledger, upload: UploadHeader): Ledger {
  if (ledger.gone.includes(upload.uploadId)) {
    throw new Broken(`S7: ${upload.uploadId} exists after its client was answered that it does not.`);
  }
  if (ledger.promised.some(({ uploadId }) => uploadId === upload.uploadId)) return ledger;
  const promised = [...ledger.promised, upload].sort((a, b) => (a.uploadId < b.uploadId ? -1 : 1));
  return { ...ledger, promised };
}

export function beginRead(ledger: Ledger, token: number, key: string): Ledger {
  const order = newestPromised(ledger, key)?.order ?? "";
  return { ...ledger, floors: [...ledger.floors, [token, order] as const] };
}

/** Records an answer to a client while uploads are still running; `tombstones` are those recorded on media. */
export function learn(
  ledger: Ledger,
  scenario: Scenario,
  answer: Answer,
  tombstones: readonly UploadHeader[],
): Ledger {
  if (answer.type === "answerPut") {
    const { outcome } = answer;
    if (outcome.type === "stored") return promise(ledger, outcome.upload);
    if (outcome.type === "unavailable") return ledger;
    const upload = scenario.uploads[answer.token];
    const uploadId = upload ? scenarioUploadId(upload) : "";
    if (ledger.promised.some((other) => other.uploadId === uploadId)) {
      throw new Broken(`S7: the client of ${uploadId} is answered that it did not happen, and it was seen.`);
    }
    return { ...ledger, gone: [...ledger.gone, uploadId].sort() };
  }
  if (answer.type === "answerList") return ledger;
  const floor = ledger.floors.find(([token]) => token === answer.token)?.[1] ?? "";
  const floors = ledger.floors.filter(([token]) => token !== answer.token);
  const { outcome } = answer;
  // No shard is damaged in this model, so the bytes can always be read at some later moment.
  if (outcome.type === "unavailable" || outcome.type === "undecodable") return { ...ledger, floors };
  if (outcome.type === "absent" && floor !== "") {
    const tombstone = tombstones.find((upload) => upload.order > floor);
    if (!tombstone) throw new Broken(`S5: a read that began after ${floor} was promised found nothing.`);
    return promise({ ...ledger, floors }, tombstone);
  }
  if (outcome.type === "absent") return { ...ledger, floors };
  if (outcome.upload.order < floor) {
    throw new Broken(`S5: a read that began after ${floor} was promised found ${outcome.upload.order}.`);
  }
  checkBytes(scenario, outcome.upload, outcome.shards);
  return promise({ ...ledger, floors }, outcome.upload);
}

export interface Sighting {
  readonly key: string;
  readonly upload: UploadHeader | null;
}

/** Records an answer to a client after power returned: exact, final, and not below promised versions. */
export function see(ledger: Ledger, { key, upload }: Sighting, tombstones: readonly UploadHeader[]): Ledger {
  const top = newestPromised(ledger, key);
  const uploadId = upload?.uploadId ?? null;
  const before = ledger.seen.find(([seenKey]) => seenKey === key);
  if (before && before[1] !== uploadId) {
    throw new Broken(`S7: ${key} held ${before[1] ?? "nothing"}, and then ${uploadId ?? "nothing"}.`);
  }
  if (upload && ledger.gone.includes(upload.uploadId)) {
    throw new Broken(`S7: ${upload.uploadId} is seen after its client was answered that it does not exist.`);
  }
  const isDeleted = top && tombstones.some((tombstone) => isSupersededBy(top, tombstone));
  if (top?.kind === "object" && (upload === null ? !isDeleted : upload.order < top.order)) {
    throw new Broken(`S2: ${key} holds ${uploadId ?? "nothing"} where ${top.uploadId} was promised.`);
  }
  if (top?.kind === "tombstone" && upload !== null && upload.order < top.order) {
    throw new Broken(`S7: ${key} holds ${uploadId} again, which ${top.uploadId} had deleted.`);
  }
  return before ? ledger : { ...ledger, seen: [...ledger.seen, [key, uploadId] as const].sort() };
}

/** Returns what a GET, HEAD or LIST after the power cut found for each key it covers; null if it had no answer. */
export function answerSightings(scenario: Scenario, answer: Answer, key: string | null): Sighting[] | null {
  if (answer.type === "answerPut" || answer.outcome.type === "unavailable") return null;
  const { outcome } = answer;
  if (outcome.type === "listed") {
    const keys = new Set(scenario.uploads.map((upload) => upload.key));
    const listed = new Map(outcome.uploads.map((upload) => [upload.key, upload]));
    if (listed.size !== outcome.uploads.length || outcome.truncatedAfter !== null) {
      throw new Broken("S5: a list names a key twice, or is marked as truncated.");
    }
    return [...keys].map((name) => ({ key: name, upload: listed.get(name) ?? null }));
  }
  if (key === null) throw new Broken("S5: a list was answered as if it were a read.");
  if (outcome.type === "absent") return [{ key, upload: null }];
  if (outcome.type === "undecodable")
    throw new Broken(`S2: ${key} cannot be read, and no shard of it is damaged.`);
  if (outcome.shards.length > 0) checkBytes(scenario, outcome.upload, outcome.shards);
  if (outcome.upload.key !== key || outcome.upload.bucket !== BUCKET) {
    throw new Broken(`S5: a read of ${key} returned ${outcome.upload.key}.`);
  }
  return [{ key, upload: outcome.upload }];
}

function checkBytes(
  scenario: Scenario,
  { uploadId }: UploadHeader,
  shards: Parameters<typeof decode>[0],
): void {
  const upload = scenario.uploads.find((candidate) => scenarioUploadId(candidate) === uploadId);
  const isMixed = shards.some((shard) => shard.upload.uploadId !== uploadId);
  if (!upload || isMixed || String(decode(shards)) !== String(makeBody(upload))) {
    throw new Broken(`S5: the bytes read of ${uploadId} are not those that were uploaded.`);
  }
}
