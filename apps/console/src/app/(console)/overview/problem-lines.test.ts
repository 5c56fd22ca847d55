import type { FiringAlert } from "@stashlight/contracts/alert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isInhibited, orderedCauses } from "../../../client/alerts.ts";
import { firingAlert } from "../../../client/testing/firing-alert.ts";
import type { VaultFigure } from "../charts/figure.ts";
import { watchedFigures, watches } from "../charts/vault-state.ts";
import { joinProblems } from "./problem-lines.ts";

const makeAlert = (ruleName: string, changes: Partial<FiringAlert> = {}): FiringAlert =>
  firingAlert({
    ruleId: ruleName,
    ruleName,
    severity: "critical",
    watched: { metric: "stashlight_vault_taken_bytes", isForecast: false, where: {} },
    unit: "share",
    summary: ruleName,
    incidentSummary: ruleName,
    ...changes,
  });

const makeFigure = (id: string, changes: Partial<VaultFigure> = {}): VaultFigure => ({
  id,
  title: id,
  value: 1,
  quantity: "count",
  href: "/",
  metrics: [],
  status: "bad",
  problem: `${id} is bad.`,
  vault: "photos",
  ...changes,
});

test("a full vault is one line for its figure, its alert, the earlier warning and the refused uploads", () => {
  const inhibitedBy = { ruleId: "Vault full", ruleName: "Vault full", reason: "vault photos is full" };
  const causes = orderedCauses([
    makeAlert("Vault 80 % full", { severity: "warning", inhibitedBy }),
    makeAlert("Vault full"),
  ]);
  const figures = [makeFigure("vault-full"), makeFigure("failures", { followsFrom: "vault-full" })];
  const { ofAlerts, ofFigures } = joinProblems(figures, causes);
  expect(ofAlerts).toEqual([]);
  expect(ofFigures).toMatchObject([
    { figure: { id: "vault-full" }, cause: { title: "Vault full" }, followed: [{ id: "failures" }] },
  ]);
});

test("a vault that was emptied is no longer called full once its alert has noticed, even before its figure does", () => {
  const figures = [makeFigure("vault-full"), makeFigure("failures", { followsFrom: "vault-full" })];
  const ending = makeAlert("Vault full", { incidentEnd: "ends in 2 min" });
  const emptied = joinProblems(figures, orderedCauses([ending]));
  expect(emptied.ofAlerts.map(({ title }) => title)).toEqual(["Vault full"]);
  expect(emptied.ofFigures.map(({ figure }) => figure.id)).toEqual(["failures"]);
  const stillWarned = joinProblems(figures, orderedCauses([ending, makeAlert("Vault 80 % full")]));
  expect(stillWarned.ofFigures.map(({ figure }) => figure.id)).toEqual(["vault-full"]);
});

test("alerts that no figure explains have their own lines", () => {
  const causes = orderedCauses([makeAlert("Vault full", { vault: "films" })]);
  const figures = [makeFigure("vault-full"), makeFigure("failures")];
  const { ofAlerts, ofFigures } = joinProblems(figures, causes);
  expect(ofAlerts.map(({ title }) => title)).toEqual(["Vault full"]);
  expect(ofFigures.map(({ figure, cause }) => [figure.id, cause])).toEqual([
    ["vault-full", null],
    ["failures", null],
  ]);
});

test("every problem has a line, and each figure of a vault has at most one", () => {
  const ids = [...Object.keys(watchedFigures), "failures"];
  const figures = fc.uniqueArray(
    fc
      .record({
        id: fc.constantFrom(...ids),
        vault: fc.constantFrom("photos", "films"),
        follows: fc.boolean(),
      })
      .map(({ id, vault, follows }) =>
        makeFigure(id, { vault, ...(follows && id === "failures" ? { followsFrom: "vault-full" } : {}) }),
      ),
    { selector: ({ id, vault }) => `${id} ${vault}` },
  );
  const metric = fc.constantFrom(...Object.values(watchedFigures).flatMap(({ metrics }) => metrics));
  const alerts = fc.array(
    fc
      .record({
        name: fc.constantFrom("a", "b", "c"),
        metric,
        vault: fc.constantFrom("photos", "films"),
        isForecast: fc.boolean(),
      })
      .map(({ name, vault, ...watched }) => makeAlert(name, { vault, watched: { ...watched, where: {} } })),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(figures, alerts, (bad, firing) => {
      const causes = orderedCauses(firing);
      const { ofAlerts, ofFigures } = joinProblems(bad, causes);
      const shown = ofFigures.flatMap(({ figure, followed }) => [figure, ...followed]);
      expect(new Set(shown)).toEqual(new Set(bad));
      expect(shown).toHaveLength(bad.length);
      for (const cause of causes.filter((each) => !isInhibited(each))) {
        const isWatched = bad.some(({ id, vault = "" }) =>
          cause.alerts.some((alert) => watches(alert, id, vault)),
        );
        expect(ofAlerts.includes(cause)).toBe(!isWatched);
      }
    }),
  );
});
