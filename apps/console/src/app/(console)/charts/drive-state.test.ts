import type { FiringAlert } from "@stashlight/contracts/alert";
import { metricCatalogue } from "@stashlight/contracts/metrics";
import type { VaultSilence } from "@stashlight/contracts/node";
import type { Status } from "@stashlight/ui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { severityStatus } from "../../../client/firing-count.ts";
import { firingAlert } from "../../../client/testing/firing-alert.ts";
import { applyDriveState, watchedDriveFigures, watchesDrive } from "./drive-state.ts";
import { integrityFigures } from "./integrity-figures.ts";
import { noVaultState } from "./vault-state.ts";

const place = { node: "pod-1", device: "p0" };
const figures = integrityFigures([]).map((figure) => ({ ...figure, status: "good" as const }));

type Changes = Pick<FiringAlert, "severity" | "status" | "labels"> & {
  metric: FiringAlert["watched"]["metric"];
};

const makeAlert = ({ metric, ...changes }: Changes): FiringAlert =>
  firingAlert({ watched: { metric, where: {}, isForecast: false }, unit: "count", ...changes });

test("every watched figure of a drive exists, and each of its metrics is in the catalogue", () => {
  const ids = figures.map(({ id }) => id);
  expect(Object.keys(watchedDriveFigures).filter((id) => !ids.includes(id))).toEqual([]);
  const metrics = Object.values(watchedDriveFigures).flat();
  expect(metrics.filter((metric) => !(metric in metricCatalogue))).toEqual([]);
});

test("a drive's tile agrees with the rules that watch its figure", () => {
  const metric = fc.constantFrom(...Object.values(watchedDriveFigures).flat());
  const alert = fc
    .record({
      metric,
      severity: fc.constantFrom("info" as const, "warning" as const, "critical" as const),
      status: fc.constantFrom("firing" as const, "pending" as const),
      node: fc.constantFrom("pod-1", "pod-2"),
      device: fc.constantFrom("p0", "p1"),
    })
    .map(({ node, device, ...rest }) => makeAlert({ ...rest, labels: { node, device } }));
  const rank = (status: Status | undefined) => ["info", "warning", "bad"].indexOf(status ?? "");
  fc.assert(
    fc.property(fc.array(alert, { maxLength: 6 }), (firing) => {
      for (const { id, status, detail } of applyDriveState(figures, { ...noVaultState, firing }, place)) {
        const own = firing.filter((each) => watchesDrive(each, id, place));
        if (own.length === 0) expect(status).toBe("good");
        expect(detail === undefined).toBe(status === "good");
        for (const { severity } of own)
          expect(rank(status)).toBeGreaterThanOrEqual(rank(severityStatus[severity]));
      }
    }),
  );
});

test("a drive of a silent node has no verdict, and one of another node keeps its own", () => {
  const silence: VaultSilence = {
    vault: "photos",
    nodeCount: 2,
    silentCount: 1,
    seconds: 25,
    nodes: ["pod-1"],
    isAlerted: false,
  };
  const state = { firing: [], silences: [silence] };
  const [silent] = applyDriveState(figures, state, place);
  expect(silent).toMatchObject({ status: "unknown", silence: "no data for 25 s" });
  expect(applyDriveState(figures, state, { ...place, node: "pod-2" })).toEqual(figures);
});
