import {
  channelIdInput,
  createChannelInput,
  outboundNetworkInput,
  updateChannelInput,
} from "@stashlight/contracts";
import {
  allowOutboundNetwork,
  createChannel,
  deleteChannel,
  denyOutboundNetwork,
  listChannels,
  listOutboundNetworks,
  testChannel,
  updateChannel,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const channelRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listChannels({ ctx })),
  create: procedure
    .input(createChannelInput)
    .mutation(({ ctx: { ctx }, input }) => createChannel({ ctx, input })),
  update: procedure
    .input(updateChannelInput)
    .mutation(({ ctx: { ctx }, input }) => updateChannel({ ctx, input })),
  delete: procedure
    .input(channelIdInput)
    .mutation(({ ctx: { ctx }, input }) => deleteChannel({ ctx, input })),
  test: procedure.input(channelIdInput).mutation(({ ctx: { ctx }, input }) => testChannel({ ctx, input })),
  listNetworks: procedure.query(({ ctx: { ctx } }) => listOutboundNetworks({ ctx })),
  allowNetwork: procedure
    .input(outboundNetworkInput)
    .mutation(({ ctx: { ctx }, input }) => allowOutboundNetwork({ ctx, input })),
  denyNetwork: procedure
    .input(outboundNetworkInput)
    .mutation(({ ctx: { ctx }, input }) => denyOutboundNetwork({ ctx, input })),
});
