/** Lines about the values that a scenario takes from the live vault, with their samples. */
import type { LiveDistribution, LiveVault } from "@stashlight/contracts/planner";
import { formatCount } from "@stashlight/ui";

export function saidOfLive(live: LiveVault): string[] {
  const { uploads, overlappingShare, alike } = live;
  const distributions: readonly (readonly [string, LiveDistribution | null])[] = [
    ["An upload apart from its wait for quorums", live.processor],
    ["A message to or from a pod", live.messages],
    ["A message to or from the stash", live.stashMessages],
    ["A sync of the stash", live.stashSync],
    ["A sync of a pod", live.podSync],
  ];
  return [
    ...(uploads === null
      ? []
      : [
          `Uploads through the stash: n ${formatCount(uploads.sampleCount)}${overlappingShare === null ? "" : `, ${formatPercent(overlappingShare)} of them overlapped with another`}.`,
        ]),
    ...distributions.map(([name, measured]) => `${name}: ${describeDistribution(measured)}.`),
    alike === null
      ? "Correlation of an upload's delays: not measured."
      : `Correlation of delays, from 0 to 1: shards on pods ${alike.pods}, shards on the stash ${alike.stash}, the two ${alike.sets}.`,
  ];
}

function describeDistribution(measured: LiveDistribution | null): string {
  if (measured === null) return "not measured";
  const { sampleCount, quantiles } = measured;
  const [, medianUs] = quantiles.find(([share]) => share >= 0.5) ?? [1, 0];
  return `median ${(medianUs / 1000).toPrecision(2)} ms, n ${formatCount(sampleCount)}`;
}

const formatPercent = (share: number): string => `${(share * 100).toFixed(1)} %`;
