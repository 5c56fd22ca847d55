import { channelConfigSchema, channelKinds } from "@stashlight/contracts/alert";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

export const alertChannelColumns = {
  kind: wordColumn("alert_channel.kind", channelKinds),
  config: jsonColumn("alert_channel.config", channelConfigSchema),
};
