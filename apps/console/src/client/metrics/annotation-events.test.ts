import { expect, test } from "vitest";
import { annotationsToEvents, maintenanceToEvents } from "./annotation-events.ts";

const annotation = (text: string, vault: string | null, endsAt: Date | null = null) => ({
  id: text,
  text,
  vault,
  endsAt,
  createdBy: "Ada",
  startsAt: new Date(1_000),
});
const span = (reason: string, vaults: string[] | null) => ({ startMs: 0, endMs: 5_000, reason, vaults });
const labels = (events: readonly { label: string }[]) => events.map(({ label }) => label);

test("a vault's charts show its annotations and those for all vaults, and charts of all vaults show every annotation", () => {
  const all = [annotation("a", "photos"), annotation("b", "films"), annotation("c", null)];
  expect(labels(annotationsToEvents(all, ["photos"]))).toEqual(["a", "c"]);
  expect(labels(annotationsToEvents(all, ["photos", "films"]))).toEqual(["a", "b", "c"]);
  expect(labels(annotationsToEvents(all, null))).toEqual(["a", "b", "c"]);
  const spans = [span("x", ["photos"]), span("y", ["films"]), span("z", null)];
  expect(labels(maintenanceToEvents(spans, ["films"]))).toEqual(["Maintenance: y", "Maintenance: z"]);
  expect(maintenanceToEvents(spans, null)).toHaveLength(3);
});

test("a moment is a line, and a period is an area that links to its origin", () => {
  const [moment, lasting] = annotationsToEvents(
    [annotation("Deploy", null), annotation("Load test", null, new Date(9_000))],
    null,
  );
  expect(moment).toEqual({ timeMs: 1_000, label: "Deploy", status: "info", isAnnotation: true });
  expect(lasting).toMatchObject({ isAnnotation: true, span: { endMs: 9_000, href: "/alerts" } });
});
