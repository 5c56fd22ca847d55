import { expect, test } from "vitest";
import { accountOf, type Epoch, type EpochLedger } from "./epoch-ledger.ts";
import { type KeyIntake, keyIntake } from "./key-intake.ts";

function bookOf(...epochs: readonly (readonly [readonly number[], Epoch["reason"]])[]): EpochLedger {
  return {
    formatVersion: 1,
    vaults: [],
    coordinatorIds: [],
    ...accountOf(epochs.map(([weights, reason], at) => ({ weights: [...weights], reason, sinceMs: at }))),
    proposal: null,
  };
}

const here: KeyIntake = { isReachable: true, trouble: null };
const away: KeyIntake = { isReachable: false, trouble: null };
const first = [[1000], "first"] as const;
const both = [[200, 800], "joined"] as const;

test.each<[string, EpochLedger | null, KeyIntake, ReturnType<typeof keyIntake>]>([
  ["takes new keys", bookOf(first, both), here, "open"],
  ["is unreachable, but still has a weight", bookOf(first, both), away, "open"],
  ["is reachable and has no keys yet", bookOf(first), here, "joining"],
  ["is unreachable and has never had keys", bookOf(first), away, "unreachable"],
  ["is full", bookOf(first, both, [[1000, 0], "full"]), here, "full"],
  [
    "is full, and others changed since",
    bookOf(first, both, [[1000, 0], "full"], [[900, 0, 100], "joined"]),
    here,
    "full",
  ],
  ["is full and unreachable", bookOf(first, both, [[1000, 0], "full"]), away, "unreachable"],
  [
    "is reachable again, and waits for an epoch",
    bookOf(first, both, [[1000, 0], "unreachable"]),
    here,
    "unreachable",
  ],
  [
    "belongs to another endpoint",
    bookOf(first, both),
    { ...here, trouble: "It stands elsewhere." },
    "refused",
  ],
  ["has no known ledger", null, here, null],
])("the reported state is right for a vault that %s", (_, book, standing, expected) => {
  expect(keyIntake(book, 1, standing)).toBe(expected);
});
