/** Reports the vantage, tool and target of runs, as recorded in their manifests. */
import type { BenchmarkProvenance } from "@stashlight/contracts/benchmark";
import { z } from "zod";
import type { Core } from "../core.ts";

/** Parts of a manifest that a report shows: neither the bucket nor the access key, which are private. */
const told = z.object({
  method: z.object({ version: z.number() }),
  seed: z.number(),
  library: z.object({ version: z.string(), node: z.string(), openssl: z.string() }),
  host: z.object({
    platform: z.string(),
    kernel: z.string(),
    architecture: z.string(),
    cpu: z.string(),
    cpuCount: z.number(),
    memoryBytes: z.number(),
  }),
  endpoint: z.object({
    kind: z.string(),
    url: z.string(),
    region: z.string(),
    addressing: z.string(),
    payloadSigning: z.string(),
    tls: z.object({ protocol: z.string(), cipher: z.string() }).nullable(),
  }),
});

interface Row {
  plan_name: string;
  endpoint_name: string;
  vantage_name: string;
  slot_at: Date;
  started_at: Date | null;
  manifest: unknown;
  ping_ms: number | null;
  ping_count: number | null;
}

/** Returns the newest run of each endpoint of each plan. */
const query = `
  SELECT DISTINCT ON (run.plan_id, run.endpoint_id) plan.name AS plan_name, run.endpoint_name, run.vantage_name, run.slot_at,
         run.started_at, run.manifest, ping.median_ms AS ping_ms, ping.n AS ping_count
    FROM benchmark_run run JOIN benchmark_plan plan ON plan.id = run.plan_id
    LEFT JOIN benchmark_group ping ON ping.run_id = run.id AND ping.operation = 'TCP_CONNECT'
   WHERE run.plan_id = ANY($1::uuid[]) AND run.slot_at >= $2 AND run.slot_at < $3 AND run.state = 'succeeded'
     AND run.endpoint_id IS NOT NULL
   ORDER BY run.plan_id, run.endpoint_id, run.slot_at DESC, run.attempt DESC`;

export async function readProvenance(
  { metrics }: Pick<Core, "metrics">,
  planIds: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<BenchmarkProvenance[]> {
  const { rows } = await metrics.query<Row>(query, [planIds, new Date(fromMs), new Date(toMs)]);
  return rows
    .map((row) => ({
      planName: row.plan_name,
      endpointName: row.endpoint_name,
      slotMs: row.slot_at.getTime(),
      startedMs: (row.started_at ?? row.slot_at).getTime(),
      items: provenanceItems(row),
    }))
    .sort(
      (a, b) =>
        a.planName.localeCompare(b.planName, "en") || a.endpointName.localeCompare(b.endpointName, "en"),
    );
}

function provenanceItems({ vantage_name, manifest, ping_ms, ping_count }: Row): BenchmarkProvenance["items"] {
  const ping =
    ping_ms === null
      ? "not measured"
      : `${Number(ping_ms.toPrecision(3))} ms, median of ${ping_count} TCP connections`;
  const always = [
    { term: "Measured from", value: vantage_name },
    { term: "Round trip", value: ping },
  ];
  const { data } = told.safeParse(manifest);
  if (data === undefined) return [...always, { term: "Manifest", value: "not stored with this run" }];
  const { host, library, endpoint, method, seed } = data;
  const memory = `${Math.round(host.memoryBytes / 2 ** 30)} GiB`;
  const tls = endpoint.tls === null ? "without TLS" : `${endpoint.tls.protocol}, ${endpoint.tls.cipher}`;
  return [
    ...always,
    {
      term: "Machine",
      value: `${host.cpuCount} x ${host.cpu}, ${memory}, ${host.platform} ${host.kernel}, ${host.architecture}`,
    },
    {
      term: "Software",
      value: `sampler ${library.version}, method version ${method.version}, Node.js ${library.node}, OpenSSL ${library.openssl}`,
    },
    { term: "Endpoint", value: `${endpoint.kind} at ${endpoint.url}, region ${endpoint.region}` },
    {
      term: "Network",
      value: `${tls}, ${endpoint.addressing} addressing, ${endpoint.payloadSigning} payload`,
    },
    { term: "Seed", value: String(seed) },
  ];
}
