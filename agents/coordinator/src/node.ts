/** A coordinator node: the S3 edge in front, one or several vaults behind. */
import { followParts, monotonicNowMs, type NodeContext, type RunningNode } from "@stashlight/node-runtime";
import type { CoordinatorNode } from "@stashlight/node-runtime/config";
import type { Logger } from "pino";
import { refuseWithoutSpace } from "./admission/free-space.ts";
import { startBuckets } from "./buckets/start.ts";
import { startEdge } from "./edge.ts";
import type { Endpoint } from "./endpoint.ts";
import { startAccessKeys } from "./keys/start.ts";
import { startLifecycle } from "./lifecycle/start.ts";
import { openEndpoint } from "./open-endpoint.ts";
import type { VaultSession } from "./session.ts";
import { createSpace, type RunningSpace, runSpace, type SpaceParts } from "./space/garbage-collection.ts";
import { followSpace } from "./space/metrics.ts";
import { spaceTiming } from "./space/timing.ts";
import { createObjectStore } from "./store/object-store.ts";

/** With more requests in progress than this, or any waiting for admission, garbage is collected more slowly. */
const BUSY_REQUEST_COUNT = 32;

export async function startCoordinatorNode(
  node: CoordinatorNode,
  context: NodeContext,
): Promise<RunningNode> {
  const { file, logger } = context;
  const endpoint = await openEndpoint(node, context);
  const { first } = endpoint;
  const { gate, recorder } = first;
  if (context.partsFile !== null) followParts(recorder, context.partsFile);
  const direct = new Set(
    file.accessKeys.filter(({ uploadPath }) => uploadPath === "direct").map(({ id }) => id),
  );
  const { space, run } = prepareSpace(endpoint, logger);
  const store = createObjectStore({
    space,
    keyring: first.keyring,
    pieceBytes: file.pieceBytes,
    smallUploadBytesMax: file.smallUploadBytesMax,
    countCoordinators: () => first.coordinatorIds().length,
    freeBytes: () => endpoint.room.freeBytes,
    isDirect: (accessKeyId) => direct.has(accessKeyId),
    newUploadId: endpoint.newId,
    nowMs: monotonicNowMs,
  });
  const { keys, stop: stopKeys } = await startAccessKeys(file, node, logger);
  const edge = await startEdge({
    node,
    credentials: context.credentials,
    store,
    findAccessKey: (id) => keys.find(id),
    findSpace: endpoint.findSpace,
    admit: async (request) => {
      if (!endpoint.isChecked) await endpoint.check();
      await refuseWithoutSpace(endpoint.room, request);
      return await gate.admit(request);
    },
    recorder,
    logger,
  });
  context.restart.onAnnounced(() => edge.announceStop());
  const runningSpace = run();
  const check = async () => {
    if (!endpoint.isChecked) await endpoint.check();
  };
  const lifecycle = startLifecycle({
    file,
    node,
    space,
    store,
    recorder,
    logger,
    check,
    isBusy: () => isEndpointBusy(gate, endpoint.sessions),
  });
  const stopBuckets = await answerAboutBuckets(endpoint, logger, check);
  logger.info({ bootId: first.bootId, s3: `${node.s3.host}:${node.s3.port}` }, "started");
  return {
    stop: async () => {
      stopKeys();
      stopBuckets();
      await edge.stop();
      await lifecycle.stop();
      await runningSpace.stop();
      await endpoint.stop();
      gate.stop();
    },
  };
}

/** Answers questions about the endpoint's buckets from the ingests of all vaults behind it. */
async function answerAboutBuckets(
  { sessions, first, verbs }: Endpoint,
  logger: Logger,
  check: () => Promise<void>,
): Promise<() => void> {
  const { keyring, node } = first;
  const options = { vault: verbs, keyring, stateFolder: node.stateFolder, logger, check };
  const stops = await Promise.all(sessions.map((session) => startBuckets({ ...options, session })));
  return () => {
    for (const stop of stops) stop();
  };
}

function prepareSpace(
  { first, sessions, verbs, newId }: Endpoint,
  logger: Logger,
): { readonly space: SpaceParts["space"]; readonly run: () => RunningSpace } {
  const { file, gate, recorder } = first;
  const timing = spaceTiming(file.collection);
  const onFailure = (error: unknown) => logger.warn({ err: error }, "garbage could not be collected");
  const isBusy = () => isEndpointBusy(gate, sessions);
  const parts = createSpace({
    vault: verbs,
    timing,
    nowMs: monotonicNowMs,
    isBusy,
    newBodyId: newId,
    onFailure,
  });
  followSpace(recorder, parts);
  return { space: parts.space, run: () => runSpace(parts, { timing, onFailure }) };
}

function isEndpointBusy(gate: VaultSession["gate"], sessions: readonly VaultSession[]): boolean {
  return gate.waitingCount > 0 || sessions.some(({ vault }) => vault.openRequestCount > BUSY_REQUEST_COUNT);
}
