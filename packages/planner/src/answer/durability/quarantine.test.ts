import { markovAnnualLoss, nines } from "@stashlight/durability";
import { expect, test } from "vitest";
import { defaultPlanInput } from "../../index.ts";
import { describePlannedQuarantine, describePodQuarantine, describeStashQuarantine } from "./quarantine.ts";

const scheme = { dataShards: 16, parityShards: 4 };

test("a quarantine that leaves a device for each shard costs no nines", () => {
  expect(describeStashQuarantine(scheme, { before: 21, after: 20 })).toBe(
    "Of the stash devices 20 take new shards instead of 21, and an upload uses 20, of which it waits for 19. It costs no nines: an upload has as many shards on the stash as before. The nines of stored objects stay the same, because they are those of the pods.",
  );
});

/** Probability that more than `spare` of `count` drives are lost, each with probability `p`. */
function moreThan(spare: number, count: number, p: number): number {
  let term = (1 - p) ** count;
  let sum = 0;
  for (let lost = 0; lost <= count; lost += 1) {
    if (lost > spare) sum += term;
    term *= ((count - lost) / (lost + 1)) * (p / (1 - p));
  }
  return sum;
}

test("quarantining or releasing the last spare device shows the nines of an upload in a power cut", () => {
  // An upload spares 4 of 20 copies, and 3 of 19.
  const [of20, of19] = [moreThan(4, 20, 0.001), moreThan(3, 19, 0.001)].map((loss) =>
    (-Math.log10(loss)).toFixed(1),
  );
  const taken = describeStashQuarantine(scheme, { before: 20, after: 19 });
  expect(taken).toContain("it has 19 shards on the stash instead of 20 and waits for each of them");
  expect(taken).toContain(`survives a power cut with ${of19} nines instead of ${of20}`);
  const given = describeStashQuarantine(scheme, { before: 19, after: 20 });
  expect(given).toContain(`with ${of20} nines instead of ${of19}`);
  expect(given).toContain("waits for 19.");
});

test("a pod is replaced, and the sentence has the nines of objects that would lack its shard", () => {
  const days = 5.8;
  const ninesOf = (parityShards: number) =>
    nines(
      markovAnnualLoss({
        dataShards: 16,
        parityShards,
        annualFailureRate: 0.0155,
        rebuildDays: days,
        rebuildsAtOnce: Number.POSITIVE_INFINITY,
        commonCause: null,
      }),
    )?.toFixed(1);
  expect(describePodQuarantine(scheme, "p3", days * 86_400)).toBe(
    `p3 is a pod, and a pod is not quarantined: an upload already waits for only 19 of the 20 pods, the fastest ones. Without p3 it would need each of the other 19 and be no faster, and objects written meanwhile would have ${ninesOf(3)} nines a year instead of ${ninesOf(4)} (modelled: drives fail independently of each other, 1.55 % of them a year). Replace the drive instead: vault replace-drive p3.`,
  );
  expect(describePodQuarantine({ dataShards: 2, parityShards: 1 }, "p0", 86_400)).toContain(
    "objects written meanwhile would survive no failed drive",
  );
});

test("a plan computes the cost of a quarantined stash device, and of an excluded pod, from its own inputs", () => {
  const [stash, pod] = describePlannedQuarantine({ ...defaultPlanInput, ssdLostInCut: 0.01 });
  expect(stash).toContain("costs no nines while 20 stash devices or more take new shards");
  // Sums of binomials: 4 or more of 19 lost, and 5 or more of 20, at 1 % each.
  const lossOf = (n: number, least: number): number => {
    let [sum, ways] = [0, 1];
    for (let lost = 0; lost <= n; lost++) {
      if (lost >= least) sum += ways * 0.01 ** lost * 0.99 ** (n - lost);
      ways = (ways * (n - lost)) / (lost + 1);
    }
    return sum;
  };
  const nines = (loss: number): string => (-Math.log10(loss)).toFixed(1);
  expect(stash).toContain(
    `a power cut with ${nines(lossOf(19, 4))} nines instead of ${nines(lossOf(20, 5))}, if a cut takes 1 %`,
  );
  expect(pod).toContain("objects written without it would have 6.");
  expect(pod).toContain("nines a year instead of 8.6");
});

test("with one parity shard, objects written without a pod would survive no failed drive", () => {
  const [, pod] = describePlannedQuarantine({ ...defaultPlanInput, dataShards: 2, parityShards: 1 });
  expect(pod).toContain("objects written without it would survive no failed drive");
});
