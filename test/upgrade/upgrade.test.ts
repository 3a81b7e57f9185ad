import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FactsHeader } from "../../scripts/record_stores.ts";
import { type AccountsStore, openAccounts } from "../../src/accounts/open.ts";
import { callerOf, charged, request, settingsFor } from "../../src/accounts/testing/store.ts";
import { openPricePass } from "../../src/indexer/prices.ts";
import { hex } from "../../src/lib/bytes.ts";
import { Secret } from "../../src/lib/log.ts";
import { openEngine } from "../../src/store/engine.ts";
import { dumpSchema, migrate, readMigrations } from "../../src/store/migrate.ts";
import { type FactsStore, openFacts } from "../../src/store/open.ts";
import { verifyNetwork } from "../../src/store/verify/index.ts";
import { getWalletPnl } from "../../src/tools/get_wallet_pnl/index.ts";
import { getWalletStats } from "../../src/tools/get_wallet_stats/index.ts";
import { tools } from "../../src/tools/index.ts";
import { fixedChain } from "../fixed_chain.ts";
import { callContext } from "../fixtures/call_context.ts";
import { runTool } from "../fixtures/run_tool.ts";

// Stores that the release of 2026-11-27 (90f685b) wrote, recorded by scripts/record_stores.ts after `assay up` of its demo: the facts of
// the EVM demo, and the accounts after some calls, keys and users. Expected figures are the answers of that release.
const RECORDED = join(import.meta.dirname, "release_2026_11_27");
const WALLET = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const recorded = (name: string): Buffer => brotliDecompressSync(readFileSync(join(RECORDED, name)));

const folder = mkdtempSync(join(tmpdir(), "assay-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

/** A number that differs from `figure` by less than a share of it. */
const within = (figure: number, share: number): number =>
  expect.toSatisfy((value: number) => Math.abs(value - figure) < figure * share);

/** Makes the tables by the migrations that the release had, with the hashes that it wrote, and fills them with its rows. */
const writeRecordedFacts = async (data_dir: string): Promise<void> => {
  const content = recorded("facts.br");
  const end = content.indexOf("\n");
  // Written by scripts/record_stores.ts.
  const header = JSON.parse(content.subarray(0, end).toString("utf8")) as FactsHeader;
  const engine = await openEngine({ engine: "embedded", data_dir });
  try {
    await migrate(engine, readMigrations().slice(0, header.migrations.length));
    await engine.command("TRUNCATE TABLE migrations");
    for (const { number, name, hash } of header.migrations)
      await engine.command(
        "INSERT INTO migrations (number, name, hash) SELECT {number:UInt32}, {name:String}, {hash:String}",
        { params: { number: String(number), name, hash } },
      );
    let at = end + 1;
    for (const { table, columns, bytes } of header.tables) {
      await engine.insert({ table, columns }, content.subarray(at, at + bytes));
      at += bytes;
    }
    expect([header.migrations.length, at]).toEqual([5, content.length]);
  } finally {
    await engine.close();
  }
};

describe("facts of an earlier release", () => {
  let store: FactsStore;
  beforeAll(async () => {
    const data_dir = join(folder, "facts");
    await writeRecordedFacts(data_dir);
    store = await openFacts({ engine: "embedded", data_dir });
  });
  afterAll(() => store?.close());

  const chain = fixedChain({
    network: {
      wrapped_native: hex("8464135c8f25da09e49bc8782676a84730c318bc"),
      stablecoins: [
        { symbol: "USDC", address: hex("69dd6f346ff6660ecafece53206d661e6b37a8a8"), peg: "USD" },
        { symbol: "USDT", address: hex("2ed8855105ef7329b5bff1460afb74c0db6fa2ec"), peg: "USD" },
      ],
    },
    accounts: { [WALLET.slice(2).toLowerCase()]: { nonce: 65 } },
  });
  const context = () => callContext({ facts: store.facts, chain: () => chain });

  test("get the tables of this release and keep their head", async () => {
    expect(await dumpSchema(store.engine)).toBe(
      readFileSync(join(import.meta.dirname, "../../src/store/schema/schema.sql"), "utf8"),
    );
    const { block, coverage } = await store.facts.snapshot("demo", null);
    expect(block).toMatchObject({
      number: 870,
      hash: "e0ec1e216b625a8e94fdda7b56075da02048163d03954b8e9c0cc5a346fe3012",
    });
    expect(coverage).toMatchObject({ from_block: 0, to_block: 870, complete: true, verified: "full" });
  });

  test("fit together by `assay facts verify`", async () => {
    const report = await verifyNetwork(store.engine, "demo", { signal: AbortSignal.timeout(60_000) });
    expect(report).toMatchObject({ blocks: 800, findings: [], unfinished: [], balances: { wrong: [] } });
  });

  test("have the balances that the earlier release answered", async () => {
    const snapshot = await store.facts.snapshot("demo", null);
    const rows = await store.facts.walletBalances(snapshot, hex(WALLET.slice(2).toLowerCase()));
    const held = rows.filter(({ amount }) => amount !== 0n).map(({ token, amount }) => [token, amount]);
    expect(Object.fromEntries(held)).toEqual({
      "": 52447711088885292565n,
      "69dd6f346ff6660ecafece53206d661e6b37a8a8": 36464600347n,
      "0116686e2291dbd5e317f47fadbfb43b599786ef": 64141513862540241206359n,
      "2706a171ecb68e0038378d40dd1d136361d0cb7d": 6352866128249182186015n,
      "125afb5f09a68324df7eabc17896addefb21348c": 9021765014049626137068n,
      "5e81a027e3128876a666a42aba6f6e38b20b4f2c": 453305446940074565790670n,
      "5e0f4dbedbf633ddeb9a745a6e1681f987e2f618": 5n,
      "47456f745ee61da2181ba7336d96d78ac0707d5a": 1n,
      fbab4aa40c202e4e80390171e82379824f7372dd: 1n,
    });
  });

  test("give the statistics that the earlier release answered", async () => {
    const stats = await runTool(getWalletStats, { address: WALLET, network: "demo" }, context());
    expect(stats).toMatchObject({
      kind: "data",
      data: {
        ...{ tx_count: 72, tx_sent: 65, tx_received: 7, token_transfer_count: 65, nft_transfer_count: 5 },
        ...{ unique_counterparties: 10, unique_contracts_called: 10, unique_tokens: 9, active_days: 56 },
        ...{ first_seen: "2026-08-31T00:01:24Z", last_seen: "2026-11-28T10:30:00Z" },
        ...{ gas_spent_native: 0.006250746, swap_count: 48 },
      },
    });
  });

  test("are priced again by the indexer, because prices of block ends replace those of that release", async () => {
    expect(await store.engine.query("SELECT count() FROM prices")).toEqual([["0"]]);
    await openPricePass({ network: chain.network, store })(AbortSignal.timeout(120_000));
    const stats = await runTool(getWalletStats, { address: WALLET, network: "demo" }, context());
    const profit = await runTool(getWalletPnl, { address: WALLET, network: "demo" }, context());
    const all = { of: [stats, profit].map((outcome) => (outcome.kind === "data" ? outcome.data : null)) };
    // Trades and fees have the prices of their hours in both releases; amounts at prices of thin hours differ by less than 2 %.
    expect(all.of).toMatchObject([
      {
        ...{ gas_spent_usd: 13.788072101, unpriced_transfers: 6 },
        total_in_usd: within(111_146.393116, 0.02),
        total_out_usd: within(80_014.0921615, 0.02),
      },
      { summary: { total_tokens: 6, total_realized_pnl_usd: expect.closeTo(193.754858786, 6) } },
    ]);
  });
});

describe("accounts of an earlier release", () => {
  // The demo's time of recording: links and sessions are still valid.
  const NOW = Date.UTC(2026, 10, 29, 16);
  const PEPPER = "the pepper of the recorded release";
  const [FIRST, ROTATED] = ["fVeWxn3uluU7uCun7pkt1IZPr1VuYJbF1kYzXM", "fgtRoPLE2V8pTU741mRMQjSgcYjwoNyr0iL4fp"];
  const secretOf = (text: string | undefined): string => `svc_live_${text}`;

  let store: AccountsStore;
  beforeAll(async () => {
    mkdirSync(join(folder, "accounts"));
    const path = join(folder, "accounts", "accounts.db");
    writeFileSync(path, recorded("accounts.br"), { mode: 0o600 });
    const keys = { prefix: "svc_live_", pepper: new Secret(PEPPER) };
    store = await openAccounts(settingsFor({ engine: "sqlite", path }, { keys, now: () => NOW, tools: tools }));
  });
  afterAll(() => store?.close());

  test("know their keys by the secrets of then, and charge them from the same credits", async () => {
    const caller = await callerOf(store.meter, secretOf(FIRST));
    // Six calls of 3 to 25 credits, which cost 99, and one that failed and was refunded, of 500,000 and 1,234 granted.
    expect(await store.meter.standing(caller)).toMatchObject({ credits_remaining: 500_000 + 1_234 - 99 });
    const { charge_id } = charged(await store.meter.charge(request(caller, { tool: "get_wallet_pnl" })));
    await store.meter.settle(charge_id, "done", null);
    expect(await store.meter.standing(caller)).toMatchObject({ credits_remaining: 501_135 - 25 });
    expect(await callerOf(store.meter, secretOf(ROTATED))).toMatchObject({ limit_per_minute: 7 });
    const keys = await store.keys.list(caller.account_id);
    expect(keys.filter(({ revoked_at }) => revoked_at !== null).map(({ scopes }) => scopes)).toEqual([["mcp:call"]]);
  });

  test("keep an intact ledger", async () => {
    expect(await store.ledger.verify()).toEqual([]);
  });

  test("give their users the roles that follow from their rights, and accept their passwords", async () => {
    const users = await store.users.list();
    expect(users.filter(({ name }) => name !== "demo").map(({ name, role, state }) => [name, role, state])).toEqual([
      ["ann", "owner", "active"],
      ["bob", "key_manager", "active"],
      ["eve", "caller", "invited"],
    ]);
    const signed = await store.sessions.signIn({
      name: "ann",
      password: "a password of the record 1",
      device: null,
      from: { address: "127.0.0.1", agent: "test" },
    });
    expect(signed).toMatchObject({ kind: "opened" });
  });
});
