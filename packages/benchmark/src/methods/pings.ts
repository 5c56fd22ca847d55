/** Times TCP connections to an endpoint: the network distance, without TLS and the store's own work. */
import { z } from "zod";
import { estimateLegs, pingLeg } from "./legs.ts";
import type { StoreMethod } from "./method.ts";

const pingsParameters = z
  .strictObject({
    pingCount: z.int().min(1).max(100_000).default(100),
    pauseMs: z.number().min(0).max(60_000).default(10),
    timeoutMs: z.int().min(100).max(600_000).default(10_000),
  })
  .describe("Pings");
export type PingsParameters = z.infer<typeof pingsParameters>;

export const pings: StoreMethod<PingsParameters> = {
  measures: "stores",
  name: "pings",
  version: 1,
  title: "Pings",
  description: "TCP connections to the endpoint's address, timed and closed again.",
  parameters: pingsParameters,
  usesStore: false,
  presets: [{ name: "hundred", title: "100 pings", parameters: {} }],
  plan: ({ pingCount, pauseMs }) => ({
    legs: [pingLeg(pingCount)],
    estimate: {
      ...estimateLegs({ putCount: 0, pingCount, uploadedBytes: 0, seconds: (pingCount * pauseMs) / 1000 }),
      requests: { put: 0, get: 0, head: 0, delete: 0, list: 0 },
    },
  }),
  run: async (session, { pingCount, pauseMs, timeoutMs }, signal) => {
    session.configure({ timeoutMs, attemptCountMax: 1 });
    session.expect(pingCount);
    session.say("TCP connections");
    for (let done = 0; done < pingCount; done += 1) await session.ping({ leg: 0, pauseMs }, signal);
    return [];
  },
};
