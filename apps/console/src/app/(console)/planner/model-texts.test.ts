import { expect, test } from "vitest";
import { modelTexts } from "./model-texts.ts";

test.each([
  [0.0068, 10, { hddAnnualFailureRate: "0.678", hddFailuresCounted: "10" }],
  [0.3, 31.4, { hddAnnualFailureRate: "25.9", hddFailuresCounted: "31" }],
  [0.0155, 0.2, { hddAnnualFailureRate: "1.54", hddFailuresCounted: "1" }],
])(
  "a model with %f failures per drive-year and %f counted failures fills the form",
  (value, countedFailures, texts) => {
    expect(modelTexts({ rate: { value, low: 0, high: 1 }, countedFailures })).toEqual(texts);
  },
);
