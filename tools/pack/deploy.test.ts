/** Checks that deploy/ agrees with the product, as far as possible without a cluster. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { repositoryRoot } from "../run/environment.ts";

const PORTS = { console: 4680, ingest: 4685, worker: 4686 } as const;
const roles = Object.keys(PORTS) as (keyof typeof PORTS)[];

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

interface Container {
  readonly args?: string[];
  readonly env: { name: string; value?: string; valueFrom?: unknown }[];
  readonly ports?: { containerPort: number }[];
  readonly securityContext: unknown;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template?: { readonly spec: { readonly containers: Container[] } } };
}

const LOCKED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

test("the image runs as an unprivileged user, and contains the files that the image test runs", () => {
  const file = read("Containerfile");
  expect(file).toMatch(/^USER 65532:65532$/m);
  expect(file).toMatch(/^RUN node tools\/bootstrap\.mjs tools\/pack\/main\.ts image --output \/out$/m);
  expect(file).toMatch(/^COPY --from=build --chown=root:root \/out\/image \/opt\/stashlight$/m);
  expect(file).toMatch(/^HEALTHCHECK .* CMD \["node", "tools\/pack\/health\.mjs"\]$/m);
  expect(read(".dockerignore")).toBe(read(".containerignore"));
});

test("each role of the compose file runs read-only, and only migrate has the owner's login", () => {
  const { services } = parse(read("deploy/compose.yaml"), { merge: true });
  expect(Object.keys(services)).toEqual(["postgres", "migrate", ...roles, "vault"]);
  for (const role of ["migrate", ...roles]) {
    expect(services[role]).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      environment: { STASHLIGHT_ROLE: role },
    });
    expect("DATABASE_URL" in services[role].environment).toBe(role === "migrate");
  }
  for (const role of ["console", "ingest"] as const) {
    expect(services[role].ports).toEqual([`\${STASHLIGHT_BIND:-127.0.0.1}:${PORTS[role]}:${PORTS[role]}`]);
  }
});

const helm = [join(homedir(), "go/bin/helm"), "helm"].find(
  (path) => spawnSync(path, ["version"]).status === 0,
);
if (helm === undefined) console.log("SKIPPED: the Helm chart was not rendered (helm is not installed).");

const NEEDED = {
  publicUrl: "https://stashlight.example.org",
  ingestUrl: "https://ingest.example.org",
  existingSecret: "stashlight",
};

function render(values: object): { manifests: Manifest[]; complained: string } {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-helm-"));
  try {
    writeFileSync(join(folder, "values.json"), JSON.stringify(values));
    const chart = join(repositoryRoot, "deploy/helm/stashlight");
    const args = ["template", "test", chart, "--values", join(folder, "values.json")];
    const { stdout, stderr } = spawnSync(helm ?? "helm", args, { encoding: "utf8" });
    const documents = parseAllDocuments(stdout, { merge: true });
    return { manifests: documents.map((each) => each.toJS()).filter(Boolean), complained: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(helm === undefined)(
  "the chart renders every role with its port and restricted privileges, and a probe",
  () => {
    const ingress = {
      enabled: true,
      consoleHost: "stashlight.example.org",
      ingestHost: "ingest.example.org",
    };
    const probe = { enabled: true, enrolmentSecret: "probe-token" };
    const { manifests, complained } = render({ ...NEEDED, ingress, probe });
    expect(complained).toBe("");
    const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
    expect(names).toEqual(
      [
        ...roles.flatMap((role) => [`Deployment/test-${role}`, `PodDisruptionBudget/test-${role}`]),
        ...["Service/test-console", "Service/test-ingest", "Ingress/test", "Job/test-migrate"],
        "StatefulSet/test-probe",
      ].sort(),
    );
    const containerOf = (name: string) => {
      const manifest = manifests.find(({ kind, metadata }) => `${kind}/${metadata.name}` === name);
      return manifest?.spec.template?.spec.containers[0] as Container;
    };
    for (const role of roles) {
      const container = containerOf(`Deployment/test-${role}`);
      expect(container.securityContext).toEqual(LOCKED);
      expect(container.ports).toEqual([{ name: "http", containerPort: PORTS[role] }]);
      expect(container.env).toContainEqual({ name: "STASHLIGHT_ROLE", value: role });
      expect(container.env.map(({ name }) => name)).not.toContain("DATABASE_URL");
    }
    expect(containerOf("Job/test-migrate").env.map(({ name }) => name)).toContain("DATABASE_URL");
    expect(containerOf("StatefulSet/test-probe").args?.slice(1, 3)).toEqual(["stashlight.cjs", "probe"]);
    execFileSync(helm as string, [
      "lint",
      "--strict",
      join(repositoryRoot, "deploy/helm/stashlight"),
      ...Object.entries(NEEDED).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
    ]);
  },
);

test.skipIf(helm === undefined).each([
  [{ publicUrl: "" }, "publicUrl"],
  [{ existingSecret: "" }, "existingSecret"],
  [{ storageProfile: "mysql" }, "storageProfile"],
  [{ wroker: { replicas: 3 } }, "wroker"],
  [{ probe: { enabled: true } }, "probe.enrolmentSecret names the Secret with the enrolment token"],
])("the chart refuses %j with an error that names it", (mistake, name) => {
  const { manifests, complained } = render({ ...NEEDED, ...mistake });
  expect(manifests).toEqual([]);
  expect(complained).toContain(name);
});

test("each unit starts a program of the image, as a separate user without further privileges", () => {
  const folder = join(repositoryRoot, "deploy/systemd");
  const units = readdirSync(folder);
  expect(units.sort()).toEqual([...roles, "probe"].sort().map((name) => `stashlight-${name}.service`));
  for (const unit of units) {
    const lines = readFileSync(join(folder, unit), "utf8").split("\n");
    const program = /^ExecStart=.*\/opt\/stashlight\/(\S+)/.exec(
      lines.find((line) => /^Exec/.test(line)) ?? "",
    );
    const isThere =
      program?.[1] === "stashlight.cjs" || existsSync(join(repositoryRoot, program?.[1] ?? "?"));
    expect(isThere).toBe(true);
    expect(lines).toEqual(
      expect.arrayContaining(["User=stashlight", "NoNewPrivileges=yes", "ProtectSystem=strict"]),
    );
  }
});
