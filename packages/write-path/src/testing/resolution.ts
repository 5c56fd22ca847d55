/** An upload whose outcome a coordinator determines, and the answers of pods and devices about it. */
import { type Address, type PodProbeAnswer, podAddress, stashAddress } from "../messages/index.ts";
import type { Scheme } from "../quorums.ts";
import type { Shard } from "../shard.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { greetedCoordinator } from "./machines.ts";
import { threePlusTwo, uploadOf, vaultOf } from "./samples.ts";

interface Probed {
  readonly bootId?: number;
  readonly isSettled?: boolean;
  readonly isCommitted?: boolean;
  readonly committedOrder?: string;
  readonly requestId?: number;
}

/** Lets a pod ask how upload 7 ended. */
export function startedResolution(scheme: Scheme = threePlusTwo, upload = uploadOf(7)) {
  const { uploadId } = upload;
  const coordinator = greetedCoordinator(vaultOf(scheme));
  const { state } = coordinator;
  const effects = coordinator.hear("p1", { type: "coordinator.resolve", upload });
  const resolution = () => state.resolutions.get(uploadId);
  const requestId = () => resolution()?.requestId ?? -1;
  return {
    coordinator,
    effects,
    resolution,
    requestId,
    probed(podIndex: number, answer: PodProbeAnswer, more: Probed = {}) {
      const type = "coordinator.probed";
      const usual = { requestId: requestId(), bootId: 1, isSettled: true, isCommitted: false };
      const message = { type, podIndex, answer, committedOrder: LOWEST_ORDER, ...usual, ...more } as const;
      return coordinator.hear(podAddress(podIndex), message);
    },
    stashProbed(
      deviceId: number,
      shardIndices: readonly number[] = [],
      damagedIndices: readonly number[] = [],
    ) {
      const message = {
        type: "coordinator.stashProbed",
        requestId: requestId(),
        deviceId,
        shardIndices,
        damagedIndices,
      } as const;
      return coordinator.hear(stashAddress(deviceId), message);
    },
    loaded(from: Address, shards: readonly Shard[]) {
      return coordinator.hear(from, {
        type: "coordinator.loaded",
        requestId: requestId(),
        from,
        shards,
        missingReason: null,
      });
    },
    repaired(podIndex: number, result: "written" | "durable" = "durable", bootId = 1) {
      const type = "coordinator.podAppended";
      return coordinator.hear(podAddress(podIndex), { type, uploadId, podIndex, bootId, result });
    },
    timeout(afterMs = 500) {
      coordinator.nowMs += afterMs;
      return coordinator.take({ type: "timer", key: `resolve:${uploadId}` });
    },
  };
}

export type ResolutionInTest = ReturnType<typeof startedResolution>;
