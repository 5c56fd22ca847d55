import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkStashPlanInput,
  defaultPlanInput,
  explainPlan,
  type PoolVerdict,
  planStash,
  type StashPlanInput,
} from "../index.ts";
import { acceptedInput } from "../testing/arbitrary.ts";

function accepted(changes: Readonly<Record<string, unknown>>): StashPlanInput {
  const { input, problems } = checkStashPlanInput({ ...defaultPlanInput, ...changes });
  if (input === null) throw new Error(JSON.stringify(problems));
  return input;
}

const busy = ({ network }: PoolVerdict) =>
  Object.fromEntries(network.ports.map(({ of, utilisation }) => [of, utilisation]));

test("the ports' load is the fan-out of shards, as calculated without the planner's code", () => {
  const recordBytes = Math.ceil((256_000 / 16 + 96) / 64) * 64;
  const shardsAtPeak = 3 * 2000 * 20;
  const gbit = (bytesPerSecond: number): number => (bytesPerSecond * 8) / 1e9 / (1448 / 1538);
  const { planned } = explainPlan(defaultPlanInput);
  expect(busy(planned)).toEqual({
    coordinators: expect.closeTo(gbit(2 * shardsAtPeak * recordBytes) / 100, 9),
    pods: expect.closeTo(gbit((shardsAtPeak * recordBytes) / 20) / 10, 9),
    "stash servers": expect.closeTo(gbit((shardsAtPeak * recordBytes) / 6) / 100, 9),
  });
});

test.each([
  [
    "coordinators",
    { coordinators: 1, coordinatorBitsPerSecond: 25e9 },
    "132 %",
    "3 coordinators carry it, or ports of 54.8 Gbit/s each.",
  ],
  ["pods", { podBitsPerSecond: 1e9 }, "82.2 %", "Each pod needs 1.37 Gbit/s, or a second vault takes some"],
])(
  "undersized ports of %s are the first limit, with their utilisation and the remedy",
  (of, changes, share, remedy) => {
    const { sentence, planned } = explainPlan(accepted(changes));
    expect(sentence).toContain(`; but the ports of ${of} are the first limit: ${share} busy at the peak`);
    expect(planned.network).toMatchObject({ suffices: false, firstTooSmall: { of } });
    expect(planned.network.sentence).toMatch(
      `The ports of ${of} are too small: at the peak they would be ${share} busy`,
    );
    expect(planned.network.sentence).toContain(remedy);
  },
);

test("undersized ports of stash servers are the limit, and more servers compensate for them", () => {
  const { plan, sentence, planned, installed } = explainPlan(
    accepted({ stashBitsPerSecond: 1e9, installed: { servers: 7, drivesPerServer: 3 } }),
  );
  expect(plan).toMatchObject({ bindingConstraint: "network", decidedBy: "load", servers: 29 });
  expect(sentence).toContain("load decides: the ports of 28 servers carry the peak, and 1 more may be dead");
  expect(planned.network.suffices).toBe(true);
  expect(installed).toMatchObject({ suffices: false, firstConstraint: "network" });
  expect(installed?.network.firstTooSmall?.of).toBe("stash servers");
  expect(installed?.network.sentence).toMatch(
    /274 % busy.* 29 stash servers carry it with one server dead, or ports of /,
  );
  expect(installed?.sentence).toMatch(
    /; network is met first; .*22 servers are missing, as more drives behind the same ports do not help\.$/,
  );
});

test("a plan without a number of coordinators gets as many as the peak needs", () => {
  const { planned } = explainPlan(accepted({ coordinatorBitsPerSecond: 25e9 }));
  expect(planned.network).toMatchObject({ suffices: true, firstTooSmall: null });
  expect(planned.network.sentence).toContain("3 coordinators are 43.9 %");
});

const ports = ["coordinatorBitsPerSecond", "podBitsPerSecond", "stashBitsPerSecond"] as const;

test.each([...ports, "coordinators" as const])(
  "a higher %s never needs more drives, nor makes a port busier",
  (name) => {
    fc.assert(
      fc.property(acceptedInput, fc.integer({ min: 2, max: 1000 }), (input, times) => {
        const { input: changed } = checkStashPlanInput({ ...input, [name]: (input[name] ?? 1) * times });
        fc.pre(changed !== null);
        const wider = changed as StashPlanInput;
        expect(planStash(wider).drives).toBeLessThanOrEqual(planStash(input).drives);
        const [before, after] = [explainPlan(input), explainPlan(wider)];
        expect(after.planned.cost.totalUsd).toBeLessThanOrEqual(before.planned.cost.totalUsd * (1 + 1e-12));
        // If the peak determines the number of coordinators, having fewer of them may make each busier.
        for (const of of input.coordinators === null ? ["pods"] : ["coordinators", "pods"]) {
          expect(busy(after.planned)[of]).toBeLessThanOrEqual((busy(before.planned)[of] ?? 0) * (1 + 1e-12));
        }
      }),
      { numRuns: 200 },
    );
  },
);

test("the sentence names a port exactly when it is busier than the limit, and stash servers always suffice", () => {
  fc.assert(
    fc.property(acceptedInput, (given) => {
      const { input, planned, sentence } = explainPlan(given);
      const { ports: found, suffices, firstTooSmall } = planned.network;
      expect(suffices).toBe(
        found.every(({ utilisation }) => utilisation <= input.maxUtilisation * (1 + 1e-9)),
      );
      expect(sentence.includes("are the first limit")).toBe(!suffices);
      expect(firstTooSmall === null).toBe(suffices);
      expect(busy(planned)["stash servers"]).toBeLessThanOrEqual(input.maxUtilisation * (1 + 1e-9));
      expect(found[0]?.utilisation).toBe(Math.max(...found.map(({ utilisation }) => utilisation)));
    }),
    { numRuns: 300 },
  );
});
