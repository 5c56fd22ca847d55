/** Machines with one broken rule each, to test that the search notices. Only that test imports them. */
import { type Machines, realMachines } from "./machines.ts";

export const brokenMachines = {
  "a coordinator that counts written shards as durable": {
    ...realMachines,
    coordinator(state, event, nowMs) {
      if (event.type !== "message" || event.message.type !== "coordinator.podAppended") {
        return realMachines.coordinator(state, event, nowMs);
      }
      const message = { ...event.message, result: "durable" } as const;
      return realMachines.coordinator(state, { ...event, message }, nowMs);
    },
  },
  "a coordinator that answers no before the outcome is known": {
    ...realMachines,
    coordinator(state, event, nowMs) {
      const effects = realMachines.coordinator(state, event, nowMs);
      for (const [uploadId, { phase, token }] of state.puts) {
        if (phase !== "ending") continue;
        state.puts.delete(uploadId);
        effects.push({ type: "answerPut", token, outcome: { type: "conflict" } });
      }
      return effects;
    },
  },
  "a pod that asks for a purge of shards that it has only written": {
    ...realMachines,
    pod(state, event, nowMs) {
      const effects = realMachines.pod(state, event, nowMs);
      if (event.type !== "appended") return effects;
      const entry = state.entries.get(event.uploadId);
      const deviceId = entry?.waiting?.stashDeviceIds[0];
      if (!entry || deviceId === undefined) return effects;
      const { uploadId, shardIndex } = event;
      const entries = [{ uploadId, shardIndex, payloadCrc: entry.signedCrc >>> 0 }];
      const message = {
        type: "stash.purge",
        pod: state.identity,
        epoch: state.config.epoch,
        entries,
      } as const;
      return [...effects, { type: "send", to: `s${deviceId}`, message }];
    },
  },
  "a pod that settles without asking the stash and its peers": {
    ...realMachines,
    pod(state, event, nowMs) {
      const effects = realMachines.pod(state, event, nowMs);
      if (event.type === "recovered") state.lifecycle = "settled";
      return effects;
    },
  },
  "a stash device that answers before its group commit": {
    ...realMachines,
    stash(state, event, nowMs) {
      const effects = realMachines.stash(state, event, nowMs);
      if (event.type !== "message") return effects;
      const { deviceId } = state;
      for (const effect of [...effects]) {
        if (effect.type !== "append") continue;
        const { shardIndex, upload } = effect.shard;
        const { uploadId } = upload;
        const podBootId = state.pods.get(shardIndex)?.bootId ?? 0;
        const about = { uploadId, shardIndex, deviceId, podBootId, result: "durable" } as const;
        effects.push({
          type: "send",
          to: event.from,
          message: { type: "coordinator.stashAppended", ...about },
        });
      }
      return effects;
    },
  },
} as const satisfies Record<string, Machines>;
