/**
 * Drive days and failures by model, as a large operator publishes them, for models without imported statistics. Every
 * row reproduces the rate printed beside it, and the rows add up to the printed totals.
 */
import { driveModelKey } from "./model-key.ts";

export interface PublishedTable {
  readonly source: string;
  /** First and last day, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly rows: readonly (readonly [model: string, driveDays: number, failures: number])[];
}

export const publishedTables: readonly PublishedTable[] = [
  {
    source: "Backblaze Drive Stats for 2024",
    from: "2024-01-01",
    to: "2024-12-31",
    rows: [
      ["HMS5C4040ALE640", 327_114, 4],
      ["HMS5C4040BLE640", 3_078_618, 18],
      ["HUH728080ALE600", 400_697, 18],
      ["HUH721212ALE600", 949_117, 32],
      ["HUH721212ALE604", 4_786_933, 435],
      ["HUH721212ALN604", 3_814_797, 590],
      ["ST8000DM002", 3_355_725, 162],
      ["ST8000NM0055", 5_020_845, 356],
      ["ST10000NM0086", 391_133, 58],
      ["ST12000NM0007", 400_953, 125],
      ["ST12000NM0008", 7_060_183, 502],
      ["ST12000NM000J", 172_556, 16],
      ["ST12000NM001G", 4_814_820, 166],
      ["ST14000NM001G", 3_863_921, 175],
      ["ST14000NM0138", 498_291, 73],
      ["ST16000NM001G", 11_737_654, 226],
      ["ST16000NM002J", 168_170, 1],
      ["MG07ACA14TA", 13_729_393, 414],
      ["MG07ACA14TEY", 230_649, 10],
      ["MG08ACA16TA", 14_089_908, 484],
      ["MG08ACA16TE", 2_173_570, 68],
      ["MG08ACA16TEY", 1_889_434, 82],
      ["MG10ACA20TE", 631_665, 15],
      ["WUH721414ALE6L4", 3_110_146, 72],
      ["WUH721816ALE6L0", 1_103_215, 37],
      ["WUH721816ALE6L4", 9_365_201, 94],
      ["WUH722222ALE6L4", 4_741_582, 139],
    ],
  },
  {
    source: "Backblaze Drive Stats for Q1 2026",
    from: "2026-01-01",
    to: "2026-03-31",
    rows: [
      ["HMS5C4040BLE640", 15_858, 0],
      ["HUH728080ALE600", 86_921, 0],
      ["HUH721212ALE600", 234_350, 8],
      ["HUH721212ALE604", 1_183_774, 86],
      ["HUH721212ALN604", 870_252, 95],
      ["ST8000DM002", 639_473, 25],
      ["ST8000NM000A", 21_552, 1],
      ["ST8000NM0055", 1_176_619, 39],
      ["ST10000NM0086", 86_667, 11],
      ["ST12000NM0007", 87_389, 11],
      ["ST12000NM0008", 1_664_558, 129],
      ["ST12000NM000J", 96_887, 1],
      ["ST12000NM001G", 1_185_545, 33],
      ["ST14000NM000J", 37_258, 1],
      ["ST14000NM001G", 944_400, 21],
      ["ST14000NM0138", 111_709, 15],
      ["ST16000NM000J", 10_117, 1],
      ["ST16000NM001G", 3_098_105, 44],
      ["ST16000NM002J", 41_931, 0],
      ["ST24000NM002H", 820_090, 74],
      ["MG07ACA14TA", 3_343_724, 94],
      ["MG07ACA14TEY", 88_602, 5],
      ["MG08ACA16TA", 3_548_250, 102],
      ["MG08ACA16TE", 553_878, 21],
      ["MG08ACA16TEY", 435_063, 26],
      ["MG09ACA16TE", 36_988, 1],
      ["MG10ACA20TE", 1_665_263, 42],
      ["MG11ACA24TE", 495_387, 3],
      ["WUH721414ALE6L4", 776_557, 7],
      ["WUH721816ALE6L0", 267_868, 24],
      ["WUH721816ALE6L4", 2_402_732, 64],
      ["WUH722222ALE6L4", 3_992_942, 42],
      ["WUH722626ALE6L4", 182_471, 4],
    ],
  },
];

export interface PublishedFailures {
  readonly driveDays: number;
  readonly failures: number;
  readonly source: string;
  readonly from: string;
  readonly to: string;
}

/** Sums of all tables, by the key of the model. */
export const publishedFailures: ReadonlyMap<string, PublishedFailures> = sumTables(publishedTables);

function sumTables(tables: readonly PublishedTable[]): Map<string, PublishedFailures> {
  const sums = new Map<string, PublishedFailures>();
  for (const { source, from, to, rows } of tables) {
    for (const [model, driveDays, failures] of rows) {
      const key = driveModelKey(model);
      const sum = sums.get(key);
      sums.set(
        key,
        sum === undefined
          ? { driveDays, failures, source, from, to }
          : {
              driveDays: sum.driveDays + driveDays,
              failures: sum.failures + failures,
              source: `${sum.source}; ${source}`,
              from: sum.from,
              to,
            },
      );
    }
  }
  return sums;
}
