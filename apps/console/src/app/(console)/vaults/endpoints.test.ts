import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { endpointVaults } from "./endpoints.ts";

const makeSeries = (labels: MetricSeries["labels"], endMs: number[], last: number[]): MetricSeries => ({
  labels,
  endMs,
  columns: { kind: "gauge", min: last, max: last, avg: last, last },
});
const answer = (metric: MetricName, ...series: MetricSeries[]) =>
  ({ metric, series }) as unknown as MetricAnswer;
const states = (...told: [vault: string, state: string, endMs: number[]][]) =>
  answer(
    "stashlight_endpoint_vault_info",
    ...told.map(([vault, state, endMs]) =>
      makeSeries(
        { endpoint: "first", vault, state },
        endMs,
        endMs.map(() => 1),
      ),
    ),
  );

test("each vault shows its last reported state, with its share and its space", () => {
  const rows = endpointVaults([
    states(["second", "open", [10, 20, 30]], ["first", "open", [10, 20]], ["first", "full", [30]]),
    answer(
      "stashlight_new_keys_ratio",
      makeSeries({ vault: "first" }, [30], [0]),
      makeSeries({ vault: "second" }, [30], [1]),
    ),
    answer("stashlight_endpoint_free_bytes", makeSeries({ vault: "second" }, [30], [600])),
    answer("stashlight_endpoint_capacity_bytes", makeSeries({ vault: "second" }, [30], [1000])),
    answer("stashlight_endpoint_epoch", makeSeries({ vault: "second" }, [30], [3])),
    answer("stashlight_endpoint_epochs_ratio", makeSeries({ vault: "second" }, [30], [0.25])),
  ]);
  const unknown = { freeBytes: null, capacityBytes: null, epoch: null, epochsShare: null };
  expect(rows).toEqual([
    { endpoint: "first", vault: "first", state: "full", newKeysShare: 0, ...unknown },
    {
      endpoint: "first",
      vault: "second",
      state: "open",
      newKeysShare: 1,
      freeBytes: 600,
      capacityBytes: 1000,
      epoch: 3,
      epochsShare: 0.25,
    },
  ]);
});

test("space reported before a vault went away is not shown as current", () => {
  const rows = endpointVaults([
    states(["second", "unreachable", [30]]),
    answer("stashlight_endpoint_free_bytes", makeSeries({ vault: "second" }, [20], [600])),
  ]);
  expect(rows).toMatchObject([{ state: "unreachable", freeBytes: null }]);
});

test("the worse state counts when coordinators differ, and an endpoint with one vault is left out", () => {
  expect(endpointVaults([states(["first", "open", [30]], ["first", "unreachable", [30]])])).toMatchObject([
    { state: "unreachable" },
  ]);
  expect(endpointVaults([states()])).toEqual([]);
});
