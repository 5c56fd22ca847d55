import type { Oracle } from "../check/oracle.ts";
import type { SimulatedPod, SimulatedStash } from "../world/machines.ts";
import type { World } from "../world/world.ts";
import type { Notebook } from "./collected-facts.ts";
import { spy } from "./observe-method.ts";

/** Records the actual contents of the media, and their faults. */
export function followMedia(notebook: Notebook, world: World): void {
  followCopies(notebook, world.oracle);
  followEnds(notebook, world.oracle);
  for (const holder of [...world.pods, ...world.stashes]) followMedium(notebook, holder);
}

function followCopies(notebook: Notebook, oracle: Oracle): void {
  spy(oracle, "durable", (place, { upload, shardIndex }) => {
    notebook.trackerOf(upload).changed(place, shardIndex, 1);
    const where = place === "pod" ? "there" : "on the stash";
    notebook.detail(
      `of {upload} the shards of {who} are durable ${where}`,
      [`p${shardIndex}`],
      upload.uploadId,
    );
  });
  spy(oracle, "killed", (place, uploadId, shardIndex, wasDurable) => {
    if (wasDurable) notebook.uploads.get(uploadId)?.changed(place, shardIndex, -1);
    const phrase =
      place === "pod" ? "{who} dropped {upload}" : "of {upload} the stash dropped the shards of {who}";
    notebook.detail(phrase, [`p${shardIndex}`], uploadId);
  });
  spy(oracle, "lost", (place, uploadId, shardIndex) => {
    notebook.uploads.get(uploadId)?.changed(place, shardIndex, -1);
    const where = place === "pod" ? "drives" : "the stash";
    notebook.detail(`of {upload} the shards of {who} were lost by ${where}`, [`p${shardIndex}`], uploadId);
  });
  spy(oracle, "lied", ({ upload, shardIndex }) => {
    notebook.detail(
      "of {upload} a sync falsely reported the shards of {who}",
      [`p${shardIndex}`],
      upload.uploadId,
    );
  });
}

function followEnds(notebook: Notebook, oracle: Oracle): void {
  const told = new Set<string>();
  const tellOnce = (phrase: string, uploadId: string) => {
    if (told.has(phrase + uploadId)) return;
    told.add(phrase + uploadId);
    notebook.step(phrase, [], uploadId);
  };
  spy(oracle, "dead", (uploadId) =>
    tellOnce("{upload} was declared dead: it can never appear again", uploadId),
  );
  spy(oracle, "superseded", ({ uploadId }) =>
    tellOnce("{upload} was called superseded by a later version", uploadId),
  );
  spy(oracle, "committed", (uploadId) => tellOnce("{upload} was called committed", uploadId));
}

function followMedium(notebook: Notebook, { medium, node }: SimulatedPod | SimulatedStash): void {
  const who = [node.address];
  const forget = () => {
    if (!node.address.startsWith("p")) return;
    for (const tracker of notebook.uploads.values()) tracker.unwritten(Number(node.address.slice(1)));
  };
  spy(medium, "powerCut", () => {
    forget();
    notebook.detail("{who} lost power", who);
  });
  spy(medium, "replace", () => {
    forget();
    notebook.step("{who} has a new, empty drive", who);
  });
  spy(medium, "failNextSync", () => notebook.step("the next sync of {who} will fail", who));
  const tellChange = (name: "setLying" | "setHung" | "setFull", on: string, off: string) => {
    let is = false;
    spy(medium, name, (isOn: boolean) => {
      if (isOn !== is) notebook.step(isOn ? on : off, who);
      is = isOn;
    });
  };
  tellChange(
    "setLying",
    "the drive of {who} begins to report false syncs",
    "the drive of {who} is honest again",
  );
  tellChange("setHung", "the drive of {who} hangs", "the drive of {who} answers again");
  tellChange("setFull", "{who} is full", "{who} has free space again");
  spy(medium, "setSlowFactor", (factor) => {
    if (factor > 1) notebook.step(`the drive of {who} is ${factor} times slower`, who);
  });
}
