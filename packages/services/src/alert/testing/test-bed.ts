import { type AlertRuleInput, alertRuleInput, createChannelInput } from "@stashlight/contracts/alert";
import { afterEach, beforeEach } from "vitest";
import { createChannel } from "../../channel/create.ts";
import { deliverAlerts } from "../../channel/deliver.ts";
import { allowOutboundNetwork } from "../../outbound/networks.ts";
import {
  accept,
  createTestNode,
  openReceiver,
  openTestInstallation,
  type Person,
  type Receiver,
  type TestInstallation,
  type TestNode,
} from "../../testing/index.ts";
import { groupWaitMs } from "../alert-grouping.ts";
import { createAlertRule } from "../create-rule.ts";
import { evaluateDueRules, evaluationIntervalMs } from "../evaluate-due.ts";
import { listFiring } from "../list-firing.ts";
import { listAlertIncidents } from "../list-incidents.ts";

export const used = "stashlight_stash_used_bytes";
export const capacity = "stashlight_stash_capacity_bytes";

/** A rule about each device of a stash node that is more than 75 % full. */
export const occupancy = {
  name: "Stash full",
  query: { metric: used, groupBy: ["node", "device"] },
  condition: {
    kind: "threshold",
    statistic: "last",
    shareOf: capacity,
    comparison: "above",
    threshold: 0.75,
    windowSeconds: 30,
  },
  forSeconds: 15,
  keepFiringSeconds: 0,
  severity: "critical",
} as const;

/** Opens a test bed before each test, and closes it after the test. */
export function useAlertTestBed(): AlertTestBed {
  const bed = new AlertTestBed();
  beforeEach(() => bed.open());
  afterEach(() => bed.close());
  return bed;
}

/** An installation with one stash node and a webhook receiver, on a manual clock. */
class AlertTestBed {
  installation!: TestInstallation;
  admin!: Person;
  node!: TestNode;
  receiver!: Receiver;

  async open(): Promise<void> {
    this.installation = await openTestInstallation();
    const { clock, platform } = this.installation;
    // Noon, so that the minutes that a test stores are within one day.
    clock.set(new Date(clock.now().setUTCHours(12, 0, 0, 0)));
    this.admin = await this.installation.person("admin");
    this.node = await createTestNode(platform, "stash-1");
    this.receiver = await openReceiver();
  }

  async close(): Promise<void> {
    await Promise.all([this.installation.close(), this.receiver.close()]);
  }

  nowMs(): number {
    return this.installation.clock.now().getTime();
  }

  /** Stores one window of a stash device that is full to this share. */
  async report(share: number, device = "s1"): Promise<void> {
    const batch = this.node.batch({
      endMs: this.nowMs(),
      gauges: [
        [used, { stash: "stash-1", device }, share * 1000],
        [capacity, { stash: "stash-1", device }, 1000],
      ],
    });
    await accept(this.installation.platform, batch);
  }

  evaluateNow(platform = this.installation.platform): Promise<number> {
    return evaluateDueRules(platform, (error) => {
      throw error;
    });
  }

  /** Advances the clock by one interval, reports the device at this share, if any, and evaluates the rules. */
  async evaluateNext(share: number | null): Promise<void> {
    this.installation.clock.advance(evaluationIntervalMs);
    if (share !== null) await this.report(share);
    await this.evaluateNow();
  }

  createRule(changes: Partial<AlertRuleInput> = {}) {
    return createAlertRule({
      ctx: this.admin.ctx,
      input: alertRuleInput.parse({ ...occupancy, ...changes }),
    });
  }

  createWebhook() {
    const config = { kind: "webhook", url: `${this.receiver.url}/hook` };
    return createChannel({ ctx: this.admin.ctx, input: createChannelInput.parse({ name: "Ops", config }) });
  }

  allowLoopback() {
    return allowOutboundNetwork({ ctx: this.admin.ctx, input: { cidr: "127.0.0.1/32" } });
  }

  firing() {
    return listFiring({ ctx: this.admin.ctx });
  }

  incidents() {
    return listAlertIncidents({ ctx: this.admin.ctx, input: { fromMs: 0, toMs: 8e15, pageSize: 100 } });
  }

  /** Returns stored events, newest first; without reminders, whose number depends on the elapsed time. */
  async events() {
    const events = await this.installation.platform.db.alertEvent.findMany({
      where: { kind: { not: "reminder" } },
      orderBy: [{ occurredAt: "desc" }, { kind: "desc" }, { id: "asc" }],
      include: { deliveries: true },
    });
    return events.map(({ deliveries, ...event }) => ({
      ...event,
      delivered: deliveries.filter(({ state }) => state === "delivered").length,
      waiting: deliveries.filter(({ state }) => state === "waiting").length,
    }));
  }

  /** Sends due messages, after a first message has waited for others to join it. */
  deliver(): Promise<number> {
    this.installation.clock.advance(groupWaitMs);
    return deliverAlerts(this.installation.platform);
  }

  /** Messages in the order in which the webhook received them. */
  messages() {
    return this.receiver.posts.map(({ body }) => JSON.parse(body));
  }
}
