import fc from "fast-check";
import { expect, test } from "vitest";
import { qrPath } from "./qr-code.tsx";

test("the path paints exactly the dark modules", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), { maxLength: 12 }),
      (rows) => {
        const painted = rows.map((row) => row.map(() => false));
        for (const [, x, y, length] of qrPath(rows).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
          painted[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
        }
        expect(painted).toEqual(rows);
      },
    ),
  );
});
