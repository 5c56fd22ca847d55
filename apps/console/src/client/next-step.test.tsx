import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NextStep } from "./next-step.tsx";

const render = (own: "viewer" | "operator") =>
  renderToStaticMarkup(
    <NextStep
      title="No plans yet"
      step={{ label: "Create the first plan", onTake: () => {} }}
      needs={{ role: "operator", own }}
    >
      A plan measures endpoints side by side.
    </NextStep>,
  );

test("an empty state offers its next step to readers who may take it, and names the required role to others", () => {
  expect(render("operator")).toMatch(/<button[^>]*>.*Create the first plan.*<\/button>/);
  expect(render("operator")).not.toContain("You need");
  expect(render("viewer")).not.toContain("button");
  expect(render("viewer")).toContain("You need the operator role for it; yours is viewer.");
});

/**
 * Empty states without a next step: all is well, the step is a control above on the same page, or access is refused.
 */
const withoutStep: Readonly<Record<string, number>> = {
  "activity.tsx": 2,
  "admin/audit/audit-page.tsx": 1,
  "admin/channels/networks.tsx": 1,
  "admin/nodes/tokens.tsx": 1,
  "admin/users/invitations.tsx": 1,
  "alerts/rules.tsx": 1,
  "benchmarks/import/import-page.tsx": 1,
  "benchmarks/runs/[runId]/run-page.tsx": 1,
  "buckets/bucket-view.tsx": 1,
  "disks/[driveId]/drive-page.tsx": 1,
  "disks/compare/compare-page.tsx": 1,
  "disks/drive-table.tsx": 1,
  "disks/failure-rates/drive-record-table.tsx": 1,
  "disks/failure-rates/failure-rates-page.tsx": 1,
  "disks/failure-rates/model-table.tsx": 1,
  "drive-figures/cell-table.tsx": 1,
  "fsync/stall-table.tsx": 1,
  "health/processes.tsx": 1,
  "object-location/object-dialog.tsx": 2,
  "planner/drives/drives-page.tsx": 2,
  "planner/volumes/comparison.tsx": 1,
  "planner/volumes/volume-choices.tsx": 1,
  "role-gate.tsx": 1,
  "settings/api-tokens/api-tokens-page.tsx": 1,
  "simulator/simulator-page.tsx": 1,
  "stash/unpurged-by-pod.tsx": 1,
  "system/tables.tsx": 2,
  "vaults/no-place.tsx": 1,
  "write-path/shard-table.tsx": 1,
  "write-path/uploads.tsx": 1,
  "write-path/waterfall-panel.tsx": 1,
};

const folder = join(import.meta.dirname, "../app/(console)");

test("every empty state of a page offers a next step, except the listed ones", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".tsx"),
  );
  const left = files.flatMap((name) => {
    const states = readFileSync(join(folder, name), "utf8").split("<EmptyState").slice(1);
    const count = states.filter((text) => !text.slice(0, 400).includes("action=")).length;
    return count === 0 ? [] : [[name, count] as const];
  });
  expect(Object.fromEntries(left)).toEqual(withoutStep);
});
