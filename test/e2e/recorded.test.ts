import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecordedEntry, readRecorded } from "../../bench/replay/recorded.ts";
import { type ReplayServer, startReplay } from "../../bench/replay/server.ts";
import type { Network } from "../../src/chains/chain.ts";
import { networkById } from "../../src/chains/networks/index.ts";
import { settings } from "../../src/config/settings.ts";
import { silentLog } from "../../src/lib/log.ts";
import { openService, type RunningService } from "../../src/main.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { eachNth } from "../long.ts";
import { expectedLines } from "./recorded_expected.ts";

const FOLDER = join(process.cwd(), "../shared/data/evm");
const every = readRecorded(FOLDER) ?? [];
const recorded = eachNth(every, 3);

/** Single blocks have no parents here: each is a network of its own, with the data of the one it was taken from. */
const networkOf = ({ chain, number }: RecordedEntry): Network => {
  const known = networkById(chain === "hyperliquid" ? "hyperevm" : chain);
  if (known === null) throw new Error(`no network ${chain}`);
  return { ...known, id: `${chain}_${number}` };
};

/** Contracts say nothing: their state at these heights was not recorded. */
const silentState = (method: string): unknown =>
  ({ eth_call: "0x", eth_getBalance: "0x0", eth_getCode: "0x", eth_getTransactionCount: "0x0" })[method];

const closers: (() => Promise<unknown>)[] = [];
let service: RunningService;

const enabledOf = async (one: RecordedEntry): Promise<EnabledNetwork> => {
  const network = networkOf(one);
  const replay: ReplayServer = await startReplay({
    blocks: [one.replay],
    chain_id: network.chain_id,
    state: silentState,
  });
  closers.push(() => replay.close());
  const rpc = [replay.url];
  const range = { from_block: one.number, to_block: one.number, poll_ms: 1_000 };
  return { network, rpc, ...range, venues: [], openings: "skip" };
};

beforeAll(async () => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-recorded-"));
  closers.push(() => rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  service = await openService({
    settings: settings.parse({}),
    data_dir,
    networks: await Promise.all(recorded.map(enabledOf)),
    surfaces: false,
    indexing: true,
    once: true,
    log: silentLog,
    examples: {},
  });
  closers.push(() => service.close());
  await service.indexed;
}, 120_000);

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** Rows as lines, the columns parted by blanks. */
const linesOf = async (one: RecordedEntry, columns: string, table: string): Promise<string[]> => {
  const sql = `SELECT concatWithSeparator(' ', ${columns}) FROM ${table} WHERE network = '${networkOf(one).id}' ORDER BY 1`;
  return (await service.facts.engine.query(sql)).map(([line]) => String(line));
};

const hex = (column: string): string => `lower(hex(${column}))`;
const text = (column: string): string => `toString(${column})`;
const TRANSFER_COLUMNS = `${text("tx_index")}, ${text("position")}, ${text("kind")}, ${hex("token")}, ${text("token_id")}, ${hex("source")}, ${hex("destination")}, ${text("amount")}, ${hex("sender")}`;
const CONTRACT_COLUMNS = `${text("tx_index")}, ${text("position")}, ${text("event")}, ${text("method")}, ${hex("address")}, ${hex("creator")}, ${hex("factory")}`;
const TRANSACTION_COLUMNS = `${text("tx_index")}, ${hex("hash")}, ${hex("sender")}, ${hex("recipient")}, ${text("value")}, ${text("fee")}, ${text("succeeded")}`;

test.skipIf(recorded.length > 0)("the recorded blocks are not here: their tests are skipped", () => {
  expect(existsSync(FOLDER)).toBe(false);
});

describe.skipIf(recorded.length === 0)("recorded blocks through the whole indexer", () => {
  test.each(recorded)("$chain $number is indexed without a problem", async (one) => {
    const { networks } = await service.status();
    expect(networks[networkOf(one).id]).toMatchObject({ indexed: one.number, lag_blocks: 0, problem: null });
  });

  test.each(recorded)("every transfer of $chain $number is one its logs, values and traces tell", async (one) => {
    const expected = expectedLines(one, networkOf(one).wrapped_native);
    expect(await linesOf(one, TRANSFER_COLUMNS, "transfers")).toEqual(expected.transfers.toSorted());
  });

  test.each(recorded)("every contract of $chain $number is in its receipts or traces", async (one) => {
    const expected = expectedLines(one, networkOf(one).wrapped_native);
    expect(await linesOf(one, CONTRACT_COLUMNS, "contracts")).toEqual(expected.contracts.toSorted());
  });

  test.each(recorded)("every transaction of $chain $number has its parties, value and fee", async (one) => {
    const expected = expectedLines(one, networkOf(one).wrapped_native);
    expect(await linesOf(one, TRANSACTION_COLUMNS, "transactions")).toEqual(expected.transactions.toSorted());
  });

  test("the recordings hold every kind of row that is compared", () => {
    const all = every.map((one) => expectedLines(one, networkOf(one).wrapped_native));
    const kinds = new Set(all.flatMap(({ transfers }) => transfers.map((line) => line.split(" ")[2])));
    expect([...kinds].sort()).toEqual("erc1155 erc20 erc721 fee internal native reward tip withdrawal wrap".split(" "));
    const events = all.flatMap(({ contracts }) => contracts.map((line) => line.split(" ")[2]));
    expect(new Set(events)).toEqual(new Set(["created", "destroyed"]));
  });
});
