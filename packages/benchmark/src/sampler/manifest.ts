/** Manifest of a run, stored with it as JSON so that it can be judged and repeated. */
import { arch, cpus, hostname, loadavg, platform, release, totalmem } from "node:os";
import packageJson from "../../package.json" with { type: "json" };
import type { EndpointTarget } from "../endpoint/target.ts";
import type { Leg } from "../methods/method.ts";
import type { ChosenMethod } from "../methods/registry.ts";
import type { ClockCheck } from "../run/clock-check.ts";
import type { Session } from "../run/session.ts";
import type { SamplerJob } from "./job.ts";

export interface RunManifest {
  readonly manifestVersion: 1;
  readonly runId: string;
  readonly slotMs: number | null;
  readonly method: {
    readonly name: string;
    readonly version: number;
    readonly title: string;
    /** Complete: missing parameters have their defaults. */
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly legs: readonly Leg[];
  };
  /** Seed of bodies, keys and orders. */
  readonly seed: number;
  readonly library: {
    readonly name: string;
    readonly version: string;
    readonly node: string;
    readonly openssl: string;
  };
  readonly host: {
    readonly name: string;
    readonly platform: string;
    readonly kernel: string;
    readonly architecture: string;
    readonly cpu: string;
    readonly cpuCount: number;
    readonly memoryBytes: number;
    /** Load average of the minute before. */
    readonly loadAverage: number;
  };
  /** UTC at the start, and its offset from the endpoint's clock; `check` is null if that could not be observed. */
  readonly clock: { readonly startedAtMs: number; readonly check: ClockCheck | null };
  readonly endpoint: {
    readonly name: string;
    readonly kind: string;
    readonly url: string;
    readonly region: string;
    readonly bucket: string;
    readonly addressing: string;
    readonly payloadSigning: string;
    readonly putHeaders: Readonly<Record<string, string>>;
    readonly accessKeyId: string;
    readonly address: string;
    readonly port: number;
    readonly tls: { readonly protocol: string; readonly cipher: string } | null;
  };
  readonly runPrefix: string;
}

export function createManifest(
  job: SamplerJob,
  chosen: ChosenMethod,
  session: Session,
  runPrefix: string,
): RunManifest {
  const { method, parameters, plan } = chosen;
  return {
    manifestVersion: 1,
    runId: job.runId,
    slotMs: job.slotMs ?? null,
    method: { name: method.name, version: method.version, title: method.title, parameters, legs: plan.legs },
    seed: job.seed,
    library: libraryFacts(),
    host: hostFacts(),
    clock: { startedAtMs: session.startedAtMs, check: session.clockCheck },
    endpoint: manifestEndpoint(job.endpoint, job.credentials.accessKeyId, session),
    runPrefix,
  };
}

export type LibraryFacts = RunManifest["library"];

export const libraryFacts = (): LibraryFacts => ({
  name: packageJson.name,
  version: packageJson.version,
  node: process.versions.node,
  openssl: process.versions.openssl,
});

export function hostFacts(): RunManifest["host"] {
  const all = cpus();
  return {
    name: hostname(),
    platform: platform(),
    kernel: release(),
    architecture: arch(),
    cpu: all[0]?.model.trim() ?? "unknown",
    cpuCount: all.length,
    memoryBytes: totalmem(),
    loadAverage: loadavg()[0] ?? 0,
  };
}

function manifestEndpoint(
  target: EndpointTarget,
  accessKeyId: string,
  session: Session,
): RunManifest["endpoint"] {
  const { name, kind, url, region, bucket, addressing, payloadSigning, putHeaders, address } = target;
  return {
    name,
    kind,
    url,
    region,
    bucket,
    addressing,
    payloadSigning,
    putHeaders,
    accessKeyId,
    address,
    port: session.wireTarget.port,
    tls: session.tls,
  };
}
