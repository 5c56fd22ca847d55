import { expect, test } from "vitest";
import { parseScrapeFile } from "./file.ts";

const parse = (text: string) => parseScrapeFile(text, "scrape.yaml");

test("a file is read as a list of stores, each with its addresses", () => {
  const sources = parse(`
sources:
  - name: ceph-prod
    kind: ceph
    urls: [http://mgr-1.example.org:9283/metrics, http://osd-1.example.org:9926/metrics]
  - name: minio
    kind: minio
    urls: ["https://[fd00::1]:9000/minio/metrics/v3/system/drive"]
    everySeconds: 30
    medium: hdd
    tokenFile: /etc/stashlight/minio.token
    caFile: /etc/stashlight/minio-ca.pem
`);
  expect(sources.map(({ urls, ...rest }) => ({ ...rest, hosts: urls.map(({ host }) => host) }))).toEqual([
    {
      name: "ceph-prod",
      kind: "ceph",
      everySeconds: 15,
      medium: null,
      tokenFile: null,
      caFile: null,
      hosts: ["mgr-1.example.org:9283", "osd-1.example.org:9926"],
    },
    {
      name: "minio",
      kind: "minio",
      everySeconds: 30,
      medium: "hdd",
      hosts: ["[fd00::1]:9000"],
      tokenFile: "/etc/stashlight/minio.token",
      caFile: "/etc/stashlight/minio-ca.pem",
    },
  ]);
});

const source = (lines: string) => `sources:\n  - name: a\n    urls: [http://a.example.org/metrics]\n${lines}`;

test.each<[string, string]>([
  ["", "scrape.yaml:1: sources is missing."],
  ["sources: []", "scrape.yaml:1: sources must name a source."],
  ["sources: [", "scrape.yaml:1: this is not YAML"],
  [source("    kind: swift"), "scrape.yaml:4: sources[1].kind must be ceph, minio, zfs."],
  [source("    kind: zfs"), "sources[1].medium must be ssd or hdd, because zfs does not report it."],
  [source("    kind: ceph\n    interval: 5"), '"interval" is not known here.'],
  [source("    kind: ceph\n    everySeconds: 1"), "sources[1].everySeconds must be 5 or more."],
  [source("    kind: ceph\n    tokenFile: token"), "sources[1].tokenFile must be an absolute path."],
  [source("    kind: ceph\n    caFile: /ca.pem"), "sources[1].caFile is of use only with an https address."],
  [
    "sources:\n  - { name: a, kind: ceph, urls: [ftp://a] }",
    "scrape.yaml:2: sources[1].urls[1] must be an address such as http://mgr.example.org:9283/metrics",
  ],
  ["sources:\n  - { name: a, kind: ceph, urls: ['http://me:secret@a/'] }", "without a name or a password"],
  [
    "sources:\n  - { name: a, kind: ceph, urls: [http://a/] }\n  - { name: a, kind: ceph, urls: [http://b/] }",
    "scrape.yaml:3: sources[2].name a is given to two sources.",
  ],
])("a faulty file is refused with the place of its first mistake: %s", (text, sentence) => {
  expect(() => parse(text)).toThrow(sentence);
});
