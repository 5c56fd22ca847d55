import type { PriceList } from "@stashlight/contracts/benchmark/endpoint";
import type { Estimate } from "./method.ts";

const BYTES_IN_GB = 1e9;
const DAYS_IN_MONTH = 30;

/**
 * US dollars of a run by a price list. Lists are charged like PUTs and HEADs like GETs, deletes are free; what is
 * stored is charged for the list's least number of days, or for an hour.
 */
export function costOf({ requests, downloadedBytes, storedBytes }: Estimate, prices: PriceList): number {
  const puts = ((requests.put + requests.list) / 1000) * prices.perThousandPuts;
  const gets = ((requests.get + requests.head) / 1000) * prices.perThousandGets;
  const egress = (downloadedBytes / BYTES_IN_GB) * prices.perGbEgress;
  const storedDays = Math.max(prices.minimumStorageDays, 1 / 24);
  const storage = (storedBytes / BYTES_IN_GB) * prices.perGbMonth * (storedDays / DAYS_IN_MONTH);
  return puts + gets + egress + storage;
}
