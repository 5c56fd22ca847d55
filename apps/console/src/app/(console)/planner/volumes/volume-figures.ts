/** Data of a volume's two charts. */
import { type ElapsedLine, type PreparedFigure, prepareElapsed } from "@stashlight/ui/figure";
import type { VolumeAnswer } from "./volume-answer.ts";

const round = (value: number): number => Number(value.toPrecision(6));
const isHdd = ({ volume }: VolumeAnswer): boolean => volume.type === "st1" || volume.type === "sc1";

/** Demand and served load. */
export function servedFigure(answer: VolumeAnswer): PreparedFigure {
  const { pieces, seconds } = answer.served;
  const lines: ElapsedLine[] = [
    {
      id: "demand",
      label: "requested",
      tone: "unknown",
      isDashed: true,
      points: pieces.flatMap(({ fromSeconds, toSeconds, demandIops }) => [
        [fromSeconds, demandIops],
        [toSeconds, demandIops],
      ]),
    },
    {
      id: "served",
      label: "done",
      tone: isHdd(answer) ? "pod" : "stash",
      points: pieces.flatMap(({ fromSeconds, toSeconds, servedIops }) => [
        [fromSeconds, servedIops],
        [toSeconds, servedIops],
      ]),
    },
  ];
  return prepareElapsed({
    seconds,
    quantity: "count",
    lines,
    columns: ["From, s", "To, s", "Requested, IOPS", "Served, IOPS", "Waiting at the end, I/Os"],
    rows: pieces.map(({ fromSeconds, toSeconds, demandIops, servedIops, queueTo }) => [
      round(fromSeconds),
      round(toSeconds),
      round(demandIops),
      round(servedIops),
      Math.round(queueTo),
    ]),
  });
}

/** Fill of the credit bucket; empty for a volume without one. */
export function creditsFigure(answer: VolumeAnswer): PreparedFigure {
  const { rates, served } = answer;
  const { bucketCredits } = rates;
  const pieces = bucketCredits > 0 ? served.pieces : [];
  const share = (credits: number): number => (bucketCredits > 0 ? credits / bucketCredits : 0);
  return prepareElapsed({
    seconds: served.seconds,
    quantity: "ratio",
    lines: [
      {
        id: "credits",
        label: "credits",
        tone: isHdd(answer) ? "pod" : "stash",
        points: pieces.flatMap(({ fromSeconds, toSeconds, creditsFrom, creditsTo }) => [
          [fromSeconds, share(creditsFrom)],
          [toSeconds, share(creditsTo)],
        ]),
      },
    ],
    columns: ["From, s", "To, s", "Credits from", "Credits to"],
    rows: pieces.map(({ fromSeconds, toSeconds, creditsFrom, creditsTo }) => [
      round(fromSeconds),
      round(toSeconds),
      Math.round(creditsFrom),
      Math.round(creditsTo),
    ]),
  });
}
