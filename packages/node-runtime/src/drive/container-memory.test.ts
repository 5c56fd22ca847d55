import { expect, test } from "vitest";
import { readContainerUse } from "./container-memory.ts";

const STAT = "anon 3000\nfile 900\ninactive_file 600\nactive_file 200\n";

const filesOf = (files: Readonly<Record<string, string>>) => (path: string) => {
  const text = files[path];
  if (text === undefined) throw new Error(`ENOENT: ${path}`);
  return text;
};

test.each([
  ["its own group as the root", "/", "/sys/fs/cgroup"],
  ["its group by its path", "/system.slice/pods.service", "/sys/fs/cgroup/system.slice/pods.service"],
  ["another group's path, which it cannot see", "/docker/abc", "/sys/fs/cgroup"],
])("the memory use of a container that sees %s excludes the page cache", (_, own, folder) => {
  const files = {
    "/proc/self/cgroup": `0::${own}\n`,
    [`${folder}/memory.current`]: "4000\n",
    [`${folder}/memory.stat`]: STAT,
  };
  expect(readContainerUse(filesOf(files))).toBe(3200);
});

test("a system without cgroups of version 2 has no figure", () => {
  expect(readContainerUse(filesOf({ "/proc/self/cgroup": "9:memory:/\n" }))).toBeNull();
  expect(readContainerUse(filesOf({}))).toBeNull();
});
