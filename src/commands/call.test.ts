import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSettings } from "../config/settings.ts";
import * as call from "./call.ts";
import { type CommandIo, EXIT, parseArgs } from "./command.ts";
import { commandNamed } from "./index.ts";

// A service that answers with the examples of the documentation: what is tested is what the command makes of an answer.
const folder = mkdtempSync(join(tmpdir(), "assay-call-"));
const asked: string[] = [];
const exampleOf = (tool: string): string =>
  readFileSync(join(import.meta.dirname, "../../docs/examples", `${tool}.json`), "utf8");
const NAMES = ["get_wallet_pnl", "get_wallet_stats", "get_token_flows"];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  const tool = request.url?.split("/").at(-1) ?? "";
  response.setHeader("content-type", "application/json");
  if (tool === "tools") {
    response.end(JSON.stringify({ tools: NAMES.map((name) => ({ name, input_schema: { properties: {} } })) }));
    return;
  }
  response.end(tool === "get_token_flows" ? '{"status":"no_data"}' : exampleOf(tool));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Of a TCP server it is one.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const type = async (line: string) => {
  const [out, err]: [string[], string[]] = [[], []];
  const io: CommandIo = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    json: true,
    tty: false,
    env: { ASSAY_URL: url, ASSAY_KEY: "svc_live_key" },
    checkout: folder,
    settings: () => loadSettings({ config: null, cwd: folder, home: folder, env: {} }),
    signal: new AbortController().signal,
  };
  const code = await call.run(parseArgs(commandNamed("call"), line.split(" ")), io);
  return { code, out: out.join(""), err: err.join("") };
};

/** Rows of the list `data` of an example. */
const rowsOf = (tool: string): readonly { token_symbol: string; pnl: { total_usd: number | null } }[] =>
  JSON.parse(exampleOf(tool)).data;

test("--svg writes the picture of the answer", async () => {
  const file = join(folder, "pnl.svg");
  expect(await type(`get_wallet_pnl address=0x1 --svg ${file}`)).toMatchObject({
    code: EXIT.ok,
    err: `picture in ${file}\n`,
  });
  expect(readFileSync(file, "utf8")).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*Profit and loss by token.*<\/svg>$/s,
  );
});

test("rejects a tool without a picture and a missing folder before the call", async () => {
  asked.length = 0;
  await expect(type(`get_wallet_stats address=0x1 --svg ${join(folder, "a.svg")}`)).rejects.toThrow(
    "answers of 'get_wallet_stats' have no picture",
  );
  await expect(type(`get_wallet_pnl address=0x1 --svg ${join(folder, "none", "a.svg")}`)).rejects.toThrow(
    "cannot be written",
  );
  expect(asked.filter((path) => path !== "/api/tools")).toEqual([]);
});

test("an answer that holds nothing to draw says so, and no file is made", async () => {
  const file = join(folder, "flows.svg");
  const { code, err } = await type(`get_token_flows token_address=0x1 --svg ${file}`);
  expect([code, err]).toEqual([EXIT.no_data, "no picture: the answer holds nothing to draw\n"]);
  expect(existsSync(file)).toBe(false);
});

test("--csv prints every requested row with all columns", async () => {
  const { code, out, err } = await type("get_wallet_pnl address=0x1 --csv");
  const [head = "", ...lines] = out.trimEnd().split("\r\n");
  const rows = rowsOf("get_wallet_pnl");
  expect([code, err, lines.length]).toEqual([EXIT.ok, "", rows.length]);
  expect(head.split(",")).toEqual(
    expect.arrayContaining(["token_symbol", "pnl.total_usd", "trading.uncosted_value_usd"]),
  );
});

test("--csv with columns has these alone, in the order in which they are named", async () => {
  const { out, err } = await type("get_wallet_pnl address=0x1 --csv --columns pnl.total_usd,token_symbol");
  const expected = rowsOf("get_wallet_pnl").map(({ token_symbol, pnl }) => `${pnl.total_usd ?? ""},${token_symbol}`);
  expect([err, out.trimEnd().split("\r\n")]).toEqual(["", ["pnl.total_usd,token_symbol", ...expected]]);
});

test("a column that no list has is named on the error stream, and the others are written", async () => {
  const note = "no list of the answer has a column profit, pnl.totl\n";
  const csv = await type("get_wallet_pnl address=0x1 --csv --columns profit,token_symbol,pnl.totl");
  expect([csv.code, csv.err, csv.out.split("\r\n")[0]]).toEqual([EXIT.ok, note, "token_symbol"]);
  const table = await type("get_wallet_pnl address=0x1 --columns profit,token_symbol,pnl.totl");
  expect([table.code, table.err]).toEqual([EXIT.ok, note]);
  expect(table.out).toMatch(/^ *token_symbol *$/m);
});

test("rejects --csv with --json before the call", async () => {
  asked.length = 0;
  await expect(type("get_wallet_pnl address=0x1 --csv --json")).rejects.toThrow("--csv and --json exclude each other");
  expect(asked).toEqual([]);
});
