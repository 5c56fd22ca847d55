import fc from "fast-check";
import { expect, test } from "vitest";
import { alertSeverities } from "../alert/rule.ts";
import { judgeVault, worstState } from "./vault-state.ts";

const silence = {
  vault: "local",
  nodeCount: 2,
  silentCount: 2,
  seconds: 25,
  nodes: ["a", "b"],
  isAlerted: false,
};
const warning = { severity: "warning" as const, sentence: "Purge is behind (vault local): 2 min." };
const quiet = { vault: "local", alerts: [], silence: null, fillShare: 0.2 };

test.each([
  ["with free space and no alert", {}, "good", []],
  ["without a coordinator", { fillShare: null }, "unknown", []],
  ["with an alert", { alerts: [warning] }, "warning", [warning.sentence]],
  ["that is silent", { silence, fillShare: null }, "bad", ["No data from vault local for 25 s."]],
  [
    "that is silent and has an alert",
    { silence, alerts: [warning] },
    "bad",
    ["No data from vault local for 25 s.", warning.sentence],
  ],
  ["that is full", { fillShare: 1 }, "bad", ["Vault local is 100 % full: new objects are refused."]],
])("a vault %s has the right state and reasons", (_, changes, state, reasons) => {
  expect(judgeVault({ ...quiet, ...changes })).toEqual({ state, reasons });
});

test("a vault is not good while a warning or critical alert fires, and a bad or warning state has reasons", () => {
  const alert = fc.record({ severity: fc.constantFrom(...alertSeverities), sentence: fc.constant("Fires.") });
  const vault = fc.record({
    vault: fc.constant("local"),
    alerts: fc.array(alert, { maxLength: 4 }),
    silence: fc.constantFrom(null, silence),
    fillShare: fc.option(fc.double({ min: 0, max: 1.1, noNaN: true }), { nil: null }),
  });
  fc.assert(
    fc.property(vault, (judged) => {
      const { state, reasons } = judgeVault(judged);
      const severities = judged.alerts.map(({ severity }) => severity);
      if (severities.includes("critical") || judged.silence !== null) expect(state).toBe("bad");
      else if (severities.includes("warning")) expect(["warning", "bad"]).toContain(state);
      if (state === "warning" || state === "bad") expect(reasons.length).toBeGreaterThan(0);
    }),
  );
});

test("the worst state of several counts, and unknown states only if nothing else is known", () => {
  expect(worstState(["good", "unknown", "warning"])).toBe("warning");
  expect(worstState(["unknown", "good"])).toBe("good");
  expect(worstState([])).toBe("unknown");
});
