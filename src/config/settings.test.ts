import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSettings } from "./settings.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (content: unknown, env: Record<string, string> = {}) => {
  const config = join(folder, "assay.config.json");
  writeFileSync(config, typeof content === "string" ? content : JSON.stringify(content));
  return loadSettings({ config, cwd: folder, home: folder, env });
};

test("every setting has a default, and nothing configured means the demo in the checkout", () => {
  const loaded = loadSettings({ config: null, cwd: join(folder, "nowhere"), home: "/checkout", env: {} });
  expect(loaded.file).toBeNull();
  expect(loaded.data_dir).toBe("/checkout/.assay");
  expect(loaded.settings.networks).toEqual({});
  expect(new Set(Object.values(loaded.origins))).toEqual(new Set(["default"]));
});

test("the environment overrides the file, nested names with two underscores, and says so", () => {
  const loaded = load(
    { listen: "127.0.0.1:1", facts: { engine: "embedded" } },
    {
      ASSAY_LISTEN: "127.0.0.1:2",
      ASSAY_CALL_TIMEOUT_MS: "2000",
      ASSAY_NETWORKS__ETHEREUM__RPC: '["http://127.0.0.1:8545"]',
    },
  );
  expect(loaded.settings.listen).toBe("127.0.0.1:2");
  expect(loaded.settings.call_timeout_ms).toBe(2_000);
  expect(loaded.settings.networks.ethereum?.rpc).toEqual(["http://127.0.0.1:8545"]);
  expect(loaded.origins.listen).toBe("ASSAY_LISTEN");
  expect(loaded.origins.facts).toBe(loaded.file);
});

test("a cluster is one of ClickHouse servers, and has nodes only where it has a name", () => {
  const clickhouse = { engine: "clickhouse", url: "http://one:8123" };
  expect(load({ facts: clickhouse }, {}).settings.facts).toMatchObject({ cluster: null, nodes: [] });
  expect(load({ facts: { ...clickhouse, cluster: "facts" } }, {}).settings.facts).toMatchObject({ cluster: "facts" });
  expect(() => load({ facts: { engine: "embedded", cluster: "facts" } }, {})).toThrow(
    "facts.cluster: a cluster is several ClickHouse servers, so facts.engine must be 'clickhouse', not 'embedded'",
  );
  expect(() => load({ facts: { ...clickhouse, nodes: ["http://one:8123"] } }, {})).toThrow("only a cluster has nodes");
  expect(() => load({ facts: { ...clickhouse, cluster: "it's" } }, {})).toThrow("facts.cluster");
});

test("reads a value from a file named by the environment, always as text", () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, "1234567890123456\n");
  const loaded = load({}, { ASSAY_KEYS__PEPPER_FILE: secret });
  expect(loaded.settings.keys.pepper).toBe("1234567890123456");
  expect(loaded.origins.keys).toBe("ASSAY_KEYS__PEPPER_FILE");
  expect(() => load({}, { ASSAY_KEYS__PEPPER_FILE: join(folder, "none") })).toThrow(
    /ASSAY_KEYS__PEPPER_FILE: the file .*none cannot be read/,
  );
  const both = { ASSAY_KEYS__PEPPER_FILE: secret, ASSAY_KEYS__PEPPER: "another-pepper-of-ours" };
  expect(() => load({}, both)).toThrow("ASSAY_KEYS__PEPPER and ASSAY_KEYS__PEPPER_FILE are both set");
  expect(() => load({}, { ASSAY_LISTNE_FILE: secret })).toThrow("did you mean 'listen'?");
});

test("the collector of traces is also read from its standard variable, after the file and our own", () => {
  const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  expect(load({}, standard)).toMatchObject({
    settings: { telemetry: { otlp_url: "http://127.0.0.1:4318", sample_ratio: 1 } },
    origins: { telemetry: "OTEL_EXPORTER_OTLP_ENDPOINT" },
  });
  const own = { ...standard, ASSAY_TELEMETRY__OTLP_URL: "http://127.0.0.1:1" };
  expect(load({}, own).settings.telemetry.otlp_url).toBe("http://127.0.0.1:1");
  const file = load({ telemetry: { sample_ratio: 0.5, otlp_url: "http://127.0.0.1:2" } }, standard);
  expect(file.settings.telemetry).toMatchObject({ otlp_url: "http://127.0.0.1:2", sample_ratio: 0.5 });
  expect(load({ telemetry: { otlp_url: null } }, standard).settings.telemetry.otlp_url).toBeNull();
  expect(() => load({}, { OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://x" })).toThrow("telemetry.otlp_url");
});

test("data_dir is relative to the configuration file", () => {
  expect(load({ data_dir: "store" }).data_dir).toBe(join(folder, "store"));
  expect(load({ data_dir: "/elsewhere" }).data_dir).toBe("/elsewhere");
});

test("an unknown name is an error that suggests the nearest", () => {
  expect(() => load({ lisen: "x" })).toThrow("unknown setting 'lisen'; did you mean 'listen'?");
  expect(() => load({ networks: { ethereum: { rpc: ["http://127.0.0.1:1"], form_block: 1 } } })).toThrow(
    "unknown setting 'networks.ethereum.form_block'; did you mean 'from_block'?",
  );
  expect(() => load({}, { ASSAY_LISTNE: "x" })).toThrow("did you mean 'listen'?");
});

test("a file that is no JSON object, and a value of the wrong kind, are refused in words", () => {
  expect(() => load("{")).toThrow("is not JSON");
  expect(() => load("[]")).toThrow("must hold a JSON object");
  expect(() => load({ networks: { ethereum: { rpc: [] } } })).toThrow("networks.ethereum.rpc");
});

test("every block is verified and one node's word is taken unless a network says otherwise", () => {
  const rpc = ["http://127.0.0.1:8545", "http://127.0.0.1:8546"];
  const { ethereum } = load({ networks: { ethereum: { rpc } } }).settings.networks;
  expect(ethereum).toMatchObject({ verify: "full", agree: 1 });
  const other = load({ networks: { ethereum: { rpc, verify: "header", agree: 2 } } }).settings.networks.ethereum;
  expect(other).toMatchObject({ verify: "header", agree: 2 });
  expect(() => load({ networks: { ethereum: { rpc, verify: "some" } } })).toThrow(/networks.ethereum.verify/);
  for (const few of [rpc.slice(0, 1), [rpc[0], rpc[0]]])
    expect(() => load({ networks: { ethereum: { rpc: few, agree: 2 } } })).toThrow(
      "networks.ethereum.agree: more nodes must agree than rpc has",
    );
});
