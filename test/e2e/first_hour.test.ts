// @long: alone
/**
 * A newcomer's first hour with a chain of their own: an independent anvil, a stopped Solana node, a Tron
 * node that refuses. The tests know every printed line.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MISSING_LISTS } from "./missing_lists.ts";
import { collect, listening, type PrintingProcess, strange, upLines } from "./printed.ts";

const ROOT = join(import.meta.dirname, "../..");
const CLI = join(ROOT, "dist/bundle/cli.js");
/** Anvil's own first accounts, each with 10,000 ETH of the genesis block. */
const [RICH, SENDER] = ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"];

let folder: string;
let config: string;
/** Folder with the command `assay`. */
let commands: string;
let anvil: ChildProcess;
let node: string;
let refusing: Server;
let tron: string;
/** A port without a listener. */
let solana: string;
let up: PrintingProcess;
let key = "";

/** Runs a shell command in the newcomer's folder, with `assay` on its path. */
const shell = (line: string): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    // The newcomer's shell, as a terminal may not start bash.
    const env = { ...process.env, PATH: `${commands}:${process.env.PATH}`, SHELL: "/bin/sh", ASSAY_KEY: key };
    const run = collect(spawn("bash", ["-c", line], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] }));
    run.child.once("close", (code) => resolve({ code, out: run.out(), err: run.err() }));
  });

/** The same on a terminal, both outputs as one screen. */
const onTerminal = async (line: string): Promise<string> => {
  const { out } = await shell(`script -qefc '${line}' /dev/null`);
  return out.replaceAll("\r\n", "\n");
};

const startAnvil = (): Promise<string> =>
  new Promise((resolve, reject) => {
    // A separate process group: npm links a program that starts the node.
    const how = { stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"], detached: true };
    const run = collect(spawn(join(ROOT, "node_modules/.bin/anvil"), ["--port", "0"], how));
    anvil = run.child;
    anvil.once("exit", () => reject(new Error(`anvil ended:\n${run.err()}`)));
    anvil.stdout?.on("data", () => {
      const [, address] = /Listening on (127\.0\.0\.1:\d+)/.exec(run.out()) ?? [];
      if (address !== undefined) resolve(`http://${address}`);
    });
  });

const rpc = async (method: string, ...params: unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(node, { method: "POST", headers: { "content-type": "application/json" }, body });
  // An answer of JSON-RPC.
  return ((await answer.json()) as { result?: unknown }).result;
};

const until = async (what: string, is: () => boolean): Promise<void> => {
  const end = Date.now() + 120_000;
  while (!is()) {
    if (Date.now() > end || up.child.exitCode !== null) throw new Error(`no ${what}:\n${up.err()}${up.out()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const startUp = async (): Promise<void> => {
  up = collect(spawn(process.execPath, [CLI, "up"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }));
  await until("end of the start", () => up.err().includes("Ctrl-C stops everything."));
};

const stopUp = (): Promise<number | null> =>
  new Promise((resolve) => {
    up.child.once("exit", resolve);
    up.child.kill("SIGINT");
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-hour-"));
  config = join(folder, "assay.config.json");
  commands = join(folder, "bin");
  await mkdir(commands);
  await writeFile(join(commands, "assay"), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o755 });
  node = await startAnvil();
  refusing = createServer((request, response) => {
    request.resume();
    response.writeHead(403).end('{"Error":"the query server is suspended"}');
  });
  tron = await listening(refusing);
  const nobody = createServer();
  solana = await listening(nobody);
  await new Promise((resolve) => nobody.close(resolve));
  // 5 ETH, then 12 wei of noise: 13 blocks after the genesis block.
  for (let i = 0; i < 13; i += 1)
    await rpc("eth_sendTransaction", { from: SENDER, to: RICH, value: i === 0 ? "0x4563918244f40000" : "0x1" });
  await writeFile(config, '{ "listen": "127.0.0.1:0" }\n');
});

afterAll(async () => {
  up?.child.kill("SIGKILL");
  if (anvil?.pid !== undefined) process.kill(-anvil.pid, "SIGKILL");
  await new Promise((resolve) => (refusing === undefined ? resolve(null) : refusing.close(resolve)));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test("adds a network after querying its node, unless the node is unavailable or serves another chain", async () => {
  const added = await shell(`assay network add mychain --new --rpc ${node}`);
  expect(added).toMatchObject({ code: 0 });
  expect(added.err).toBe(
    `${node}: ${/: (anvil\/\S+),/.exec(added.err)?.[1]}, chain 31337, newest block 13\nwrote ${config}: './assay up' indexes mychain from block 0\n`,
  );
  const gone = await shell(`assay network add solana --rpc ${solana}`);
  expect(gone).toMatchObject({
    code: 1,
    err: `assay: ${solana}: nothing listens there. Nothing was written; --unasked writes the entry all the same\n`,
  });
  const other = await shell(`assay network add ethereum --rpc ${node}`);
  expect(other.code).toBe(1);
  expect(other.err).toContain("the node serves chain 31337, but Ethereum is chain 1. Nothing was written");
  expect(JSON.parse(await readFile(config, "utf8")).networks).toEqual({
    mychain: {
      family: "evm",
      chain_id: 31337,
      native: { symbol: "ETH", decimals: 18 },
      rpc: [node],
      from_block: 0,
    },
  });
});

test("starts with a list of ready networks, reasons for the others, instructions for a key, and a working curl", async () => {
  expect((await shell(`assay network add solana --rpc ${solana} --unasked`)).code).toBe(0);
  expect((await shell(`assay network add tron --rpc ${tron} --unasked`)).code).toBe(0);
  await startUp();
  const [, url = ""] = /address {2}(http:\/\/127\.0\.0\.1:\d+)\n/.exec(up.err()) ?? [];
  expect(strange(up.err(), upLines({ config, folder, solana, tron, url }))).toEqual([]);
  expect(up.err()).toMatch(/ready {4}mychain: blocks 0 to 13/);
  expect((await shell("assay account create me --plan pro")).code).toBe(0);
  const made = await shell("assay key create --account me --scope api:call --scope mcp:call --secret");
  expect(made.err).toBe("The secret is shown this once. Keep it out of source control.\n");
  key = made.out.trim();
  // Nothing on this chain prices its coin.
  const answered = await shell(up.out());
  expect(JSON.parse(answered.out)).toMatchObject({
    total_value_displayed: "unknown",
    total_value_usd: null,
    top_holdings: [{ symbol: "ETH", price_usd: null }],
  });
});

test("counts coins of the genesis block in holdings and in the books alike", async () => {
  // 10,000 of the genesis block, 5 and 12 wei received.
  const held = JSON.parse(
    (await shell(`assay call get_wallet_token_holdings wallet_address=${RICH} network=mychain`)).out,
  );
  expect(held.holdings[0].balance_raw).toBe("10005000000000000000012");
  expect(held.metadata.warnings).toEqual([]);
  const books = JSON.parse((await shell(`assay call get_wallet_pnl address=${RICH} network=mychain`)).out);
  expect(books.data[0].holdings.current_amount_raw).toBe("10005000000000000000012");
});

test("reports in status and readyz which networks answer, and names the others", async () => {
  const status = await shell("assay status");
  expect(status.code).toBe(0);
  expect(JSON.parse(status.out)).toMatchObject({
    status: "degraded",
    not_ready: ["solana", "tron"],
    checks: { networks: { mychain: { is_ready: true, indexed: 13, gaps: [] }, solana: { is_ready: false } } },
  });
  expect(
    strange(await onTerminal("assay status"), [
      /^network (mychain|solana|tron) is indexed by \S+ pid \d+ since \S+$/,
      /^degraded$/,
      /^NETWORK {2}STATE +NEWEST BLOCK {2}INDEXED TO {2}BEHIND {2}SECONDS OLD {2}VERIFIED {2}GAPS$/,
      /^mychain {2}following +13 +13 +0 +\d+ {2}full {6}-$/,
      /^(solana |tron {3}) {2}nothing indexed, starting: no node answers( +-){6}$/,
      /^'assay doctor' checks the nodes of a network\.$/,
    ]),
  ).toEqual([]);
});

test("ends doctor with instructions", async () => {
  const screen = await onTerminal("assay doctor --quick");
  expect(screen.slice(screen.indexOf("To do:"))).toBe(
    [
      "To do:",
      `- solana: ${solana}: nothing listens there. Start the node, or correct networks.solana.rpc in the configuration.`,
      `- tron: ${tron}: it refuses with HTTP 403 (a key is missing in its address or headers, or may not do this): the query server is suspended. Start the node, or correct networks.tron.rpc in the configuration.`,
      ...MISSING_LISTS,
      "",
    ].join("\n"),
  );
});

test("prints lists as tables on a terminal and as JSON in a pipe, and a reader may leave before the end", async () => {
  expect((await onTerminal("assay key list")).split("\n")[0]).toMatch(
    /^ID +ACCOUNT +KEY +SCOPES +LIMIT +LAST USED +STATE$/,
  );
  expect((await onTerminal("assay tools")).split("\n")[0]).toMatch(/^CREDITS {2}TOOL +WHAT IT IS +NETWORKS$/);
  const asked = `wallet_address=${RICH} network=mychain`;
  const screen = await onTerminal(`assay call get_wallet_token_holdings ${asked}`);
  expect(screen).toMatch(/^type +token_holdings$/m);
  expect(screen).toMatch(/^ {2}symbol .* balance /m);
  expect(JSON.parse((await shell("assay key list")).out).keys).toHaveLength(1);
  const cut = await shell("assay tools | head -c 10; exit $PIPESTATUS");
  expect(cut).toEqual({ code: 0, out: '{"catalog_', err: "" });
});

test("suggests the intended word for a typo", async () => {
  const said = async (line: string) => {
    const { code, err } = await shell(line);
    return [code, err.split("\n")[0]];
  };
  expect(await said("assay statsu")).toEqual([
    2,
    "assay: there is no command 'statsu'; did you mean 'status'? ('assay --help' shows all)",
  ]);
  expect(await said("assay key lst")).toEqual([2, "assay: there is no key command 'lst'; did you mean 'list'?"]);
  expect(await said("assay status --jsn x")).toEqual([2, "assay: there is no option --jsn; did you mean --json?"]);
  expect(await said("assay call get_wallet_pnll")).toEqual([
    2,
    "assay: there is no tool 'get_wallet_pnll'; did you mean 'get_wallet_pnl'?",
  ]);
  expect(await said("assay account create big --plan custom")).toEqual([
    2,
    "assay: plan 'custom' leaves its numbers to the account: give --credits N, --keys N, --calls-per-minute N",
  ]);
});

test("reports a port in use in one line, before any store is opened", async () => {
  const taken = new URL(node).host;
  const second = await shell(
    `ASSAY_LISTEN=${taken} ASSAY_DATA_DIR=${join(folder, "second")} assay up; ls ${join(folder, "second")}`,
  );
  expect(second.err).toBe(
    `assay: cannot listen on ${taken}: another program listens there: stop it, or set another 'listen' (ASSAY_LISTEN=127.0.0.1:0 picks a free port)\n`,
  );
  // The folder records the process that serves it; no store exists there.
  expect(second.out.trim().split("\n")).toEqual(["service.lock"]);
});

test("logs one line a minute for each network whose node stays unavailable", async () => {
  await new Promise((resolve) => setTimeout(resolve, 130_000));
  const minutes = (network: string) =>
    [...up.err().matchAll(new RegExp(`^(\\S+) warn {2}${network}:`, "gm"))].map(([, at]) => Date.parse(String(at)));
  for (const network of ["solana", "tron"]) {
    const times = minutes(network);
    expect(times.length).toBeGreaterThan(1);
    for (const [i, at] of times.slice(1).entries()) expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(59_000);
  }
});

test("ends on Ctrl-C with a message, and with a price table the next start knows the coin's price and its source", async () => {
  expect(await stopUp()).toBe(0);
  const { networks } = JSON.parse(await readFile(config, "utf8"));
  const [, url = ""] = /address {2}(http:\/\/127\.0\.0\.1:\d+)\n/.exec(up.err()) ?? [];
  expect(strange(up.err(), upLines({ config, folder, solana, tron, url }))).toEqual([]);
  const table = join(folder, "prices.csv");
  const prices = [{ kind: "file", id: "book", file: table }];
  // The first block with a transaction is recent: a price from an hour before applies to it.
  const hour_ago = new Date(Date.now() - 3_600_000).toISOString();
  await writeFile(table, `network,token,price_usd,time\nmychain,native,2000,${hour_ago}\n`);
  await writeFile(config, JSON.stringify({ listen: "127.0.0.1:0", prices, networks: { mychain: networks.mychain } }));
  await startUp();
  expect(up.err()).toContain("in ASSAY_KEY: one of yours");
  const held = JSON.parse(
    (await shell(`assay call get_wallet_token_holdings wallet_address=${RICH} network=mychain`)).out,
  );
  // 10,005 ETH and 12 wei at 2,000.
  expect(held.summary.total_value_usd).toBe(20_010_000);
  expect(held.holdings[0]).toMatchObject({ price_usd: 2000, price_confidence: "low" });
  expect(held.metadata.sources).toEqual([
    { id: "prices/book", version: expect.stringMatching(/^[0-9a-f]{12}$/), updated_at: `${hour_ago.slice(0, 19)}Z` },
  ]);
  expect(held.metadata.warnings).toEqual([
    {
      code: "OPERATOR_PRICE",
      message: `Where no pool of the chain has a price, Assay uses the operator's source 'book'; its newest price is from ${hour_ago.slice(0, 19)}Z.`,
    },
  ]);
  const books = JSON.parse((await shell(`assay call get_wallet_pnl address=${RICH} network=mychain`)).out);
  // Coins from before the first block have no cost; 5 ETH came at 2,000.
  expect(books.data[0].holdings).toMatchObject({ uncosted_amount: 10_000, current_value_usd: 20_010_000 });
  expect(books.data[0].trading.received_cost_usd).toBeCloseTo(10_000, 6);
  expect(await stopUp()).toBe(0);
});
