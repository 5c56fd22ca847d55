/** Tests a fleet's history in the answers of the store, and its complete removal. */
import { metricQueryInput } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { queryMetric } from "../metrics/query/query.ts";
import { accept, auditEvents, createTestNode, useSharedInstallation } from "../testing/index.ts";
import { enrolNode } from "./enrol.ts";
import { ensureSimulatedNodes } from "./ensure-local.ts";
import { forgetSimulatedNodes } from "./forget-simulated.ts";
import { listNodes } from "./list.ts";

const { installation, admin } = useSharedInstallation("admin");

const access = () => {
  const { secret, publicUrl } = installation.platform.options;
  return { databaseUrl: installation.database.runtimeUrl, secret, publicUrl };
};

test("nodes of a simulated vault are marked; forgetting removes them with all their measurements, and nothing else", async () => {
  const { platform } = installation;
  const [enrolment] = await ensureSimulatedNodes({
    ...access(),
    vaults: [{ vault: "simulated-1", nodes: [{ name: "sim-1-pod-1", role: "pod", key: null }] }],
  });
  const token = enrolment?.tokens.pod ?? "";
  await enrolNode({ ctx: installation.nobody, input: { token, name: "sim-1-pod-1", role: "pod" } });
  const nodes = await listNodes({ ctx: admin.ctx });
  expect(nodes).toMatchObject([{ name: "sim-1-pod-1", isSimulated: true, status: "active" }]);

  const nowMs = platform.now().getTime();
  const real = await createTestNode(platform, "stash-1");
  const simulated = await createTestNode(platform, "sim-1-stash-1", true);
  const content = {
    endMs: Math.floor(nowMs / 10_000) * 10_000 - 60_000,
    histograms: [["stashlight_fsync_seconds", { tier: "stash", device: "s0" }, [0.001]]] as never,
    gaps: [{ startMs: nowMs - 90_000, endMs: nowMs - 80_000, reason: "spool_full" as const }],
  };
  await accept(platform, real.batch(content), simulated.batch(content));
  const ask = () =>
    queryMetric({
      ctx: admin.ctx,
      input: metricQueryInput.parse({
        metric: "stashlight_fsync_seconds",
        fromMs: nowMs - 600_000,
        toMs: nowMs,
      }),
    });
  expect(await ask()).toMatchObject({ sourceSeriesCount: 2, simulatedSeriesCount: 1 });

  expect(await forgetSimulatedNodes(access(), async () => {})).toBe(2);
  expect(await listNodes({ ctx: admin.ctx })).toMatchObject([{ name: "stash-1" }]);
  expect(await ask()).toMatchObject({
    sourceSeriesCount: 1,
    simulatedSeriesCount: 0,
    gaps: [{ nodeName: "stash-1" }],
  });
  expect((await auditEvents(platform)).at(-1)).toMatchObject({ action: "node.simulated_forgotten" });
  expect(await forgetSimulatedNodes(access(), async () => {})).toBe(0);
});
