/** Certificates of a vault's nodes, and the progress of their renewal. */

import type { MetricAnswer, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { certificateMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import { formatCount, formatDateTime, type Status } from "@stashlight/ui";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";

const metric = "stashlight_certificate_remaining_seconds";
const labels = ["node", "certificate", "issuer"] satisfies SeriesLabel[];

export const certificateSelections = (nodeIds: string[] | undefined): MetricSelection[] => [
  { metric, nodeIds, groupBy: [...labels], across: "min", summarise: true },
];

/** First of a node's certificates to expire. */
export interface NodeCertificate {
  readonly node: string;
  readonly issuer: string;
  readonly validUntilMs: number;
  /** Whole days until it expires, negative afterwards. */
  readonly daysLeft: number;
}

export interface Certificates {
  readonly byNode: ReadonlyMap<string, NodeCertificate>;
  /** Sentence about all certificates. */
  readonly summary: string;
  readonly status: Status;
  readonly renewal: Renewal;
}

export interface Renewal {
  /** True if some nodes have a newer certificate than others. */
  readonly isUnderWay: boolean;
  /** From 0 to 1. */
  readonly doneShare: number;
  /** "3 of 5 nodes, valid until 2027-02-24; pod-1 has an older one" */
  readonly detail: string;
}

/** Certificates of one renewal expire within a day of each other, because a renewal takes minutes. */
const ONE_RENEWAL_MS = DAY_MS;

/** Null if no node reports a certificate, as in a vault without an authority. */
export function readCertificates(answers: readonly MetricAnswer[], atMs: number): Certificates | null {
  const byNode = new Map<string, NodeCertificate>();
  for (const { labels: of, endMs, columns } of answerTo(answers, metric)?.series ?? []) {
    const seconds = columns.kind === "gauge" ? columns.last.at(-1) : undefined;
    const toldMs = endMs.at(-1);
    if (seconds === undefined || toldMs === undefined) continue;
    const { node = "", issuer = "" } = of;
    const validUntilMs = toldMs + seconds * 1000;
    if (validUntilMs >= (byNode.get(node)?.validUntilMs ?? Number.POSITIVE_INFINITY)) continue;
    byNode.set(node, { node, issuer, validUntilMs, daysLeft: Math.floor((validUntilMs - atMs) / DAY_MS) });
  }
  const firstToEnd = [...byNode.values()].sort((a, b) => a.validUntilMs - b.validUntilMs);
  if (firstToEnd.length === 0) return null;
  return { byNode, ...judgeCertificates(firstToEnd), renewal: judgeRenewal(firstToEnd) };
}

function judgeCertificates(firstToEnd: readonly NodeCertificate[]): Pick<Certificates, "summary" | "status"> {
  const [first] = firstToEnd as [NodeCertificate];
  const { alertDaysLeft, renewDaysLeft } = certificateMarks;
  const ended = firstToEnd.filter(({ daysLeft }) => daysLeft < 0);
  if (ended.length > 0) return { summary: `${subject(ended, "has", "have")} expired`, status: "bad" };
  const due = firstToEnd.filter(({ daysLeft }) => daysLeft < renewDaysLeft);
  if (due.length === 0)
    return { summary: `All certificates are valid for ${formatDaysLeft(first)} or more`, status: "good" };
  return {
    summary: `${subject(due, "expires", "expire")} within ${renewDaysLeft} days, ${due.length === 1 ? "" : "the first "}in ${formatDaysLeft(first)}`,
    status: first.daysLeft < alertDaysLeft ? "bad" : "warning",
  };
}

function subject(some: readonly NodeCertificate[], one: string, many: string): string {
  return some.length === 1
    ? `The certificate of ${some[0]?.node} ${one}`
    : `${formatCount(some.length)} certificates ${many}`;
}

const formatDaysLeft = ({ daysLeft }: NodeCertificate): string =>
  `${daysLeft} ${daysLeft === 1 ? "day" : "days"}`;

function judgeRenewal(firstToEnd: readonly NodeCertificate[]): Renewal {
  const newestMs = firstToEnd.at(-1)?.validUntilMs ?? 0;
  const old = firstToEnd.filter(({ validUntilMs }) => validUntilMs < newestMs - ONE_RENEWAL_MS);
  const doneCount = firstToEnd.length - old.length;
  const until = `valid until ${formatDateTime(newestMs).slice(0, "2027-02-24".length)}`;
  const others = old.length === 1 ? "" : ` and ${formatCount(old.length - 1)} more`;
  const waiting =
    old.length === 0 ? "" : `; ${old[0]?.node}${others} ${old.length === 1 ? "has" : "have"} an older one`;
  return {
    isUnderWay: old.length > 0,
    doneShare: doneCount / firstToEnd.length,
    detail: `${formatCount(doneCount)} of ${formatCount(firstToEnd.length)} nodes, ${until}${waiting}`,
  };
}

/** Command for the machine with the folder that `vault create` made; the folder has the vault's name by default. */
export const renewCommand = (vault: string): string => `npm run stashlight -- vault renew --folder ${vault}`;
