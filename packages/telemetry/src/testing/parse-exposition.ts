/**
 * Reads Prometheus text 0.0.4 and OpenMetrics 1.0 strictly by their specifications: throws where a scraper would refuse
 * or misread. Shares no code with the writer.
 */
import type { TextFormat } from "../exposition/negotiation.ts";

export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  help?: string;
  type?: string;
  unit?: string;
  readonly samples: ParsedSample[];
}

const METADATA = /^# (HELP|TYPE|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const NUMBER = /^[+-]?(\d+(\.\d+)?(e[+-]?\d+)?|Inf)$|^NaN$/;

export function parseExposition(text: string, format: TextFormat): ParsedFamily[] {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("the last line has no end");
  if (format === "openmetrics" && lines.pop() !== "# EOF") throw new Error("there is no # EOF");
  const families: ParsedFamily[] = [];
  for (const line of lines) parseLine(line, families, format);
  const names = families.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error("a family is in two pieces");
  for (const family of families) checkFamily(family, format);
  return families;
}

function parseLine(line: string, families: ParsedFamily[], format: TextFormat): void {
  const metadata = METADATA.exec(line);
  if (metadata) {
    const [, kind = "", name = "", text = ""] = metadata;
    if (families.at(-1)?.name !== name) families.push({ name, samples: [] });
    const family = families.at(-1) as ParsedFamily;
    const key = kind.toLowerCase() as "help" | "type" | "unit";
    if (key === "unit" && format !== "openmetrics") throw new Error(`unknown to this format: ${line}`);
    if (family[key] !== undefined || family.samples.length > 0) throw new Error(`late or twice: ${line}`);
    family[key] =
      key === "help" ? unescapeText(text, format === "openmetrics" ? /\\(["\\n])/g : /\\([\\n])/g) : text;
    return;
  }
  const sample = SAMPLE.exec(line);
  if (!sample) throw new Error(`not a line of this format: ${line}`);
  const [, name = "", labels = "", value = ""] = sample;
  const family = families.at(-1);
  if (!family?.type || !suffixes(family.type, format).some((suffix) => name === family.name + suffix)) {
    throw new Error(`a sample outside its family: ${line}`);
  }
  if (!NUMBER.test(value)) throw new Error(`not a number: ${line}`);
  family.samples.push({ name, labels: parseLabels(labels), value: Number(value.replace("Inf", "Infinity")) });
}

function suffixes(type: string, format: TextFormat): string[] {
  if (type === "histogram") return ["_bucket", "_sum", "_count"];
  return type === "counter" && format === "openmetrics" ? ["_total"] : [""];
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    const match = LABEL.exec(text);
    if (!match) throw new Error(`not labels: ${text.slice(at)}`);
    const [, name = "", value = ""] = match;
    if (name in labels) throw new Error(`a label twice: ${text}`);
    labels[name] = unescapeText(value, /\\(["\\n])/g);
    at = LABEL.lastIndex;
  }
  return labels;
}

const unescapeText = (text: string, escapes: RegExp): string =>
  text.replace(escapes, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));

function checkFamily(family: ParsedFamily, format: TextFormat): void {
  const { name, type, unit, samples } = family;
  const keys = samples.map((sample) => sample.name + JSON.stringify(Object.entries(sample.labels).sort()));
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a series twice`);
  if (unit !== undefined && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end with its unit`);
  if (type === "counter") {
    if (format === "openmetrics" && name.endsWith("_total"))
      throw new Error(`${name} has its sample's suffix`);
    if (samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below zero`);
  }
  if (type === "histogram") checkHistograms(family);
}

function checkHistograms({ name, samples }: ParsedFamily): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest));
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number((labels.le ?? "").replace("Inf", "Infinity")));
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} lacks the bucket +Inf`);
    for (let i = 1; i < buckets.length; i += 1) {
      const isRising = (bounds[i] as number) > (bounds[i - 1] as number);
      if (!isRising || (buckets[i]?.value ?? 0) < (buckets[i - 1]?.value ?? 0)) {
        throw new Error(`${name} has buckets that fall`);
      }
    }
    const only = (suffix: string) => group.filter((sample) => sample.name === name + suffix);
    if (only("_sum").length !== 1 || only("_count").length !== 1)
      throw new Error(`${name} lacks sum or count`);
    if (only("_count")[0]?.value !== buckets.at(-1)?.value) throw new Error(`${name} has two counts`);
  }
}
