/** Describes a forecast in one sentence, with its severity. */

import type { HealthState, StoreProfile } from "@stashlight/contracts/health";
import { filesystemMarks, onePostgresMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import type { Forecast, Growth, Limit } from "./forecast.ts";

const limitWords: Readonly<Record<Limit, string>> = {
  nodes: `about ${onePostgresMarks.nodesMax.toLocaleString("en-US")} nodes`,
  rows: `about ${onePostgresMarks.rowsPerSecondMax.toLocaleString("en-US")} rows per second`,
  size: `about ${onePostgresMarks.sizeBytesMax / 1e12} TB of measurements`,
  disk: `${filesystemMarks.warningShare * 100} % of the database's disk`,
};

const compressing = "TimescaleDB, whose community edition compresses old buckets, or Citus";
const afterPlain: Readonly<Record<Limit, string>> = {
  nodes: "TimescaleDB or Citus",
  rows: "Citus, which spreads rows over machines",
  size: compressing,
  disk: `a larger disk, or ${compressing}`,
};
const nextProfile = (profile: StoreProfile, limit: Limit): string =>
  profile === "plain" ? afterPlain[limit] : limit === "disk" ? "a larger disk, or Citus" : "Citus";

const rounded = (value: number): string => String(Number(value.toPrecision(2)));
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
const inDays = ({ days }: Growth): string => plural(Math.floor(days), "day");

export function describeForecast(
  found: Forecast,
  profile: StoreProfile,
  nowMs: number,
): { state: HealthState; sentence: string } {
  switch (found.kind) {
    case "spread":
      return {
        state: "good",
        sentence:
          "The metric store is spread over machines by Citus: when it needs more space, add a machine; no other profile is needed.",
      };
    case "outgrown":
      return {
        state: "warning",
        sentence: `One Postgres is outgrown, at ${limitWords[found.limit]}: use ${nextProfile(profile, found.limit)}.`,
      };
    case "too-little-history":
      return {
        state: "unknown",
        sentence: `Not enough history yet: ${found.haveDays} of ${found.neededDays} days since the first node.`,
      };
    case "too-few-nodes":
      return {
        state: "unknown",
        sentence: `No forecast: in ${inDays(found.growth)} the nodes changed by ${found.growth.netCount}, and a rate needs ${onePostgresMarks.growthNodesMin}.`,
      };
    case "foreseen":
      return foreseen(found, profile, nowMs);
    case "beyond-horizon": {
      const { growth } = found;
      const few = growth.netCount < onePostgresMarks.growthNodesMin;
      const rate = few
        ? `With ${Math.abs(growth.netCount)} nodes ${growth.netCount < 0 ? "fewer" : "more"} in ${inDays(growth)}`
        : `At ${rounded(growth.nodesPerMonth)} nodes per month`;
      return {
        state: "good",
        sentence: `${rate}, one Postgres suffices for more than ${onePostgresMarks.horizonYears} years.`,
      };
    }
  }
}

function foreseen(
  { limit, atMs, earliestMs, latestMs, nodeCount, growth }: Extract<Forecast, { kind: "foreseen" }>,
  profile: StoreProfile,
  nowMs: number,
): { state: HealthState; sentence: string } {
  const isNear = atMs - nowMs <= onePostgresMarks.noticeDays * DAY_MS;
  // A forecast of years is too uncertain to name a month.
  const named = (ms: number) =>
    new Date(ms).toLocaleDateString("en-GB", {
      year: "numeric",
      ...(isNear ? { month: "long" } : {}),
      timeZone: "UTC",
    });
  const earliest = named(earliestMs);
  const latest =
    latestMs === null ? `more than ${onePostgresMarks.horizonYears} years ahead` : named(latestMs);
  const range = earliest === latest ? "" : ` (95 %: ${earliest} to ${latest})`;
  const reached =
    limit === "nodes"
      ? limitWords.nodes
      : `${limitWords[limit]} with ${nodeCount.toLocaleString("en-US")} nodes`;
  const rate = `At ${rounded(growth.nodesPerMonth)} nodes per month`;
  return {
    state: isNear ? "warning" : "good",
    sentence: `${rate}, one Postgres is outgrown in ${named(atMs)}${range} by ${reached}. Then use ${nextProfile(profile, limit)}.`,
  };
}
