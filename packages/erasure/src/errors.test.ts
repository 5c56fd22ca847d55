import { describe, expect, test } from "vitest";
import { createErasure } from "./erasure.ts";
import { ErasureError, type ErasureErrorCode } from "./error.ts";
import { SCHEME_16_4 } from "./scheme.ts";
import { noise } from "./testing.ts";

const coder = createErasure({ engine: "js", arenaBytes: 100_000 });
const shards = noise(1, 20, 10);
const scheme = SCHEME_16_4;

function stripe() {
  return coder.takeStripe(scheme, 10);
}

const refusals: { what: string; call: () => unknown; code: ErasureErrorCode; message: string }[] = [
  ...[
    { dataShardCount: 0, parityShardCount: 4 },
    { dataShardCount: 16, parityShardCount: 0 },
    { dataShardCount: 200, parityShardCount: 57 },
    { dataShardCount: 1.5, parityShardCount: 2 },
    { dataShardCount: Number.NaN, parityShardCount: 2 },
  ].map((bad) => ({
    what: `the scheme ${bad.dataShardCount}+${bad.parityShardCount}`,
    call: () => coder.takeStripe(bad, 10),
    code: "scheme_out_of_range" as const,
    message: `The scheme ${bad.dataShardCount}+${bad.parityShardCount} is out of range: at least 1 data and 1 parity shard, at most 256 together.`,
  })),
  {
    what: "a data shard too few to encode",
    call: () => coder.encode(scheme, shards.slice(0, 15)),
    code: "wrong_shard_count",
    message: "16+4 has 16 data shards; 15 were given.",
  },
  {
    what: "parity shards handed to encode",
    call: () => coder.encode(scheme, shards),
    code: "wrong_shard_count",
    message: "16+4 has 16 data shards; 20 were given.",
  },
  {
    what: "data shards without parity to verify",
    call: () => coder.verify(scheme, shards.slice(0, 1)),
    code: "wrong_shard_count",
    message: "16+4 has 20 shards; 1 was given.",
  },
  {
    what: "no list entry for a missing shard",
    call: () => coder.reconstruct(scheme, shards.slice(1)),
    code: "wrong_shard_count",
    message: "16+4 has 20 shards; 19 were given.",
  },
  {
    what: "shards of different lengths",
    call: () => coder.verify(scheme, shards.with(7, new Uint8Array(11))),
    code: "unequal_shard_lengths",
    message: "All shards must be equally long; shard 0 has 10 bytes and shard 7 has 11.",
  },
  {
    what: "shards of different lengths beside a missing one",
    call: () => coder.reconstruct(scheme, [null, new Uint8Array(1), ...shards.slice(2)]),
    code: "unequal_shard_lengths",
    message: "All shards must be equally long; shard 1 has 1 byte and shard 2 has 10.",
  },
  {
    what: "more missing than parity",
    call: () =>
      coder.reconstruct(
        scheme,
        shards.map((shard, index) => (index < 5 ? null : shard)),
      ),
    code: "too_many_missing",
    message: "5 shards of 16+4 missing: at most 4 can be restored.",
  },
  {
    what: "all shards missing",
    call: () => coder.reconstructData(scheme, new Array<null>(20).fill(null)),
    code: "too_many_missing",
    message: "20 shards of 16+4 missing: at most 4 can be restored.",
  },
  {
    what: "more missing in a stripe than parity",
    call: () => stripe().reconstruct([1, 2, 3, 4, 5]),
    code: "too_many_missing",
    message: "5 shards of 16+4 missing: at most 4 can be restored.",
  },
  {
    what: "the index of no shard",
    call: () => stripe().reconstruct([3, 20]),
    code: "shard_index_out_of_range",
    message: "There is no shard 20: those of 16+4 are 0 to 19.",
  },
  {
    what: "a shard of negative length",
    call: () => coder.takeStripe(scheme, -1),
    code: "length_out_of_range",
    message: "A shard has 0 or more bytes; -1 was given.",
  },
  {
    what: "a stripe that no arena of this size holds",
    call: () => createErasure({ engine: "js", arenaBytes: 100_000 }).takeStripe(scheme, 2 ** 40),
    code: "arena_exhausted",
    message:
      "The arena has no space for a stripe of 21990232596480 bytes: 102400 of its 102400 bytes are free, at most 102400 in one piece. Release stripes first, or make the arena larger.",
  },
  {
    what: "an arena of no bytes",
    call: () => createErasure({ arenaBytes: 0 }),
    code: "arena_size_out_of_range",
    message: "An arena has 1 to 4293918720 bytes; 0 was given.",
  },
  {
    what: "an engine that does not exist",
    call: () => createErasure({ engine: "gfni" as "js" }),
    code: "engine_unavailable",
    message: 'The engine "gfni" does not run here; supported are: relaxed-simd, simd, js.',
  },
];

describe("a refusal names the given and the valid values", () => {
  test.each(refusals)("for $what", ({ call, code, message }) => {
    let thrown: unknown;
    try {
      call();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ErasureError);
    expect(thrown).toMatchObject({ code, message });
  });
});
