import { type ChannelConfig, createChannelInput } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { emptyForm, toChannelForm, toChannelInput } from "./channel-form.ts";

const email: ChannelConfig = {
  kind: "email",
  host: "mail.example.org",
  port: 465,
  security: "tls",
  user: "ops",
  from: "a@example.org",
  to: ["b@example.org", "c@example.org"],
};

test.each<ChannelConfig>([
  email,
  { kind: "webhook", url: "https://hooks.example.org/" },
  { kind: "ntfy", url: "https://ntfy.example.org", topic: "storage" },
])("a channel of kind $kind survives a round trip through the form, without its secret", (config) => {
  const row = {
    id: "",
    name: "Ops",
    kind: config.kind,
    config,
    secretHint: "abcd",
    isDefault: false,
    isEnabled: true,
    updatedAt: new Date(0),
    lastDeliveredAt: null,
    lastError: null,
    waitingCount: 0,
  };
  const typed = toChannelInput(toChannelForm(row));
  expect(typed).toEqual({ name: "Ops", config, isDefault: false, isEnabled: true });
  expect(createChannelInput.safeParse(typed).success).toBe(true);
});

test("recipients are separated by commas, spaces or line breaks", () => {
  const { config } = toChannelInput({ ...emptyForm, kind: "email", to: "a@x.org, b@x.org;\nc@x.org " });
  expect(config).toMatchObject({ to: ["a@x.org", "b@x.org", "c@x.org"] });
});

test("a service uses its own address unless another is typed, and requires its key", () => {
  const typed = toChannelInput({ ...emptyForm, name: "Pager", kind: "pagerduty" });
  expect(typed.config).toEqual({ kind: "pagerduty", url: "https://events.pagerduty.com/v2/enqueue" });
  const refusal = createChannelInput.safeParse(typed).error?.issues[0];
  expect(refusal).toMatchObject({ path: ["secret"], message: expect.stringContaining("integration key") });
  expect(createChannelInput.safeParse({ ...typed, secret: "R0UT1NGKEY" }).success).toBe(true);
  const eu = toChannelInput({ ...emptyForm, kind: "opsgenie", url: "https://api.eu.opsgenie.com" });
  expect(eu.config).toEqual({ kind: "opsgenie", url: "https://api.eu.opsgenie.com" });
});
