import { HOUR_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { builtInRules } from "../alert/built-in-rules.ts";
import { readSamples } from "../alert/sample.ts";
import { accept, createTestNode, useFreshInstallation } from "../testing/index.ts";
import { readWearForecast } from "./wear.ts";

const { installation } = useFreshInstallation();

/** Reports an SSD's written bytes every half hour, up to now. */
async function reportWrites(hourCount: number, writtenAt: (hour: number) => number): Promise<string> {
  const { platform } = installation;
  const node = await createTestNode(platform, "stash-1", false, "main");
  const nowMs = platform.now().getTime();
  const drive = { tier: "stash", device: "s0" };
  for (let half = 2 * hourCount; half >= 0; half -= 1) {
    const gauges: [string, Record<string, string>, number][] = [
      ["stashlight_device_host_written_bytes", drive, writtenAt(hourCount - half / 2)],
      ["stashlight_device_endurance_bytes", drive, 1e15],
    ];
    await accept(platform, node.batch({ endMs: nowMs - (half * HOUR_MS) / 2, gauges } as never));
  }
  return node.id;
}

const wornOut = builtInRules.find(([key]) => key === "drive-worn-out")?.[1];

async function sample() {
  const ask = { query: wornOut?.query, condition: wornOut?.condition } as Parameters<typeof readSamples>[1];
  const [found] = await readSamples(installation.platform, ask, installation.clock.now().getTime());
  return found;
}

const sentenceOf = async (nodeId: string) => {
  const { ctx } = await installation.person("viewer");
  return (await readWearForecast({ ctx, input: { nodeId, device: "s0" } }))?.sentence;
};

test("the built-in rule shows the page's days for a drive that wears out soon", async () => {
  // 100 TB are left, and 1 TB is written per hour.
  const nodeId = await reportWrites(16, (hour) => 884e12 + 1e12 * hour);
  const found = await sample();
  expect(found?.labels).toEqual({ node: "stash-1", device: "s0" });
  const seconds = found?.value ?? 0;
  expect(seconds / 3600).toBeCloseTo(100, -1);
  const day = new Date(installation.clock.now().getTime() + 1000 * seconds).toISOString().slice(0, 10);
  expect(await sentenceOf(nodeId)).toMatch(
    new RegExp(String.raw`^Worn out on ${day} \(.* to .*\), by the writes of the last \d+ hours\.$`),
  );
});

test.each<[string, number, (hour: number) => number, RegExp]>([
  [
    "was started an hour ago",
    1,
    (hour) => 500e12 + 1e12 * hour,
    /\d+ minutes of history, 6 hours are needed/,
  ],
  ["is hardly used", 16, (hour) => 60e12 + 1e12 * hour, /less than 10 % of its rated endurance is used/],
  ["is not written to", 16, () => 500e12, /nothing beyond chance was written/],
])(
  "a drive that %s has no forecast, and the rule does not fire",
  async (_, hourCount, writtenAt, sentence) => {
    const nodeId = await reportWrites(hourCount, writtenAt);
    expect(await sentenceOf(nodeId)).toMatch(sentence);
    const days = ((await sample())?.value ?? Number.POSITIVE_INFINITY) / 86_400;
    expect(days).toBeGreaterThan(90);
  },
);

test("a drive that reports no bytes written has no forecast", async () => {
  const node = await createTestNode(installation.platform, "stash-1");
  expect(await sentenceOf(node.id)).toBeUndefined();
});
