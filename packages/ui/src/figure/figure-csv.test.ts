import { expect, test } from "vitest";
import { formatFigureCsv } from "./figure-csv.ts";

test("an export repeats its remarks, quoted, in every row", () => {
  const figure = { columns: ["", "Mean, ms"], rows: [["Near", 1.5] as const, ["Far", null] as const] };
  expect(formatFigureCsv(figure, { State: "leads", Verdict: '"Near" leads, not tested' })).toBe(
    [
      '"","Mean, ms","State","Verdict"',
      '"Near","1.5","leads","""Near"" leads, not tested"',
      '"Far","","leads","""Near"" leads, not tested"',
      "",
    ].join("\r\n"),
  );
  expect(formatFigureCsv(figure, {})).toBe('"","Mean, ms"\r\n"Near","1.5"\r\n"Far",""\r\n');
});
