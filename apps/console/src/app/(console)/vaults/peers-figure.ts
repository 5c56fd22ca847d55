/** Latency of a drive's syncs against its throughput, with its peers, their fit, and the limit. */
import type { DrivePeers, PeerPoint } from "@stashlight/contracts/disk";
import type { Status } from "@stashlight/ui";
import { type PreparedFigure, prepareCurves } from "@stashlight/ui/figure";

const MB = 1e6;
const TICK_COUNT = 5;
const STEPS = [1, 2, 5, 10];

/** Points beyond the fitted load are not judged and not drawn. */
export function peersFigure(device: string, { own, peers, curve, state }: DrivePeers): PreparedFigure {
  const xMax = (curve.at(-1)?.bytesPerSecond ?? 0) / MB;
  const place = ({ bytesPerSecond, latencySeconds }: PeerPoint) =>
    [bytesPerSecond / MB, latencySeconds] as const;
  const inside = (points: readonly PeerPoint[]) => points.map(place).filter(([x]) => x <= xMax);
  const isBad = state === "slow" || state === "watch";
  return prepareCurves(
    [
      { label: "peers’ fit", tone: "pod", isDashed: false, points: curve.map(place) },
      {
        label: "limit",
        tone: "warning",
        isDashed: true,
        points: curve.map(({ bytesPerSecond, limitSeconds }) => [bytesPerSecond / MB, limitSeconds] as const),
      },
    ],
    {
      quantity: "seconds",
      yLabel: "mean sync, s",
      xLabel: "written, MB/s",
      xMax,
      xTicks: ticksUpTo(xMax),
      clouds:
        xMax > 0
          ? [
              { label: "peers", tone: "pod", isHollow: true, points: inside(peers) },
              { label: device, tone: isBad ? "bad" : "accent-ink", isHollow: false, points: inside(own) },
            ]
          : [],
    },
  );
}

function ticksUpTo(max: number): { readonly x: number; readonly label: string }[] {
  if (!(max > 0)) return [];
  const magnitude = 10 ** Math.floor(Math.log10(max / TICK_COUNT));
  const step = magnitude * (STEPS.find((each) => each * magnitude >= max / TICK_COUNT) ?? 10);
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, at) => {
    const x = at * step;
    return { x, label: `${Number(x.toPrecision(3))}` };
  });
}

export const peersStatus: Readonly<Record<DrivePeers["state"], Status>> = {
  unknown: "unknown",
  "as peers": "good",
  watch: "warning",
  slow: "bad",
};
