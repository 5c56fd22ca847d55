/** Every page and command shows the same fill, for any figures that a vault reports. */

import { fillOfCoordinators } from "@stashlight/contracts/health";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import { describeFullness, formatFill, formatFillShort, vaultMark } from "@stashlight/contracts/space";
import { formatQuantity } from "@stashlight/ui/chart";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gaugeAnswer, nowMs } from "../../../client/metrics/testing.ts";
import { addVaultInWords } from "../planner/add-vault.ts";
import { readCondition } from "../vaults/vault-condition.ts";
import { spaceFigures } from "./space-figures.ts";
import { vaultCells } from "./vault-cells.ts";

interface VaultState {
  readonly takenBytes: number;
  readonly capacityBytes: number;
  readonly garbageBytes: number;
}

const vaultState: fc.Arbitrary<VaultState> = fc
  .record({
    capacityBytes: fc.integer({ min: 1_000, max: 1e15 }),
    part: fc.oneof(
      fc.constantFrom(0, 0.79999, 0.9499, 0.9999, 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    garbageBytes: fc.nat({ max: 1e12 }),
  })
  .map(({ capacityBytes, part, garbageBytes }) => ({
    capacityBytes,
    garbageBytes,
    takenBytes: Math.floor(part * capacityBytes),
  }));

const vault: MetricSeries["labels"] = { vault: "local" };

function makeAnswers({ takenBytes, capacityBytes, garbageBytes }: VaultState) {
  const gauges: [MetricName, number][] = [
    ["stashlight_vault_taken_bytes", takenBytes],
    ["stashlight_vault_capacity_bytes", capacityBytes],
    ["stashlight_pod_live_bytes", 1.25 * takenBytes],
    ["stashlight_pod_garbage_bytes", garbageBytes],
    ["stashlight_pod_capacity_bytes", 2 * capacityBytes + garbageBytes],
  ];
  return gauges.map(([metric, value]) => gaugeAnswer(metric, [[vault, value]]));
}

/** The planner reads the share measured by services with the same function. */
const planned = (fill: number) =>
  addVaultInWords({
    missing: null,
    figure: {
      vaults: ["local"],
      fill,
      state: fill >= 0.8 ? "due" : "unknown",
      forecast: "no forecast",
      source: "s",
      n: 1,
      nUnit: "points",
      basis: "measured",
      range: null,
      ageSeconds: 1,
    },
  })?.sentence;

test("tile, row, map, planner, problem and command show the same fill, and 100 % only for a full vault", () => {
  fc.assert(
    fc.property(vaultState, (state) => {
      const answers = makeAnswers(state);
      const command = fillOfCoordinators([state], nowMs)?.share ?? Number.NaN;
      const [tile] = spaceFigures(answers, []);
      expect(tile?.value).toBe(command);
      const row = readCondition("local", answers, [], []).fill;
      expect(row).toEqual({ value: command, status: tile?.status, why: null });

      const share = typeof tile?.value === "number" ? tile.value : Number.NaN;
      const shown = formatQuantity("ratio", share);
      expect(`${shown.value} ${shown.unit}`).toBe(formatFill(command));
      expect(planned(command)).toContain(`is ${formatFill(command)} full`);

      // Assumes that every pod of the vault has used the same share of its space.
      const { pods } = vaultCells(
        [
          gaugeAnswer("stashlight_drive_running", [[{ node: "n", device: "p0", tier: "pod" }, 1]]),
          gaugeAnswer("stashlight_pod_taken_bytes", [[{ node: "n", device: "p0" }, state.takenBytes]]),
          gaugeAnswer("stashlight_pod_usable_bytes", [[{ node: "n", device: "p0" }, state.capacityBytes]]),
        ],
        { nowMs, staleAfterMs: 60_000, silentNodes: new Set() },
      );
      expect(pods[0]).toMatchObject({ fill: command, status: tile?.status });

      const isFull = state.takenBytes >= state.capacityBytes;
      for (const words of [formatFill(command), formatFillShort(command)])
        expect(words === "100 %").toBe(isFull);
      const sentence = describeFullness("local", command);
      expect(tile?.problem?.startsWith(sentence ?? "none") ?? false).toBe(sentence !== null);
      expect(tile?.status === "good").toBe(vaultMark(command) === "roomy");
    }),
  );
});
