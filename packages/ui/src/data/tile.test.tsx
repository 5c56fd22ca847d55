import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Tile } from "./tile.tsx";

test.each([
  ["12,480", "text-xl"],
  ["not all running", "text-xl"],
  ["6 slots, none undisturbed, 6 needed", "text-lg"],
])("the value %j has the size %s", (value, size) => {
  const markup = renderToStaticMarkup(<Tile title="Verdict" value={value} />);
  expect(markup).toMatch(new RegExp(`<span class="[^"]*${size}[^"]*">${value}</span>`));
});
