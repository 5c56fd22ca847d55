/** A session's pages, metric and reports about unreadable objects. */
import { reportedLostObjectsMax } from "@stashlight/contracts/lost-object";
import { type AdminAction, monotonicNowMs } from "@stashlight/node-runtime";
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { Vault } from "../vault/vault.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { openAuditLog } from "./audit-log.ts";
import { type GiveUpOptions, giveUp } from "./give-up.ts";
import { LISTED_MAX, lostPage } from "./lost-page.ts";
import { LostReports } from "./lost-reports.ts";
import { LostRecheck } from "./recheck.ts";

const RECHECK_EVERY_MS = 30_000;

type LostVault = Pick<Vault, "head" | "lostObjects" | "forgetLost">;

export interface LostOptions {
  readonly vault: LostVault;
  readonly stateFolder: string;
  readonly logger: GiveUpOptions["logger"] & Pick<Logger, "warn">;
  /** The endpoint's verbs, and the vaults behind it. */
  readonly endpoint: () => {
    readonly trouble: () => string | null;
    readonly verbs: Pick<VaultVerbs, "head" | "get" | "delete">;
    readonly lostVaults: readonly Pick<Vault, "lostObjects" | "forgetLost">[];
  };
}

export interface LostPart {
  readonly pages: readonly [string, () => object][];
  readonly actions: readonly [string, AdminAction][];
  readonly reports: LostReports;
  follow(recorder: Recorder): void;
  stop(): void;
}

export function startLost({ vault, stateFolder, logger, endpoint }: LostOptions): LostPart {
  const recheck = new LostRecheck({ vault, everyMs: RECHECK_EVERY_MS, nowMs: monotonicNowMs });
  const sources = { lostObjects: () => recheck.listed(), nowMs: monotonicNowMs, wallMs: Date.now };
  const audit = openAuditLog(stateFolder);
  recheck.start();
  const act = (body: unknown) => {
    const { trouble, verbs, lostVaults } = endpoint();
    return giveUp(
      {
        trouble,
        verbs,
        lostObjects: () => lostVaults.flatMap((each) => each.lostObjects()),
        forgetLost: (uploadId) => {
          for (const each of lostVaults) each.forgetLost(uploadId);
        },
        audit,
        logger,
        wallMs: Date.now,
      },
      body,
    );
  };
  return {
    pages: [["/lost", () => lostPage(sources, LISTED_MAX)]],
    actions: [["/give-up", act]],
    reports: new LostReports(() => lostPage(sources, reportedLostObjectsMax), monotonicNowMs),
    follow: (recorder) => {
      const gauge = recorder.gauge("stashlight_objects_lost", {});
      recorder.onRead(() => gauge.set(lostPage(sources, 0).total));
    },
    stop: () => recheck.stop(),
  };
}
