export type TextFormat = "prometheus" | "openmetrics";
export type ExpositionFormat = TextFormat | "protobuf";

const OPENMETRICS = "application/openmetrics-text";
const PROTOBUF = "application/vnd.google.protobuf";
const FAMILY = "io.prometheus.client.metricfamily";

interface Accepted {
  readonly type: string;
  readonly version: string;
  /** Name of the protobuf message, and how messages are framed. */
  readonly proto: string;
  readonly encoding: string;
  /** From 0 (never) to 1. */
  readonly weight: number;
}

/**
 * Chooses the format for a scrape's Accept header: protobuf if it is named and no other format is preferred, as
 * scrapers of native histograms request; OpenMetrics if it is named in the version written here and preferred at least
 * as much as plain text; otherwise plain text, which every scraper reads. Wildcards select neither.
 */
export function formatFor(accept: string | undefined): ExpositionFormat {
  const accepted = (accept ?? "").toLowerCase().split(",").map(parseAccepted);
  const highestWeight = (isMeant: (each: Accepted) => boolean): number =>
    Math.max(0, ...accepted.filter(isMeant).map(({ weight }) => weight));
  const openMetrics = highestWeight(
    ({ type, version }) => type === OPENMETRICS && (version === "" || version === "1.0.0"),
  );
  const plain = highestWeight(
    ({ type, version }) => type === "text/plain" && (version === "" || version === "0.0.4"),
  );
  const protobuf = highestWeight(
    ({ type, proto, encoding }) => type === PROTOBUF && proto === FAMILY && encoding === "delimited",
  );
  if (protobuf > 0 && protobuf >= Math.max(openMetrics, plain)) return "protobuf";
  return openMetrics > 0 && openMetrics >= plain ? "openmetrics" : "prometheus";
}

function parseAccepted(text: string): Accepted {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const parameter = (name: string): string | undefined =>
    parameters
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replaceAll('"', "");
  const weight = Number(parameter("q") ?? 1);
  const [version = "", proto = "", encoding = ""] = ["version", "proto", "encoding"].map(parameter);
  return { type, version, proto, encoding, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}
