import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  makeTestFolder,
  otherKey,
  readVerified,
  splitParts,
  type TestFolder,
  testKey,
} from "./testing/files.ts";

const refusal = /is not whole: it was cut off or changed|is not a backup of Stashlight's console/;
const rows = ["(ada,admin)", "(vera,viewer)", "(olga,operator)"];

let folder: TestFolder;
beforeAll(() => {
  folder = makeTestFolder();
});
afterAll(() => folder.remove());

const joined = (head: Buffer, frames: readonly Buffer[]): Buffer => Buffer.concat([head, ...frames]);
const read = (bytes: Uint8Array) => readVerified(folder.file("read", bytes));

/** Rows of any text, cut into chunks of any size. */
const contents = fc.record({
  rows: fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 20 }),
  chunkBytes: fc.integer({ min: 1, max: 64 }),
});

test("rows are read back as written, whatever they contain and however they are split", async () => {
  await fc.assert(
    fc.asyncProperty(contents, async ({ rows, chunkBytes }) => {
      expect(await read(await folder.backup(rows, { chunkBytes }))).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

describe("before a row is returned, a reader refuses", () => {
  test("a file with any one bit flipped", async () => {
    const whole = await folder.backup(rows, { chunkBytes: 64 });
    let refusedCount = 0;
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      await expect(read(changed), `bit ${bit}`).rejects.toThrow(
        /is not whole|is not a backup|by a later version|by another installation/,
      );
      refusedCount += 1;
    }
    expect(refusedCount).toBe(whole.length * 8);
  });

  test("a file truncated at any point", async () => {
    const whole = await folder.backup(rows, { chunkBytes: 64 });
    for (let length = 1; length < whole.length; length += 1)
      await expect(read(whole.subarray(0, length)), `${length} bytes`).rejects.toThrow(refusal);
  });

  test("a file with bytes after its end", async () => {
    const whole = await folder.backup(rows);
    for (const more of [Buffer.of(0), Buffer.of(1), whole, splitParts(whole).frames.at(-1) ?? Buffer.of(0)])
      await expect(read(Buffer.concat([whole, more]))).rejects.toThrow(/it continues after its end/);
  });

  test("chunks that are swapped, duplicated or missing", async () => {
    const chosen = contents.chain(({ rows, chunkBytes }) =>
      fc.record({
        rows: fc.constant(["(first row)", ...rows]),
        chunkBytes: fc.constant(chunkBytes),
        one: fc.nat(),
        other: fc.nat(),
        change: fc.constantFrom("swap", "duplicate", "drop"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(chosen, async ({ rows, chunkBytes, one, other, change }) => {
        const { head, frames } = splitParts(await folder.backup(rows, { chunkBytes }));
        const [from, to] = [one % frames.length, other % frames.length];
        const frame = frames[from] as Buffer;
        const changed =
          change === "drop"
            ? frames.toSpliced(from, 1)
            : change === "duplicate"
              ? frames.toSpliced(to, 0, frame)
              : frames.with(from, frames[to] as Buffer).with(to, frame);
        fc.pre(!joined(head, changed).equals(joined(head, frames)));
        await expect(read(joined(head, changed))).rejects.toThrow(refusal);
      }),
      { numRuns: 100 },
    );
  });

  test("parts of two backups of one installation combined, even if their rows are the same", async () => {
    const chosen = contents.chain(({ rows, chunkBytes }) =>
      fc.record({ rows: fc.constant(rows), chunkBytes: fc.constant(chunkBytes), at: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(chosen, async ({ rows, chunkBytes, at }) => {
        const one = splitParts(await folder.backup(rows, { chunkBytes }));
        const other = splitParts(await folder.backup(rows, { chunkBytes }));
        const place = at % one.frames.length;
        const spliced = one.frames.with(place, other.frames[place] as Buffer);
        await expect(read(joined(one.head, spliced))).rejects.toThrow(refusal);
        await expect(read(joined(one.head, other.frames))).rejects.toThrow(refusal);
        const tail = [...one.frames.slice(0, place), ...other.frames.slice(place)];
        await expect(read(joined(one.head, tail))).rejects.toThrow(refusal);
      }),
      { numRuns: 50 },
    );
  });

  test("a file with the key's name and another key's MACs", async () => {
    const forged = await folder.backup(["(eve,admin)"], { key: { ...otherKey, keyId: testKey.keyId } });
    await expect(read(forged)).rejects.toThrow(/its manifest fails its check/);
  });
});

test("another installation's file is refused with the names of both keys, and accepted with its own key", async () => {
  const path = folder.file("other", await folder.backup(rows, { key: otherKey }));
  await expect(readVerified(path)).rejects.toThrow(
    /was written by another installation, .* \(key 00000000000b; the secret given has key 00000000000a\).* --other-installation SECRET_FILE\.$/,
  );
  expect(await readVerified(path, { type: "key", key: otherKey })).toEqual(rows);
});

test("a file without its secret is read only unverified, and truncation is still detected", async () => {
  const whole = await folder.backup(rows, { key: otherKey, chunkBytes: 16 });
  const trust = { type: "unverified" } as const;
  expect(await readVerified(folder.file("lost", whole), trust)).toEqual(rows);
  for (const length of [whole.length - 1, whole.length >> 1])
    await expect(readVerified(folder.file("lost", whole.subarray(0, length)), trust)).rejects.toThrow(
      refusal,
    );
  const { head, frames } = splitParts(whole);
  await expect(
    readVerified(folder.file("lost", joined(head, frames.toSpliced(-2, 1))), trust),
  ).rejects.toThrow(refusal);
});
