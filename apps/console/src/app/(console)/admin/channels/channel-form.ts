/** Fields of the channel dialog, and conversion from and to a channel. */

import {
  type ChannelConfig,
  type ChannelKind,
  type ChannelRow,
  channelKinds,
  serviceUrls,
} from "@stashlight/contracts/alert";
import { choice, fieldTable, flag, number, parsed, secret, type Typed, text } from "@stashlight/ui/fields";
import { kindLabels } from "./channel-labels.ts";

const kinds = channelKinds.map((value) => ({ value, label: kindLabels[value] }));
const securities = [
  { value: "starttls", label: "STARTTLS, required" },
  { value: "tls", label: "TLS from the start" },
  { value: "none", label: "None: anyone on the network path can read it" },
] as const;

const readRecipients = (typed: string) => ({
  value: typed.split(/[\s,;]+/).filter((address) => address !== ""),
});

const isEmail = ({ kind }: { kind: string }) => kind === "email";

export const channelFields = fieldTable(
  {
    name: text("Name"),
    kind: choice<ChannelKind>("Kind", kinds, { initial: "webhook" }),
    url: text("Address", {
      path: "config.url",
      help: "Messages are posted to it; redirects are not followed.",
    }),
    topic: text("Topic", {
      path: "config.topic",
      help: "Anyone who knows the topic can read it, unless it is reserved.",
    }),
    host: text("Mail server", { path: "config.host" }),
    port: number("Port", { initial: "587", path: "config.port", problem: "Enter a port, such as 587." }),
    security: choice("Encryption", securities, { initial: "starttls" }),
    user: text("User", { path: "config.user", optional: true }),
    from: text("From", { path: "config.from" }),
    to: parsed("text", "To", readRecipients, { path: "config.to", help: "Separate addresses with commas." }),
    /** An empty field keeps the stored secret. */
    secret: secret("Signing key"),
    isDefault: flag("Default channel", {
      initial: true,
      help: "Rules without channels of their own notify this channel.",
    }),
    isEnabled: flag("Enabled", { initial: true, help: "While it is off, no messages are kept for it." }),
  },
  {
    url: ({ kind }) => kind === "webhook" || kind in serviceUrls,
    topic: ({ kind }) => kind === "ntfy",
    host: isEmail,
    port: isEmail,
    security: isEmail,
    user: isEmail,
    from: isEmail,
    to: isEmail,
  },
);
export type ChannelForm = Typed<typeof channelFields.specs>;

export const emptyForm: ChannelForm = channelFields.initial;

export function toChannelForm({ name, config, isDefault, isEnabled }: ChannelRow): ChannelForm {
  const form = { ...emptyForm, name, kind: config.kind, isDefault, isEnabled };
  if (config.kind === "ntfy") return { ...form, url: config.url, topic: config.topic };
  if (config.kind !== "email") return "url" in config ? { ...form, url: config.url } : form;
  const { host, port, security, user, from, to } = config;
  return { ...form, host, port: String(port), security, user, from, to: to.join(", ") };
}

/** Builds the server's input, which the server validates. */
export function toChannelInput(form: ChannelForm) {
  const { values } = channelFields.read(form);
  const { name, secret: typedSecret, isDefault, isEnabled } = values;
  return {
    name,
    config: toChannelConfig(values),
    ...(typedSecret === "" ? {} : { secret: typedSecret }),
    isDefault,
    isEnabled,
  };
}

type ChannelValues = ReturnType<typeof channelFields.read>["values"];

function toChannelConfig({
  kind,
  url,
  topic,
  host,
  port,
  security,
  user,
  from,
  to,
}: ChannelValues): ChannelConfig {
  switch (kind) {
    case "webhook":
      return { kind, url };
    case "email":
      return { kind, host, port, security, user, from, to };
    case "slack":
    case "teams":
      return { kind };
    case "ntfy":
      return { kind, url: url || serviceUrls[kind], topic };
    default:
      return { kind, url: url || serviceUrls[kind] };
  }
}
