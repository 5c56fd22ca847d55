/** A channel as the fields of a form, and back. */
import type { ChannelConfig, ChannelKind, ChannelRow } from "@stashlight/contracts";

type EmailConfig = Extract<ChannelConfig, { kind: "email" }>;

export interface ChannelForm {
  name: string;
  kind: ChannelKind;
  url: string;
  host: string;
  port: string;
  security: EmailConfig["security"];
  user: string;
  from: string;
  to: string;
  /** What is typed of the secret; empty keeps what is there. */
  secret: string;
  isDefault: boolean;
  isEnabled: boolean;
}

export const emptyForm: ChannelForm = {
  name: "",
  kind: "webhook",
  url: "",
  host: "",
  port: "587",
  security: "starttls",
  user: "",
  from: "",
  to: "",
  secret: "",
  isDefault: true,
  isEnabled: true,
};

export function formOf({ name, config, isDefault, isEnabled }: ChannelRow): ChannelForm {
  const form = { ...emptyForm, name, kind: config.kind, isDefault, isEnabled };
  if (config.kind === "webhook") return { ...form, url: config.url };
  if (config.kind === "slack") return form;
  const { host, port, security, user, from, to } = config;
  return { ...form, host, port: String(port), security, user, from, to: to.join(", ") };
}

function configOf({ kind, url, host, port, security, user, from, to }: ChannelForm): ChannelConfig {
  if (kind === "webhook") return { kind, url: url.trim() };
  if (kind === "slack") return { kind };
  const recipients = to
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== "");
  return {
    kind,
    host: host.trim(),
    port: Number(port),
    security,
    user: user.trim(),
    from: from.trim(),
    to: recipients,
  };
}

/** What the server takes, which checks all of it. */
export function channelOf(form: ChannelForm) {
  const { name, secret, isDefault, isEnabled } = form;
  return {
    name: name.trim(),
    config: configOf(form),
    ...(secret === "" ? {} : { secret }),
    isDefault,
    isEnabled,
  };
}
