import { probeEndpoint } from "@stashlight/benchmark";
import type { EndpointCheck } from "@stashlight/contracts/endpoint";
import { StashlightError } from "@stashlight/contracts/errors";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { findEndpoint } from "./stored-endpoint.ts";
import { reachEndpoint, type StoredEndpoint } from "./target.ts";

/** Limited because each check writes and deletes small objects on the access key's account. */
export const checkRateLimit = { windowSeconds: 60, requestCountMax: 10 };
const checkMsMax = 60_000;

/** Tests the connection and detects supported features; resolves even if the endpoint is unusable. */
export async function checkEndpoint({ ctx, input }: Verb<{ endpointId: string }>): Promise<EndpointCheck> {
  const { userId } = requireRole(ctx, "operator");
  const { platform } = ctx;
  await enforceRateLimit(
    statementsIn(platform.db),
    `endpoint-check:${userId}`,
    checkRateLimit,
    platform.now(),
  );
  const endpoint = await findEndpoint(platform.db, input.endpointId);
  const check = await probe(platform, endpoint);
  await platform.db.$transaction(async (tx) => {
    // After a change of the endpoint, the result describes another address or key.
    await tx.endpoint.updateMany({
      where: { id: endpoint.id, updatedAt: endpoint.updatedAt },
      data: { lastCheck: endpointColumns.lastCheck.write(check) },
    });
    await writeAudit(tx, ctx, {
      action: "endpoint.checked",
      target: { kind: "endpoint", id: endpoint.id, name: endpoint.name },
      after: { isReachable: check.isReachable, sentence: check.sentence },
    });
  });
  return check;
}

async function probe(platform: Core, endpoint: StoredEndpoint): Promise<EndpointCheck> {
  const signal = AbortSignal.timeout(checkMsMax);
  const failed = (sentence: string) => ({
    checkedAt: platform.now(),
    isReachable: false,
    sentence,
    findings: [],
  });
  try {
    const { target, credentials } = await reachEndpoint(platform, endpoint);
    return await probeEndpoint({ endpoint: target, credentials, signal });
  } catch (error) {
    if (error instanceof StashlightError && error.status < 500) return failed(error.message);
    if (error instanceof StashlightError && error.code === "unavailable") return failed(error.message);
    if (signal.aborted) return failed(`The test did not finish within ${checkMsMax / 1000} s.`);
    throw error;
  }
}
