import { checkStashPlanInput, defaultPlanInput, explainPlan } from "@stashlight/planner";
import { expect, test } from "vitest";
import { answerAsCsv, answerAsJson, type ExportedPlan, inputAsJson, toFileName } from "./export.ts";

const answer = explainPlan(defaultPlanInput);
const plan: ExportedPlan = {
  note: 'Offer of "May"\nfor the board',
  input: defaultPlanInput,
  ranges: [{ variable: "uploadsPerSecond", shape: "triangular", low: 1500, mode: 2000, high: 4000 }],
  answer,
  unjudged: null,
};

/** Too few servers for the placement of the example plan. */
const installedPool = {
  servers: 1,
  drivesPerServer: 20,
  driveCapacityBytes: defaultPlanInput.drive.capacityBytes,
  driveFsyncPerSecond: defaultPlanInput.drive.fsyncPerSecond,
};

test("an exported input can be planned again", () => {
  expect(checkStashPlanInput(JSON.parse(inputAsJson(defaultPlanInput))).input).toEqual(defaultPlanInput);
});

test("the answer has one section, name, value and unit per row", () => {
  const lines = answerAsCsv(plan).trim().split("\r\n");
  expect(lines[0]).toBe('"section","name","value","unit"');
  expect(lines).toContain('"answer","Drives","21","drives"');
  expect(lines).toContain('"input","objects.0.bytes","256000","bytes"');
  expect(lines).toContain('"input","installed.servers","",""');
  expect(lines).toContain('"note","Note","Offer of ""May""\nfor the board",""');
  expect(lines).toContain('"range","uploadsPerSecond.mode","2000",""');
  for (const line of lines) expect(line.match(/^("([^"]|"")*")(,"([^"]|"")*"){3}$/), line).not.toBeNull();
});

test("a load that is too short to judge pools gives no verdict on them", () => {
  const unjudged = "34 min of load were measured; judging a pool needs 6 h";
  const input = { ...defaultPlanInput, installed: installedPool };
  const csv = answerAsCsv({ ...plan, answer: explainPlan(input), unjudged });
  expect(csv).toContain(`"answer","Pools are not judged","${unjudged}",""`);
  expect(csv).toContain('"answer","Month outgrown","not judged"');
  expect(csv).toContain('"answer","Installed pool suffices","not judged"');
});

test("the exported JSON parses to the plan", () => {
  expect(JSON.parse(answerAsJson(plan))).toMatchObject({ ...plan, answer: { plan: answer.plan } });
});

test("a file is named after its plan", () => {
  expect([toFileName("Spring 2027: +30 %"), toFileName("…")]).toEqual(["spring-2027-30", "stash-plan"]);
});
