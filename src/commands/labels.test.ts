import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../config/settings.ts";
import type { FactsStore } from "../store/open.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandIo, EXIT, parseArgs, UsageFault } from "./command.ts";
import { commandNamed } from "./index.ts";
import * as labels from "./labels.ts";

const ADDRESS = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`;

let folder: string;
/** Stands for a service that runs: the command joins its engine. */
let running: FactsStore;
const env = (): NodeJS.ProcessEnv => ({
  ASSAY_DATA_DIR: folder,
  ASSAY_NETWORKS: JSON.stringify({ ethereum: { rpc: ["http://127.0.0.1:9"] } }),
});
const settings = () => loadSettings({ config: null, cwd: folder, home: folder, env: env() });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-labels-"));
  running = await openFactsOnly(settings().settings, folder);
});
afterAll(async () => {
  await running.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});
beforeEach(async () => {
  for (const table of ["labels", "lists", "sanctions", "suppressed"]) {
    await running.engine.command(`TRUNCATE TABLE ${table}`);
  }
});

const type = async (line: string) => {
  const out: string[] = [];
  const io: CommandIo = {
    out: (text) => void out.push(text),
    err: () => undefined,
    json: true,
    tty: false,
    env: env(),
    checkout: folder,
    settings,
    signal: new AbortController().signal,
  };
  expect(await labels.run(parseArgs(commandNamed("labels"), line.split(" ")), io)).toBe(EXIT.ok);
  return JSON.parse(out.join(""));
};

const put = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const stored = (sql: string) => running.engine.query(sql);
const LABELS = "SELECT network, lower(hex(address)), label FROM labels FINAL WHERE category != '' ORDER BY ALL";

test("an import can be repeated, replaced and taken away, and says what was refused", async () => {
  const row = (n: number) => `${ADDRESS(n)},evm,Name ${n},exchange`;
  const head = "address,network,label,category";
  const path = put("a.csv", [head, row(1), row(2), `${ADDRESS(3)},evm,Name,nonsense`].join("\n"));
  const line = `import ${path} --format labels-csv --list mine --licence CC0-1.0 --origin office`;
  const first = await type(line);
  expect(first).toMatchObject({ list: "mine", kind: "labels", accepted: 2, written: 2, removed: 0, duplicates: 0 });
  expect(first.refused).toMatchObject([{ reason: "the category is not a word of the taxonomy", count: 1 }]);
  expect(await type(line)).toMatchObject({ written: 0, removed: 0, unchanged: 2, version: first.version });
  expect((await type("lists")).lists).toMatchObject([
    { list: "mine", kind: "labels", rows: 2, licence: "CC0-1.0", origin: "office", format: "labels-csv" },
  ]);
  put("a.csv", [head, row(2), row(4)].join("\n"));
  expect(await type(line)).toMatchObject({ written: 1, removed: 1, unchanged: 1 });
  // Under each network of today too.
  expect(await stored(LABELS)).toEqual(
    ["ethereum", "evm"].flatMap((network) => [2, 4].map((n) => [network, ADDRESS(n).slice(2), `Name ${n}`])),
  );
  expect(await type("remove mine")).toMatchObject({ removed: 2 });
  expect(await stored(LABELS)).toEqual([]);
  expect((await type("lists")).lists).toEqual([]);
  expect(await type(line)).toMatchObject({ written: 2 });
  expect(await stored(LABELS)).toHaveLength(4);
  // The entry moved from every network to one; the others drop it.
  put("a.csv", [head, row(2).replace("evm", "ethereum"), row(4).replace("evm", "bsc")].join("\n"));
  expect(await type(line)).toMatchObject({ written: 2, removed: 2 });
  expect(await stored(LABELS)).toEqual([
    ["bsc", ADDRESS(4).slice(2), "Name 4"],
    ["ethereum", ADDRESS(2).slice(2), "Name 2"],
  ]);
});

/** An SDN file of `count` addresses. */
const sdn = (count: number): Buffer => {
  const ids = Array.from(
    { length: count },
    (_, n) => `<id><idType>Digital Currency Address - ETH</idType><idNumber>${ADDRESS(n + 1)}</idNumber></id>`,
  );
  const entry = `<sdnEntry><lastName>X</lastName><idList>${ids.join("")}</idList></sdnEntry>`;
  return gzipSync(`<sdnList xmlns="urn:x">${entry}</sdnList>`);
};
const inForce = () => stored("SELECT countIf(delisted_on = ''), countIf(delisted_on != '') FROM sanctions FINAL");

test("an SDN file below 500 addresses or a fifth smaller than before is refused and changes nothing", async () => {
  const path = put("sdn.xml.gz", sdn(499));
  const line = `import ${path} --format ofac-xml --list ofac-sdn`;
  await expect(type(line)).rejects.toThrow("499 digital currency addresses were found and at least 500");
  put("sdn.xml.gz", sdn(1_000));
  expect(await type(line)).toMatchObject({ kind: "sanctions", accepted: 1_000, written: 1_000 });
  put("sdn.xml.gz", sdn(799));
  await expect(type(line)).rejects.toThrow("799 entries are in force and list ofac-sdn has 1000");
  expect(await inForce()).toEqual([["1000", "0"]]);
  // 800 of 1,000 are exactly 20 % less, which is allowed; the other 200 become history.
  put("sdn.xml.gz", sdn(800));
  expect(await type(line)).toMatchObject({ removed: 200, unchanged: 800 });
  expect(await inForce()).toEqual([["800", "200"]]);
});

test("a list keeps its kind, its own name and a readable file", async () => {
  const labelled = put("l.json", JSON.stringify([{ address: ADDRESS(1), label: "A", category: "exchange" }]));
  const listed = put("s.json", JSON.stringify([{ address: ADDRESS(1), family: "evm" }]));
  await type(`import ${labelled} --format labels-json --list one --network evm`);
  await expect(type(`import ${listed} --format sanctions-json --list one`)).rejects.toThrow("list one holds labels");
  await expect(type(`import ${labelled} --format labels-json --list burn`)).rejects.toThrow("name of a list of this");
  await expect(type(`import ${labelled} --format labels-json --list A`)).rejects.toThrow("no name for a list");
  await expect(type(`import ${labelled} --format labels-json --list two`)).rejects.toThrow("holds no row");
  await expect(type(`import ${folder}/none --format tagpack --list two`)).rejects.toThrow("cannot be read");
  await expect(type(`import ${put("x.gz", "x")} --format tagpack --list two`)).rejects.toThrow("cannot be read");
  await expect(type(`import ${labelled} --format xml --list two`)).rejects.toThrow(UsageFault);
  await expect(type(`import ${labelled} --format tagpack`)).rejects.toThrow(UsageFault);
  await expect(type(`import ${labelled} --format tagpack --list two --network nowhere`)).rejects.toThrow(UsageFault);
  await expect(type("remove nothing")).rejects.toThrow("there is no list nothing");
  await expect(type("export x")).rejects.toThrow(UsageFault);
});

test("an address is suppressed and shown again", async () => {
  const shown = () => stored("SELECT family, lower(hex(address)) FROM suppressed FINAL WHERE is_removed = 0");
  await type(`suppress ${ADDRESS(7)} --reason asked`);
  expect(await shown()).toEqual([["evm", ADDRESS(7).slice(2)]]);
  await type(`unsuppress ${ADDRESS(7)}`);
  expect(await shown()).toEqual([]);
  await expect(type("suppress nonsense")).rejects.toThrow(UsageFault);
});

test("derived labels are scored against a file, whose evm rows mean the enabled networks", async () => {
  const rows = [`${ADDRESS(1)},evm,A,exchange_deposit`, `${ADDRESS(2)},evm,B,nonsense`];
  const path = put("true.csv", ["address,network,label,category", ...rows].join("\n"));
  const { scores, refused } = await type(`score ${path} --format labels-csv`);
  expect(refused).toMatchObject([{ reason: "the category is not a word of the taxonomy", count: 1 }]);
  await expect(type(`score ${path} --format labels-csv --network nowhere`)).rejects.toThrow(UsageFault);
  // Nothing is indexed, so nothing is derived and no address is active.
  expect(scores.map(({ network, category }: Record<string, string>) => [network, category])).toEqual([
    ["ethereum", "exchange"],
    ["ethereum", "exchange_deposit"],
    ["ethereum", "mev_bot"],
  ]);
  expect(scores[1]).toMatchObject({ true_count: 1, active_count: 0, derived_count: 0, recall_percent: null });
  await expect(type(`score ${path} --format token-list`)).rejects.toThrow("not JSON");
});
