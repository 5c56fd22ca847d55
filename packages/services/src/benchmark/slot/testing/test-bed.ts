import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { afterEach, beforeEach, vi } from "vitest";
import type { Platform } from "../../../platform.ts";
import { planDueRuns } from "../../../schedule/plan-due.ts";
import {
  createFakeRunner,
  createTestEndpoint,
  type FakeRunner,
  openTestInstallation,
  type Person,
  type TestInstallation,
  testSample,
} from "../../../testing/index.ts";
import { createBenchmarkPlan } from "../../create-plan.ts";
import { listBenchmarkSlots } from "../../list-slots.ts";
import { type ClaimedSlot, claimSlot } from "../claim.ts";
import { executeSlot } from "../execute.ts";

export const priceList = {
  perThousandPuts: 5,
  perThousandGets: 0.4,
  perGbEgress: 0,
  perGbMonth: 0,
  minimumStorageDays: 0,
  asOf: "2026-11-01",
};

export const neverStopping = new AbortController().signal;

export const makeSamples = (count: number, changes: Partial<BenchmarkSample> = {}) =>
  Array.from({ length: count }, (_, index) => testSample({ index, wireMs: index + 1, ...changes }));

export const until = (assertion: () => Promise<void> | void) =>
  vi.waitFor(assertion, { timeout: 15_000, interval: 20 });

/** Opens a test bed before each test, and closes it after the test. */
export function useSlotTestBed(): SlotTestBed {
  const bed = new SlotTestBed();
  beforeEach(() => bed.open());
  afterEach(() => bed.installation.close());
  return bed;
}

/** A worker's installation with two endpoints and a runner that the test controls. The clock starts at 10:00. */
class SlotTestBed {
  installation!: TestInstallation;
  operator!: Person;
  endpointIds: string[] = [];
  runner!: FakeRunner;

  async open(): Promise<void> {
    this.installation = await openTestInstallation({ kind: "worker" });
    this.installation.clock.set(new Date("2026-11-21T10:00:00Z"));
    this.operator = await this.installation.person("operator", "Olga");
    this.endpointIds = [];
    for (const name of ["B2", "S3"]) {
      this.endpointIds.push(await createTestEndpoint(this.installation.platform, { name, priceList }));
    }
    this.runner = createFakeRunner();
  }

  /** Creates a plan of both endpoints with a slot every six hours. */
  async createPlan(changes: object = {}): Promise<string> {
    const { planId } = await createBenchmarkPlan({
      ctx: this.operator.ctx,
      input: {
        name: "B2 against S3",
        description: "",
        endpointIds: [...this.endpointIds],
        method: { name: "small-uploads", parameters: {} },
        cron: "0 */6 * * *",
        timeZone: "UTC",
        jitterSeconds: 0,
        missedPolicy: "run-late",
        vantageNodeId: null,
        budgetPerMonth: null,
        costPerSlotMax: null,
        writtenBytesPerMonth: null,
        isPaused: false,
        ...changes,
      },
    });
    return planId;
  }

  /** Sets the clock to a time of the first day, such as "12:00". */
  goTo(time: string): void {
    this.installation.clock.set(new Date(`2026-11-21T${time}:00Z`));
  }

  planDue(): Promise<number> {
    return planDueRuns(this.installation.platform);
  }

  claim(claimant = "worker-1", platform: Platform = this.installation.platform): Promise<ClaimedSlot | null> {
    return claimSlot(platform, { vantageNodeId: null, claimant, random: () => 0.99 });
  }

  async claimed(claimant?: string): Promise<ClaimedSlot> {
    const slot = await this.claim(claimant);
    if (slot === null) throw new Error("There is no slot to claim.");
    return slot;
  }

  async execute(slot: ClaimedSlot, stopping: AbortSignal = neverStopping): Promise<void> {
    await executeSlot(this.installation.platform, slot, {
      runner: this.runner,
      stopping,
      beatMs: 5,
      onError: (error) => {
        throw error;
      },
    });
  }

  async lastSlot() {
    const input = { fromMs: 0, toMs: 2e12, pageSize: 100 };
    const [slot] = await listBenchmarkSlots({ ctx: this.operator.ctx, input });
    if (slot === undefined) throw new Error("There is no slot.");
    return slot;
  }
}
