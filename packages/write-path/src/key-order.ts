/**
 * Orders keys by their UTF-8 bytes, as S3 lists them. JavaScript compares UTF-16 units, which differs if a key has
 * characters beyond U+FFFF: their surrogates are below U+E000 to U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates above all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

const CHUNK_LENGTH_MAX = 512;
const SAMPLE_COUNT = 15;
/** Minimum size of a half, as a share of the whole; a smaller half means that the sample was bad. */
const HALF_SHARE_MIN = 1 / 16;

/** Units above which UTF-16 order differs from UTF-8 order. */
const HIGH_UNITS = /[\ud800-\uffff]/;

/**
 * A set of names in the order of their UTF-8 bytes, as a sequence of chunks: adding and removing a name moves few
 * others. A chunk longer than the maximum is unsorted, except that its first name is its lowest: such chunks are split
 * when they are read, so a request for a page need not wait until a hundred thousand names are sorted.
 */
export interface OrderedNames {
  readonly chunks: string[][];
  /** True if no name has had high units: the engine's own order, several times as fast, is then correct. */
  isPlain: boolean;
}

/** Creates a set; the names must be distinct. */
export function orderNames(names: Iterable<string>): OrderedNames {
  const all = [...names];
  const ordered = { chunks: [], isPlain: !all.some((name) => HIGH_UNITS.test(name)) };
  return all.length === 0 ? ordered : { ...ordered, chunks: [prepared(ordered, all)] };
}

export function addName(names: OrderedNames, name: string): void {
  if (HIGH_UNITS.test(name)) names.isPlain = false;
  const { chunks } = names;
  const at = chunkInOrder(names, name);
  const chunk = chunks[at];
  if (chunk === undefined) {
    chunks.push([name]);
    return;
  }
  const index = lowerBound(chunk, name);
  if (chunk[index] === name) return;
  chunk.splice(index, 0, name);
  if (chunk.length > CHUNK_LENGTH_MAX) chunks.splice(at + 1, 0, chunk.splice(CHUNK_LENGTH_MAX / 2));
}

export function deleteName(names: OrderedNames, name: string): void {
  const { chunks } = names;
  const at = chunkInOrder(names, name);
  const chunk = chunks[at];
  if (chunk === undefined) return;
  const index = lowerBound(chunk, name);
  if (chunk[index] !== name) return;
  chunk.splice(index, 1);
  if (chunk.length === 0) chunks.splice(at, 1);
}

/** Iterates over the names from this one on, which need not be in the set. */
export function* namesFrom(names: OrderedNames, start: string): Generator<string> {
  const { chunks } = names;
  let from = start;
  for (let at = chunkInOrder(names, from); at < chunks.length; at += 1) {
    const chunk = chunks[at] as string[];
    for (let index = lowerBound(chunk, from); index < chunk.length; index += 1) yield chunk[index] as string;
    const next = chunks[at + 1];
    if (next === undefined) return;
    from = next[0] as string;
    chunkInOrder(names, from);
  }
}

/**
 * Returns the index of the chunk that contains the name or would contain it, after sorting that chunk; 0 if there is
 * none.
 */
function chunkInOrder(names: OrderedNames, name: string): number {
  const { chunks } = names;
  for (;;) {
    const at = Math.max(0, chunkOf(chunks, name));
    const chunk = chunks[at];
    if (chunk === undefined || chunk.length <= CHUNK_LENGTH_MAX) return at;
    chunks.splice(at, 1, ...partsOf(names, chunk));
  }
}

/** Splits a chunk at a name near the middle; sorts all of it if the names make that hard to find. */
function partsOf(names: OrderedNames, chunk: string[]): string[][] {
  const sample = Array.from({ length: SAMPLE_COUNT }, (_, at) => {
    return chunk[Math.floor((at * chunk.length) / SAMPLE_COUNT)] as string;
  });
  const middle = sorted(names, sample)[SAMPLE_COUNT >> 1] as string;
  const [lower, upper]: [string[], string[]] = [[], []];
  for (const name of chunk) (isBelow(names, name, middle) ? lower : upper).push(name);
  if (Math.min(lower.length, upper.length) >= chunk.length * HALF_SHARE_MIN) {
    return [prepared(names, lower), prepared(names, upper)];
  }
  sorted(names, chunk);
  const step = CHUNK_LENGTH_MAX / 2;
  return Array.from({ length: Math.ceil(chunk.length / step) }, (_, at) =>
    chunk.slice(at * step, (at + 1) * step),
  );
}

/** Sorts a short chunk; in a long one, only moves the lowest name to the front. */
function prepared(names: OrderedNames, chunk: string[]): string[] {
  if (chunk.length <= CHUNK_LENGTH_MAX) return sorted(names, chunk);
  let least = 0;
  for (let at = 1; at < chunk.length; at += 1) {
    if (isBelow(names, chunk[at] as string, chunk[least] as string)) least = at;
  }
  const first = chunk[0] as string;
  chunk[0] = chunk[least] as string;
  chunk[least] = first;
  return chunk;
}

function sorted({ isPlain }: OrderedNames, chunk: string[]): string[] {
  return isPlain ? chunk.sort() : chunk.sort(compareKeys);
}

function isBelow({ isPlain }: OrderedNames, left: string, right: string): boolean {
  return isPlain ? left < right : compareKeys(left, right) < 0;
}

/** Returns the index of the last chunk that does not begin after the name; -1 if all do. */
function chunkOf(chunks: readonly string[][], name: string): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys((chunks[middle] as string[])[0] as string, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the index of the first name that is not below this one. */
function lowerBound(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(names[middle] as string, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
