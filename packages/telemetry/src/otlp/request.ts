/**
 * The parts of OTLP's ExportMetricsServiceRequest that are read, and its answers. opentelemetry-proto 1.x, metrics/v1.
 */
import { fromJson, fromProtobuf, lazily, type Messages, many, one, type Schema } from "./message.ts";

export interface OtlpAttribute {
  readonly key?: string;
  readonly value?: {
    readonly stringValue?: string;
    readonly boolValue?: boolean;
    readonly intValue?: number;
    readonly doubleValue?: number;
  };
}

interface OtlpPoint {
  readonly attributes?: readonly OtlpAttribute[];
  readonly startTimeUnixNano?: number;
  readonly timeUnixNano?: number;
  readonly flags?: number;
}

export interface OtlpNumber extends OtlpPoint {
  readonly asDouble?: number;
  readonly asInt?: number;
}

export interface OtlpBuckets {
  readonly offset?: number;
  readonly bucketCounts?: readonly number[];
}

export interface OtlpExponential extends OtlpPoint {
  readonly count?: number;
  readonly sum?: number;
  readonly scale?: number;
  readonly zeroCount?: number;
  readonly positive?: OtlpBuckets;
  readonly negative?: OtlpBuckets;
  readonly min?: number;
  readonly max?: number;
  readonly zeroThreshold?: number;
}

interface OtlpData<Point extends OtlpPoint> {
  /** Iteration throws `invalid_input` at a malformed point. */
  readonly dataPoints?: Messages<Point>;
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
}

export interface OtlpMetric {
  readonly name?: string;
  readonly unit?: string;
  readonly gauge?: OtlpData<OtlpNumber>;
  readonly sum?: OtlpData<OtlpNumber>;
  readonly exponentialHistogram?: OtlpData<OtlpExponential>;
  /** Read only so that their points can be refused. */
  readonly histogram?: OtlpData<OtlpPoint>;
  readonly summary?: OtlpData<OtlpPoint>;
}

interface OtlpRequest {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics?: readonly { readonly metrics?: readonly OtlpMetric[] }[];
  }[];
}

export const DELTA = 1;
export const NO_RECORDED_VALUE = 1;

const attributes = (number: number) =>
  many(number, {
    key: one(1, "string"),
    value: one(2, {
      stringValue: one(1, "string"),
      boolValue: one(2, "bool"),
      intValue: one(3, "int"),
      doubleValue: one(4, "double"),
    }),
  });
const times = { startTimeUnixNano: one(2, "fixed64"), timeUnixNano: one(3, "fixed64") };
const numberPoint: Schema = {
  ...times,
  asDouble: one(4, "double"),
  asInt: one(6, "sfixed64"),
  attributes: attributes(7),
  flags: one(8, "uint"),
};
const buckets: Schema = { offset: one(1, "sint"), bucketCounts: many(2, "uint") };
const exponentialPoint: Schema = {
  ...times,
  attributes: attributes(1),
  count: one(4, "fixed64"),
  sum: one(5, "double"),
  scale: one(6, "sint"),
  zeroCount: one(7, "fixed64"),
  positive: one(8, buckets),
  negative: one(9, buckets),
  flags: one(10, "uint"),
  min: one(12, "double"),
  max: one(13, "double"),
  zeroThreshold: one(14, "double"),
};
const temporality = { aggregationTemporality: one(2, "uint") };
const metric: Schema = {
  name: one(1, "string"),
  unit: one(3, "string"),
  gauge: one(5, { dataPoints: lazily(1, numberPoint) }),
  sum: one(7, { dataPoints: lazily(1, numberPoint), ...temporality, isMonotonic: one(3, "bool") }),
  histogram: one(9, { dataPoints: lazily(1, times), ...temporality }),
  exponentialHistogram: one(10, { dataPoints: lazily(1, exponentialPoint), ...temporality }),
  summary: one(11, { dataPoints: lazily(1, times) }),
};
const request: Schema = {
  resourceMetrics: many(1, { scopeMetrics: many(2, { metrics: many(2, metric) }) }),
};

export type OtlpEncoding = "protobuf" | "json";

/**
 * Returns the metrics of all resources and scopes of a request. Throws `invalid_input` for bytes that are not one.
 */
export function readOtlpMetrics(bytes: Uint8Array, encoding: OtlpEncoding): OtlpMetric[] {
  const read = (encoding === "json" ? fromJson : fromProtobuf)(request, bytes) as OtlpRequest;
  return (read.resourceMetrics ?? []).flatMap(({ scopeMetrics = [] }) =>
    scopeMetrics.flatMap(({ metrics = [] }) => metrics),
  );
}
