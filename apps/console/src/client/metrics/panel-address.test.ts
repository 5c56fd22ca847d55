import { type MetricPanel, readPanel } from "@stashlight/contracts/metrics";
import { createLoader } from "nuqs/server";
import { expect, test } from "vitest";
import { explorerHref, panelParams } from "./panel-address.ts";
import { wordsOfParams } from "./panel-in-address.ts";

const load = createLoader(panelParams);
const wordsIn = (href: string) => wordsOfParams(load(new URL(href, "http://console").searchParams));

test("a panel survives a round trip through its address, even with separators in its values", () => {
  const panel: MetricPanel = {
    metric: "stashlight_fsync_seconds",
    where: { tier: ["stash", "ssd"], device: ["a,b", "c:d", "e&f=g"] },
    splitBy: "device",
    statistic: "max",
  };
  const words = wordsIn(explorerHref(panel));
  expect(words && readPanel(words)).toEqual({ panel });
});

test("the address keeps the page's time and vaults", () => {
  const panel: MetricPanel = {
    metric: "stashlight_uploads_total",
    where: {},
    splitBy: null,
    statistic: "rate",
  };
  const href = explorerHref(panel, "?from=now-6h&to=now&scope=east");
  expect(href).toMatch(/^\/explorer\?/);
  expect(Object.fromEntries(new URL(href, "http://console").searchParams)).toMatchObject({
    from: "now-6h",
    to: "now",
    scope: "east",
    metric: "stashlight_uploads_total",
    stat: "rate",
  });
});

test("a typed address needs no statistic, but is not a chart without a metric", () => {
  expect(wordsIn("/explorer?metric=stashlight_fsync_seconds")).toMatchObject({ statistic: "percentiles" });
  expect(wordsIn("/explorer?metric=stashlight_fsync_seconds&by=device")).toMatchObject({ statistic: "p99" });
  expect(wordsIn("/explorer?stat=p99")).toBeNull();
});
