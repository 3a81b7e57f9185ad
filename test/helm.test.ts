import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { loadSettings } from "../src/config/settings.ts";

// Helm itself is not in Debian. The chart is rendered by its own template language instead (deploy/helm/render: Go's text/template with sprig,
// the basis of Helm), and the test checks every name in the output against its definition. It was not tried on a cluster.
const root = join(import.meta.dirname, "..");
const chart = join(root, "deploy/helm/assay");
const folder = mkdtempSync(join(tmpdir(), "assay-helm-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOPATH = "/usr/share/gocode";
const has_go =
  existsSync("/usr/bin/go") &&
  ["github.com/Masterminds/sprig", "gopkg.in/yaml.v3"].every((path) => existsSync(join(GOPATH, "src", path)));
const PACKAGES = "golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev";
const title = (name: string) => (has_go ? name : `${name} (not run: apt-get install ${PACKAGES})`);

const renderer = join(folder, "render");
beforeAll(() => {
  if (!has_go) return;
  const env = { ...process.env, GO111MODULE: "off", GOPATH, GOCACHE: join(folder, "cache"), CGO_ENABLED: "0" };
  execFileSync("/usr/bin/go", ["build", "-o", renderer, "main.go"], { cwd: join(root, "deploy/helm/render"), env });
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of several kinds are walked freely in assertions.
  readonly [member: string]: any;
}

const rendered = (values: object, release = "assay") => {
  const { status, stdout, stderr } = spawnSync(renderer, [chart, release], {
    input: JSON.stringify(values),
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

/** The manifests, each of which is YAML without duplicate keys. */
const manifests = (values: object = {}, release?: string): readonly Manifest[] => {
  const { status, stdout, stderr } = rendered(values, release);
  expect([status, stderr]).toEqual([0, ""]);
  const text = stdout.split(/^---\n# Source: NOTES\.txt\n/m)[0] ?? "";
  const rest = stdout
    .slice(text.length)
    .split(/^---\n/m)
    .filter((part) => part !== "" && !part.startsWith("# Source: NOTES.txt"));
  return parseAllDocuments([text, ...rest].join("---\n"), { uniqueKeys: true })
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    })
    .filter((one) => one !== null);
};

const kinds = (all: readonly Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
const named = (all: readonly Manifest[], name: string): Manifest => {
  const found = all.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
  if (found === undefined) throw new Error(`no ${name} among ${kinds(all)}`);
  return found;
};

const FULL = {
  replicas: 3,
  config: { networks: { base: { rpc: ["http://base:8545"], from_block: 5 } } },
  persistence: { enabled: true, size: "20Gi", storageClassName: "fast" },
  ingress: {
    enabled: true,
    className: "nginx",
    hosts: ["assay.example.org"],
    tls: [{ secretName: "tls", hosts: ["assay.example.org"] }],
  },
  extraEnv: [{ name: "ASSAY_LOG_LEVEL", value: "debug" }],
  imagePullSecrets: [{ name: "pull" }],
  nodeSelector: { disk: "ssd" },
  podAnnotations: { team: "a: b #c" },
};

describe("the chart", () => {
  test("has a schema for its values that accepts the defaults and rejects unknown values", () => {
    const isValid = new Ajv({ strict: false }).compile(
      JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")),
    );
    const values = parse(readFileSync(join(chart, "values.yaml"), "utf8"));
    expect([isValid(values), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...values, ...FULL })).toBe(true);
    for (const wrong of [
      { replica: 2 },
      { replicas: 0 },
      { config: {} },
      { clickhouse: { ...values.clickhouse, url: "ch:8123" } },
    ])
      expect([wrong, isValid({ ...values, ...wrong })]).toEqual([wrong, false]);
  });

  test("uses every value in a template, and has the project's version", () => {
    const text = readdirSync(join(chart, "templates"))
      .map((file) => readFileSync(join(chart, "templates", file), "utf8"))
      .join("");
    const values = parse(readFileSync(join(chart, "values.yaml"), "utf8"));
    expect(Object.keys(values).filter((name) => !text.includes(`.Values.${name}`))).toEqual([]);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(parse(readFileSync(join(chart, "Chart.yaml"), "utf8"))).toMatchObject({ version, appVersion: version });
  });
});

describe.skipIf(!has_go)(title("rendered"), () => {
  test("renders by default the serving pods, the indexer, a service and the configuration", () => {
    expect(kinds(manifests())).toEqual([
      "ConfigMap assay",
      "Deployment assay-index",
      "Deployment assay-serve",
      "PodDisruptionBudget assay-serve",
      "Service assay",
    ]);
    expect(kinds(manifests({ replicas: 1 }, "prod"))).toContain("Service prod-assay");
    expect(kinds(manifests(FULL))).toEqual(expect.arrayContaining(["Ingress assay", "PersistentVolumeClaim assay"]));
  });

  test("selects exactly the intended pods", () => {
    const all = manifests(FULL);
    const pods = (name: string) => named(all, name).spec.template.metadata.labels;
    const chosen = (selector: object, name: string) =>
      Object.entries(selector).every(([key, value]) => pods(name)[key] === value);
    for (const one of ["serve", "index"]) {
      const own = named(all, `Deployment assay-${one}`).spec.selector.matchLabels;
      expect([one, chosen(own, "Deployment assay-serve"), chosen(own, "Deployment assay-index")]).toEqual([
        one,
        one === "serve",
        one === "index",
      ]);
    }
    const { selector, ports } = named(all, "Service assay").spec;
    expect([chosen(selector, "Deployment assay-serve"), chosen(selector, "Deployment assay-index")]).toEqual([
      true,
      false,
    ]);
    const [container] = named(all, "Deployment assay-serve").spec.template.spec.containers;
    expect(container.ports.map(({ name }: { name: string }) => name)).toContain(ports[0].targetPort);
    const { rules } = named(all, "Ingress assay").spec;
    expect(rules).toMatchObject([
      {
        host: "assay.example.org",
        http: { paths: [{ backend: { service: { name: "assay", port: { name: ports[0].name } } } }] },
      },
    ]);
  });

  test("renders a configuration and an environment that the program accepts, with the stores of the cluster", () => {
    const all = manifests(FULL);
    const { spec } = named(all, "Deployment assay-serve").spec.template;
    const [{ env, args, volumeMounts }] = spec.containers;
    const file = join(folder, "assay.config.json");
    const text = named(all, "ConfigMap assay").data["assay.config.json"];
    writeFileSync(file, text);
    const secrets = ["postgres_url", "clickhouse_password", "key_pepper", "operator_token", "redis_url"];
    const given: Record<string, string> = Object.fromEntries(
      env.map(({ name, value }: { name: string; value: string }) => [
        name,
        value.replace("/run/secrets/assay", folder),
      ]),
    );
    const url: Record<string, string> = {
      postgres_url: "postgres://a:b@pg:5432/a",
      redis_url: "redis://:p@redis:6379",
    };
    for (const name of secrets) writeFileSync(join(folder, name), `${url[name] ?? "0123456789abcdef".repeat(4)}\n`);
    const files = Object.values(given).filter((value) => value.startsWith(folder));
    expect(files.sort()).toEqual(secrets.map((name) => join(folder, name)).sort());
    const { settings } = loadSettings({ config: file, cwd: folder, home: folder, env: given });
    expect(settings).toMatchObject({
      facts: { engine: "clickhouse", url: "http://clickhouse.stores.svc:8123" },
      accounts: { engine: "postgres" },
      rate_limit: { instances: 3 },
      mcp: { hosts: ["assay.example.org"] },
      networks: { base: { from_block: 5 } },
    });
    expect(args).toEqual(["serve", "--config", "/etc/assay/assay.config.json"]);
    const volumes = spec.volumes.map(({ name }: { name: string }) => name).sort();
    expect(volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(volumes);
    expect(spec.volumes.find(({ name }: { name: string }) => name === "secrets").secret.secretName).toBe("assay");
  });

  test("gives pods no rights and writable volumes only, and restarts them when the configuration changes", () => {
    const [all, other] = [manifests(), manifests(FULL)];
    const sum = (some: readonly Manifest[]) =>
      named(some, "Deployment assay-serve").spec.template.metadata.annotations["checksum/config"];
    expect(sum(all)).toMatch(/^[0-9a-f]{64}$/);
    expect(sum(other)).not.toBe(sum(all));
    for (const name of ["Deployment assay-serve", "Deployment assay-index"]) {
      const { spec } = named(all, name).spec.template;
      expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
    expect(named(other, "Deployment assay-index").spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
    expect(named(other, "Deployment assay-index").spec.template.metadata.annotations).toMatchObject({
      team: "a: b #c",
    });
  });

  test("rejects an ingress without a name, with a message", () => {
    const { status, stderr } = rendered({ ingress: { enabled: true, hosts: [] } });
    expect([status, stderr]).toEqual([1, expect.stringContaining("ingress.hosts: at least one name")]);
  });
});
