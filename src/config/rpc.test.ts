import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadSettings } from "./settings.ts";

/** The parsed `rpc` of a network, from a file next to the key's file. */
const rpcOf = (rpc: unknown, env: NodeJS.ProcessEnv = {}): unknown => {
  const folder = mkdtempSync(join(tmpdir(), "assay-rpc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "key"), "from-the-file\n");
  writeFileSync(join(folder, "assay.config.json"), JSON.stringify({ networks: { ethereum: { rpc } } }));
  return loadSettings({ config: null, cwd: folder, home: folder, env }).settings.networks.ethereum?.rpc;
};

const url = "https://node.example";

test("a node is an address, or an object with what its provider asks for", () => {
  const full = {
    url,
    name: "main",
    requests_per_second: 25,
    requests_per_day: 100_000,
    max_batch: 10,
    max_concurrency: 4,
  };
  expect(rpcOf(["http://127.0.0.1:8545", full])).toEqual(["http://127.0.0.1:8545", full]);
});

test("reads header values from the configuration, the environment, or a file relative to the configuration", () => {
  const headers = { a: "text", b: { env: "NODE_KEY" }, c: { file: "key" } };
  expect(rpcOf([{ url, headers }], { NODE_KEY: "from-the-environment" })).toEqual([
    { url, headers: { a: "text", b: "from-the-environment", c: "from-the-file" } },
  ]);
});

test.each([
  [["wss://node.example"], "Assay reads nodes over HTTP, not over WebSocket."],
  [[{ url: "ws://node.example" }], "Assay reads nodes over HTTP, not over WebSocket."],
  [["node.example"], "expected an http or https address"],
  [[{ url, headers: { a: { env: "NOT_SET" } } }], "the environment variable NOT_SET is not set"],
  [[{ url, headers: { a: { file: "missing" } } }], "cannot be read"],
  [[{ url, headers: { "content-type": "text/plain" } }], "Assay sets this header itself"],
  [[{ url, headers: { a: "two\nlines" } }], "networks.ethereum.rpc.0"],
  [[{ url, max_batch: 0 }], "max_batch"],
  [[{ url, requests: 5 }], "networks.ethereum.rpc.0"],
  [[], "networks.ethereum.rpc"],
])("%j is refused: %s", (rpc, words) => {
  expect(() => rpcOf(rpc)).toThrow(words);
});
