import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { formatAddress } from "../../src/chains/tron/address.ts";
import type { Hex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ASSET, ASSET_ID } from "../tron/ledger.ts";
import { startTronWorld, TRX, type TronWorld } from "../tron/traffic.ts";
import { caughtUp, openStage, type Stage } from "./stage.ts";

const ID = "demo-tron";

let world: TronWorld;
let stage: Stage;
let chain: OpenChain;

const hexOf = (name: string): Hex => world.stage.address(name).slice(2).toLowerCase();
const base58 = (name: string): string => formatAddress(hexOf(name));

beforeAll(async () => {
  world = await startTronWorld({ seed: 5, deeds: 160 });
  const usdt = { symbol: "USDT", address: base58("usdt") };
  const network = networkFromConfig({
    id: ID,
    family: "tron",
    chain_id: world.facade.chain_id,
    native: { symbol: "TRX", decimals: 6 },
    wrapped_native: base58("wtrx"),
    stablecoins: [usdt],
    freezes: [{ ...usdt, families: ["tether"], decimals: 6 }],
    finality_blocks: 5,
  });
  const rpc = [world.facade.url];
  chain = await openChain(network, { rpc, log: silentLog }, AbortSignal.timeout(400_000));
  const enabled = { network, rpc, from_block: 0, to_block: null, poll_ms: 50, venues: [], openings: "skip" } as const;
  stage = await openStage({ networks: [enabled] });
  await caughtUp(stage.service);
}, 500_000);

afterAll(async () => {
  await stage?.close();
  await chain?.close();
  await world?.stop();
});

const pairsOf = async (): Promise<{ readonly token: Hex; readonly holder: Hex }[]> => {
  const rows = await stage.service.facts.engine.query(
    `SELECT DISTINCT lower(hex(token)), lower(hex(address)) FROM ledger WHERE network = '${ID}' ORDER BY 1, 2`,
  );
  return rows.map(([token, holder]) => ({ token: String(token), holder: String(holder) }));
};

describe("facts", () => {
  test("every balance is the node's: TRX, TRC-20, TRC-10, after stakes, rewards, failures and inner payments", async () => {
    // No log and no old state tells what Tether's constructor gave to its owner (docs/decisions/0025).
    const pairs = (await pairsOf()).filter(
      ({ token, holder }) => !(token === hexOf("usdt") && holder === hexOf("carol")),
    );
    const { facts } = stage.service.facts;
    const ours = await facts.balanceOf(await facts.snapshot(ID, null), pairs);
    const signal = AbortSignal.timeout(100_000);
    const coins = pairs.filter(({ token }) => token === "").map(({ holder }) => holder);
    const tokens = pairs.filter(({ token }) => token !== "");
    const [natives, others] = [await chain.nativeBalances(coins, signal), await chain.tokenBalances(tokens, signal)];
    const theirs = pairs.map((pair) =>
      pair.token === "" ? natives[coins.indexOf(pair.holder)] : others[tokens.indexOf(pair)],
    );
    expect(new Set(pairs.map(({ token }) => token)).size).toBe(6); // TRX, MNT, TAX, WTRX, USDT, OIL
    expect(pairs.length).toBeGreaterThan(100);
    const wrong = pairs.flatMap((pair, i) =>
      ours[i] === theirs[i] ? [] : [`${pair.token}:${pair.holder} ${ours[i]} ${theirs[i]}`],
    );
    expect(wrong).toEqual([]);
  });

  test("the whole chain is covered with its inner payments, and TRC-20 is told as what it is", async () => {
    const snapshot = await stage.service.facts.facts.snapshot(ID, null);
    expect(snapshot.coverage).toMatchObject({ complete: true, logs: true, traces: true });
    const rows = await stage.service.facts.engine.query(
      `SELECT DISTINCT toString(kind) FROM transfers WHERE network = '${ID}' ORDER BY 1`,
    );
    expect(rows.flat()).toEqual(["fee", "internal", "native", "reward", "trc10", "trc20", "withdrawal", "wrap"]);
  });
});

describe("tools", () => {
  test("holdings are the node's, and addresses are base58", async () => {
    const { status, body } = await stage.ask("get_wallet_token_holdings", { address: base58("alice"), network: ID });
    expect(status, JSON.stringify(body)).toBe(200);
    const text = JSON.stringify(body);
    expect(text).toContain("OIL");
    expect(text).not.toContain("0x");
    expect(body).toMatchObject({ data: {} });
    expect(ASSET.abbr).toBe("OIL");
    expect(ASSET_ID).toBe("1000001");
    expect(TRX).toBe(1_000_000n);
  });
});
