export type ExpositionFormat = "prometheus" | "openmetrics";

const OPENMETRICS = "application/openmetrics-text";

interface Accepted {
  readonly type: string;
  readonly version: string;
  /** From 0, never, to 1. */
  readonly weight: number;
}

/**
 * The format for a scrape's Accept header: OpenMetrics where it is named, in the version we write, and at least as wanted
 * as plain text; else the format that every scraper reads. Wildcards do not ask for OpenMetrics.
 */
export function formatFor(accept: string | undefined): ExpositionFormat {
  const accepted = (accept ?? "").toLowerCase().split(",").map(parseAccepted);
  const weightOf = (isMeant: (each: Accepted) => boolean): number =>
    Math.max(0, ...accepted.filter(isMeant).map(({ weight }) => weight));
  const openMetrics = weightOf(
    ({ type, version }) => type === OPENMETRICS && (version === "" || version === "1.0.0"),
  );
  const plain = weightOf(
    ({ type, version }) => type === "text/plain" && (version === "" || version === "0.0.4"),
  );
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
  return { type, version: parameter("version") ?? "", weight: weight >= 0 && weight <= 1 ? weight : 0 };
}
