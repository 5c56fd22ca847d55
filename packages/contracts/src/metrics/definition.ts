/** Labels whose values are known beforehand; the values of all others are names from configuration or reasons. */
export const metricLabelValues = {
  /** A vault's drives have their agent's tier; drives of other machines have the tier of their medium. */
  tier: ["pod", "stash", "coordinator", "host", "hdd", "ssd"],
  path: ["stash", "direct"],
  set: ["pods", "stash"],
  size_class: ["to-64KiB", "to-256KiB", "to-1MiB", "to-16MiB", "over-16MiB"],
  /** Ceph's database, its write-ahead log, and the overflow of both; ZFS' log devices, and its pool without them. */
  part: ["db", "wal", "slow", "log", "pool"],
  /**
   * A vault behind an endpoint takes new keys, or is passed over: it is full or unreachable, no epoch has given it keys
   * yet, or it does not belong to the endpoint.
   */
  state: ["open", "full", "unreachable", "joining", "refused"],
  /**
   * Reason for missing SMART data of a drive: no smartctl, no rights, a drive without SMART such as a virtual one, or
   * an answer that cannot be parsed.
   */
  silence: ["not_installed", "not_permitted", "unsupported", "unreadable"],
  /** The certificate that a node presents to other nodes, and the one that its S3 endpoint presents to clients. */
  certificate: ["node", "s3"],
  /** Resources for which a machine's processes wait. */
  resource: ["cpu", "memory", "io"],
} as const;

export type Tier = (typeof metricLabelValues.tier)[number];
export type EndpointVaultState = (typeof metricLabelValues.state)[number];
export type SmartSilence = (typeof metricLabelValues.silence)[number];
export type UploadPath = (typeof metricLabelValues.path)[number];
export type SizeClass = (typeof metricLabelValues.size_class)[number];

export type MetricLabel =
  | keyof typeof metricLabelValues
  | "device"
  | "filesystem"
  | "pod"
  | "stash"
  | "peer"
  | "source"
  | "endpoint"
  | "operation"
  | "operator"
  | "process"
  | "status"
  | "result"
  | "reason"
  | "metric"
  | "machine"
  | "model"
  | "serial"
  | "firmware"
  | "version"
  | "issuer"
  | "url"
  | "region";

export type MetricKind = "counter" | "gauge" | "histogram";

export type MetricUnit =
  | "seconds"
  | "bytes"
  | "records"
  | "shards"
  | "segments"
  | "ratio"
  | "count"
  | "info"
  | "celsius"
  | "boolean";

/** Lowest and highest power of two that bound a histogram's buckets in Prometheus text. */
export interface OctaveRange {
  readonly lowest: number;
  readonly highest: number;
}

export interface MetricDefinition {
  readonly kind: MetricKind;
  readonly unit: MetricUnit;
  /** One sentence. */
  readonly help: string;
  readonly labels: readonly MetricLabel[];
  /** Measured on a drive, so the label `modelled` is also allowed. */
  readonly isOfDrive?: true;
  /** Only for histograms. */
  readonly octaves?: OctaveRange;
}

/** Metrics as the catalogue's files describe them; kind and unit follow from the name. */
export type DescribedMetrics = Readonly<
  Record<string, Omit<MetricDefinition, "kind" | "unit" | "labels"> & Partial<MetricDefinition>>
>;

/** Tiers whose drives are judged by the same limits, by a vault's tier: SSDs as the stash's, HDDs as the pods'. */
export const tiersAlike = {
  stash: ["stash", "ssd"],
  pod: ["pod", "hdd"],
} as const satisfies Partial<Record<Tier, readonly Tier[]>>;

/** Labels of a measurement on a drive of the stash or of a pod. */
export const onDrive = { labels: ["tier", "device"], isOfDrive: true } as const;
export const onStash = { labels: ["stash", "device"], isOfDrive: true } as const;
export const onPod = { labels: ["pod", "device"], isOfDrive: true } as const;

const sizeClassBounds: readonly (readonly [SizeClass, number])[] = [
  ["to-64KiB", 65_536],
  ["to-256KiB", 262_144],
  ["to-1MiB", 1_048_576],
  ["to-16MiB", 16_777_216],
];

/** Returns the class of an upload of this size; each class includes its upper bound. */
export function toSizeClass(sizeBytes: number): SizeClass {
  return sizeClassBounds.find(([, bytesMax]) => sizeBytes <= bytesMax)?.[0] ?? "over-16MiB";
}

/** Exclusive lower and inclusive upper bound; the last class has no upper bound. */
export function sizeClassBytes(sizeClass: SizeClass): readonly [number, number] {
  const at = sizeClassBounds.findIndex(([name]) => name === sizeClass);
  if (at === -1) return [sizeClassBounds.at(-1)?.[1] ?? 0, Number.POSITIVE_INFINITY];
  return [sizeClassBounds[at - 1]?.[1] ?? 0, sizeClassBounds[at]?.[1] ?? 0];
}
