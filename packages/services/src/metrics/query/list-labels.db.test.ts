import { metricLabelsInput } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { accept, createTestNode, useFreshInstallation } from "../../testing/index.ts";
import { listMetricLabels } from "./list-labels.ts";

const { installation, viewer } = useFreshInstallation("viewer");

const fsync = "stashlight_fsync_seconds";
const listLabels = (input: object) =>
  listMetricLabels({ ctx: viewer.ctx, input: metricLabelsInput.parse(input) });

test("values of stored series are listed once each, in the numeric order of their names", async () => {
  const { platform, clock } = installation;
  const endMs = clock.now().getTime();
  const one = await createTestNode(platform, "stash-1");
  const two = await createTestNode(platform, "stash-2");
  await accept(
    platform,
    one.batch({
      endMs,
      histograms: [
        [fsync, { tier: "stash", device: "s10" }, [0.1]],
        [fsync, { tier: "stash", device: "s2", modelled: "micron" }, [0.1]],
      ],
    }),
    two.batch({ endMs, histograms: [[fsync, { tier: "stash", device: "s2" }, [0.1]]] }),
  );
  const all = await listLabels({ metric: fsync });
  expect(all.seriesCount).toBe(3);
  expect(all.labels).toEqual({
    tier: { values: ["stash"], omittedCount: 0 },
    device: { values: ["s2", "s10"], omittedCount: 0 },
    modelled: { values: ["micron"], omittedCount: 0 },
    node: { values: ["stash-1", "stash-2"], omittedCount: 0 },
    vault: { values: ["v"], omittedCount: 0 },
  });
  const ofTwo = await listLabels({ metric: fsync, where: { node: ["stash-2"] } });
  expect(ofTwo).toMatchObject({ seriesCount: 1, labels: { device: { values: ["s2"] } } });
});

test("a metric without reports has no labels yet", async () => {
  expect(await listLabels({ metric: "stashlight_encode_seconds" })).toEqual({ seriesCount: 0, labels: {} });
});
