import { expect, test } from "vitest";
import { SetupError } from "../setup-error.ts";
import { parseLayout } from "./parse-layout.ts";

const good = `vault: photos
scheme: 2+1
size: { pod: 4TB, stash: 400GiB }
console: { ingest: "https://ingest.example.org" }
machines:
  - name: front
    address: 198.18.0.2
    coordinator: true
  - name: store
    address: store.example.org
    zone: a
    pods: /srv/hdd{0..2}
    stash: [/srv/ssd0]
`;

test("a layout is parsed with sizes in bytes and ranges of folders expanded", () => {
  expect(parseLayout(good, "photos.yaml")).toMatchObject({
    vault: "photos",
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    size: { pod: 4e12, stash: 400 * 1_073_741_824 },
    port: 4700,
    machines: [
      { name: "front", coordinator: true, pods: [], stash: [] },
      { name: "store", zone: "a", pods: ["/srv/hdd0", "/srv/hdd1", "/srv/hdd2"], stash: ["/srv/ssd0"] },
    ],
  });
});

const change = (from: string, to: string): string => {
  expect(good).toContain(from);
  return good.replace(from, to);
};

test.each<[string, string, string, string]>([
  ["invalid YAML", "machines:", "machines: [", "photos.yaml:6: this is not YAML: "],
  ["a misspelled key", "zone: a", "zoen: a", 'photos.yaml:9: machines[2]: "zoen" is not known here.'],
  ["a missing address", "    address: 198.18.0.2\n", "", "photos.yaml:6: machines[1].address is missing."],
  [
    "an invalid address",
    "198.18.0.2",
    "198.18.0.2:80x",
    "photos.yaml:7: machines[1].address must be an IP address or a host name.",
  ],
  ["an unknown scheme", "2+1", "two", "photos.yaml:2: scheme must be data and parity shards, such as 16+4."],
  [
    "an impossible scheme",
    "2+1",
    "2+2",
    "photos.yaml:2: scheme is not possible: A vault's scheme has k > m >= 1 and 3 <= k + m <= 256, not 2+2.",
  ],
  ["a size that is none", "4TB", "4 boxes", "photos.yaml:3: size.pod must be a size such as 4TB or 200GiB."],
  ["a size of nothing", "4TB", "0TB", "photos.yaml:3: size.pod must be a size such as 4TB or 200GiB."],
  [
    "a relative drive",
    "[/srv/ssd0]",
    "[ssd0]",
    'photos.yaml:13: machines[2].stash must be absolute folders without spaces; got "ssd0".',
  ],
  [
    "too few pods",
    "{0..2}",
    "{0..1}",
    "photos.yaml:6: 2+1 needs 3 pods, each a drive, but the machines name 2.",
  ],
  ["no stash", "    stash: [/srv/ssd0]\n", "", "photos.yaml:6: No machine has a stash drive."],
  [
    "no coordinator",
    "coordinator: true",
    "stash: /srv/ssd1",
    'photos.yaml:6: No machine is a coordinator; give one "coordinator: true".',
  ],
  [
    "a machine without a role",
    "coordinator: true",
    "coordinator: false",
    'photos.yaml:6: front has no role; give it pods, stash or "coordinator: true".',
  ],
  ["a name twice", "name: store", "name: front", "photos.yaml:9: The name front is given to two machines."],
  [
    "an address twice",
    "store.example.org",
    "198.18.0.2",
    "photos.yaml:10: store and front have the address 198.18.0.2; give one of them another address, or a port 6 or more away.",
  ],
  ["a drive twice", "/srv/ssd0", "/srv/hdd1", "photos.yaml:9: store names the drive /srv/hdd1 twice."],
  [
    "a drive in another",
    "/srv/ssd0",
    "/srv/hdd1/ssd",
    "photos.yaml:9: The drive /srv/hdd1/ssd of store is a folder of another drive.",
  ],
  [
    "an ingest with a path",
    'example.org"',
    'example.org/x"',
    "photos.yaml:4: console.ingest must have no path.",
  ],
])("%s is reported in one sentence with the line number", (_name, from, to, sentence) => {
  let told: SetupError | null = null;
  try {
    parseLayout(change(from, to), "photos.yaml");
  } catch (error) {
    told = error as SetupError;
  }
  expect(told).toBeInstanceOf(SetupError);
  expect(told?.faults).toContainEqual(expect.stringContaining(sentence));
});

test("all faults are reported at once, and an empty file lists its missing fields", () => {
  const faults = (text: string): readonly string[] => {
    try {
      parseLayout(text, "photos.yaml");
      return [];
    } catch (error) {
      return (error as SetupError).faults;
    }
  };
  expect(faults("")).toEqual(
    ["vault", "scheme", "size", "machines must"].map((name) => expect.stringContaining(name)),
  );
  expect(faults(change("4TB", "x").replace("198.18.0.2", "a b"))).toHaveLength(2);
});
