import {
  channelIdInput,
  createChannelInput,
  outboundNetworkInput,
  updateChannelInput,
} from "@stashlight/contracts/alert";
import {
  createChannel,
  deleteChannel,
  listChannels,
  listDeniedChannels,
  testChannel,
  updateChannel,
} from "@stashlight/services/channel";
import {
  allowOutboundNetwork,
  listOutboundNetworks,
  removeOutboundNetwork,
} from "@stashlight/services/outbound";
import { mutationWith, query, router } from "../trpc.ts";

export const channelRouter = router({
  list: query(listChannels),
  listDenied: query(listDeniedChannels),
  create: mutationWith(createChannelInput, createChannel),
  update: mutationWith(updateChannelInput, updateChannel),
  delete: mutationWith(channelIdInput, deleteChannel),
  test: mutationWith(channelIdInput, testChannel),
  listNetworks: query(listOutboundNetworks),
  allowNetwork: mutationWith(outboundNetworkInput, allowOutboundNetwork),
  removeNetwork: mutationWith(outboundNetworkInput, removeOutboundNetwork),
});
