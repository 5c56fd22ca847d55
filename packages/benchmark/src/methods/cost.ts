import type { PriceList } from "@stashlight/contracts/endpoint";
import type { BenchmarkStage } from "@stashlight/contracts/sample";
import type { Estimate } from "./method.ts";

const BYTES_IN_GB = 1e9;
const DAYS_IN_MONTH = 30;

/**
 * Returns a run's cost in US dollars by a price list. Lists are charged like PUTs and HEADs like GETs; deletes are
 * free. Storage is charged for the price list's minimum number of days, and at least for an hour.
 */
export function requestCost(
  { requests, downloadedBytes, storedBytes }: Pick<Estimate, "requests" | "downloadedBytes" | "storedBytes">,
  prices: PriceList,
): number {
  const puts = ((requests.put + requests.list) / 1000) * prices.perThousandPuts;
  const gets = ((requests.get + requests.head) / 1000) * prices.perThousandGets;
  const egress = (downloadedBytes / BYTES_IN_GB) * prices.perGbEgress;
  const storedDays = Math.max(prices.minimumStorageDays, 1 / 24);
  const storage = (storedBytes / BYTES_IN_GB) * prices.perGbMonth * (storedDays / DAYS_IN_MONTH);
  return puts + gets + egress + storage;
}

/** Returns a stage's cost in US dollars from its requests, its downloads, and its storage for the minimum time. */
export function costOfStage(
  { requests, uploadedBytes, downloadedBytes }: BenchmarkStage,
  prices: PriceList,
): number {
  const asked = { ...requests, head: 0, list: 0 };
  return requestCost({ requests: asked, downloadedBytes, storedBytes: uploadedBytes }, prices);
}
