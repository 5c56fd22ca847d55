import type { AlertSeverity, FiringAlert } from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import { describeSilence, describeSilentFor, type VaultSilence } from "@stashlight/contracts/node";
import type { Status } from "@stashlight/ui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { severityStatus } from "../../../client/firing-count.ts";
import { firingAlert } from "../../../client/testing/firing-alert.ts";
import { noFigures } from "../overview/vault-summary.ts";
import type { VaultFigure } from "./figure.ts";
import { applyVaultState, noVaultState, watchedFigures, watches } from "./vault-state.ts";

const alertAbout = (
  metric: MetricName,
  changes: Partial<Omit<FiringAlert, "watched">> & Partial<FiringAlert["watched"]> = {},
): FiringAlert => {
  const { isForecast = false, where = {}, ...rest } = changes;
  return firingAlert({ watched: { metric, isForecast, where }, ...rest });
};

const makeFigure = (id: string, status?: Status): VaultFigure => ({
  id,
  title: id,
  value: 1,
  quantity: "count",
  href: "/",
  metrics: [],
  ...(status === undefined ? {} : { status }),
});

const statusAfter = (id: string, status: Status | undefined, firing: readonly FiringAlert[]) =>
  applyVaultState([makeFigure(id, status)], { ...noVaultState, firing }, "photos")[0]?.status;

test.each<[string, Status | undefined, FiringAlert, Status | undefined]>([
  ["fsync-ssd", undefined, alertAbout("stashlight_fsync_seconds", { where: { tier: ["stash"] } }), "warning"],
  ["fsync-hdd", undefined, alertAbout("stashlight_fsync_seconds", { where: { tier: ["stash"] } }), undefined],
  ["fsync-hdd", undefined, alertAbout("stashlight_fsync_seconds"), "warning"],
  ["vault-full", "good", alertAbout("stashlight_vault_taken_bytes", { severity: "critical" }), "bad"],
  ["vault-full", "good", alertAbout("stashlight_vault_taken_bytes", { isForecast: true }), "good"],
  ["vault-time-to-full", "good", alertAbout("stashlight_vault_taken_bytes", { isForecast: true }), "warning"],
  ["vault-full", "good", alertAbout("stashlight_vault_taken_bytes", { vault: "films" }), "good"],
  ["vault-full", "good", alertAbout("stashlight_vault_taken_bytes", { status: "pending" }), "good"],
  ["vault-full", "bad", alertAbout("stashlight_vault_taken_bytes"), "bad"],
  ["purge-lag", "good", alertAbout("stashlight_purge_lag_seconds", { severity: "info" }), "info"],
])(
  "the tile %s with the status %s shows the worse state of a rule that watches it",
  (id, status, alert, expected) => {
    expect(statusAfter(id, status, [alert])).toBe(expected);
  },
);

test.each<[string, Status, string | null, string | undefined]>([
  ["back within the limit", "good", "ends in 2 min", "alert ends in 2 min; raw"],
  ["back within the limit until the next value", "good", null, "alert Rule fires; raw"],
  ["as bad as its rule", "bad", null, "raw"],
])(
  "a tile whose value is %s gives the reason for a status that the value does not explain",
  (_, status, incidentEnd, detail) => {
    const alert = alertAbout("stashlight_vault_taken_bytes", { severity: "critical", incidentEnd });
    const figure = { ...makeFigure("vault-full", status), detail: "raw" };
    const [shown] = applyVaultState([figure], { ...noVaultState, firing: [alert] }, "photos");
    expect(shown).toMatchObject({ status: "bad", detail });
  },
);

test("a tile agrees with the rules that watch its figure", () => {
  const ids = Object.keys(watchedFigures);
  const metric = fc.constantFrom(...new Set(Object.values(watchedFigures).flatMap(({ metrics }) => metrics)));
  const alert = fc
    .record({
      metric,
      severity: fc.constantFrom<AlertSeverity>("info", "warning", "critical"),
      status: fc.constantFrom<FiringAlert["status"]>("firing", "pending"),
      vault: fc.constantFrom("photos", "films"),
      isForecast: fc.boolean(),
      tiers: fc.subarray(["stash", "pod"]),
    })
    .map(({ metric: asked, tiers, ...rest }) =>
      alertAbout(asked, { ...rest, where: tiers.length === 0 ? {} : { tier: tiers } }),
    );
  const given = fc.constantFrom<Status | undefined>("good", "unknown", "warning", "bad", undefined);
  const rank = (status: Status | undefined) => ["info", "warning", "bad"].indexOf(status ?? "");
  fc.assert(
    fc.property(fc.constantFrom(...ids), given, fc.array(alert, { maxLength: 8 }), (id, status, firing) => {
      const shown = statusAfter(id, status, firing);
      const own = firing.filter((each) => each.status === "firing" && watches(each, id, "photos"));
      if (own.length === 0) expect(shown).toBe(status);
      for (const { severity } of own)
        expect(rank(shown)).toBeGreaterThanOrEqual(rank(severityStatus[severity]));
    }),
  );
});

test("every judged figure of Overview has rules that watch it", () => {
  const shown = [...noFigures.writePath, ...noFigures.space];
  const judged = shown.filter(({ status }) => status !== undefined).map(({ id }) => id);
  expect(judged.filter((id) => watchedFigures[id] === undefined)).toEqual([]);
});

test("figures of a silent vault give the silence as the reason, and those of a partly silent vault only lose a good verdict", () => {
  const silence: VaultSilence = {
    vault: "photos",
    nodeCount: 2,
    silentCount: 2,
    seconds: 25,
    nodes: ["a", "b"],
    isAlerted: false,
  };
  const state = { firing: [], silences: [silence] };
  const [photos, films] = ["photos", "films"].map((vault) =>
    applyVaultState([makeFigure("margin", "good")], state, vault),
  );
  expect(photos?.[0]?.silence).toBe(describeSilentFor(25));
  expect(describeSilence(silence).toLowerCase()).toBe("no data from vault photos for 25 s");
  expect(films?.[0]?.silence).toBeUndefined();
  const partly = { ...state, silences: [{ ...silence, silentCount: 1 }] };
  const [good, bad] = applyVaultState(
    [makeFigure("margin", "good"), makeFigure("oldest", "bad")],
    partly,
    "photos",
  );
  expect([good?.silence, good?.status, bad?.status]).toEqual([undefined, "unknown", "bad"]);
});
