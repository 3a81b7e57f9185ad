import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { ASSET_ID } from "../../src/demo/tron/ledger.ts";
import { type Hex, hex, toHex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { startTronWorld, type TronWorld } from "../tron/traffic.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

const ID = "demo-tron";

let world: TronWorld;
let stage: TestService;
let chain: OpenChain;

const hexOf = (name: string): Hex => hex(world.stage.address(name).slice(2).toLowerCase());
const base58 = (name: string): string => formatAddress(hexOf(name));

beforeAll(async () => {
  world = await startTronWorld({ seed: 5, acts: 160 });
  const usdt = { symbol: "USDT", address: base58("usdt") };
  const network = networkFromConfig({
    id: ID,
    family: "tron",
    chain_id: world.facade.chain_id,
    native: { symbol: "TRX", decimals: 6 },
    wrapped_native: base58("wtrx"),
    stablecoins: [usdt],
    freezes: [{ ...usdt, families: ["tether_legacy"], decimals: 6 }],
    finality_blocks: 5,
  });
  const rpc = [world.facade.url];
  chain = await openChain(network, { rpc, log: silentLog }, AbortSignal.timeout(400_000));
  const enabled = { network, rpc, from_block: 0, to_block: null, poll_ms: 200, venues: [], openings: "skip" } as const;
  stage = await openTestService({ networks: [enabled] });
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
  return rows.map(([token, holder]) => ({ token: hex(String(token)), holder: hex(String(holder)) }));
};

describe("facts", () => {
  test("match every balance with the node's: TRX, TRC-20, TRC-10, after stakes, rewards, failures and internal payments", async () => {
    // No log and no old state shows what Tether's constructor gave to its owner (docs/design/families.md).
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

  test("cover the whole chain with its internal payments, and name TRC-20 as such", async () => {
    const snapshot = await stage.service.facts.facts.snapshot(ID, null);
    expect(snapshot.coverage).toMatchObject({ complete: true, logs: true, traces: true });
    const rows = await stage.service.facts.engine.query(
      `SELECT DISTINCT toString(kind) FROM transfers WHERE network = '${ID}' ORDER BY 1`,
    );
    expect(rows.flat()).toEqual(["fee", "internal", "native", "reward", "trc10", "trc20", "withdrawal", "wrap"]);
  });
});

/** The answer of a tool, which must have data. */
const dataOf = async (tool: string, args: Readonly<Record<string, unknown>>) => {
  const { status, body } = await stage.ask(tool, args);
  expect({ status, answer: body.status }, JSON.stringify(body).slice(0, 500)).toEqual({
    status: 200,
    answer: undefined,
  });
  return body;
};

describe("tools", () => {
  test("list the node's holdings, by base58 addresses and the ids of TRC-10", async () => {
    const body = await dataOf("get_wallet_token_holdings", { wallet_address: base58("alice"), network: ID });
    const pairs = body.holdings.map(({ token_address }: { token_address: string }) => ({
      token: token_address === "native" ? "" : (chain.parseAddress(token_address) ?? toHex(Buffer.from(token_address))),
      holder: hexOf("alice"),
    }));
    const signal = AbortSignal.timeout(60_000);
    const [coins] = await chain.nativeBalances([hexOf("alice")], signal);
    const tokens = await chain.tokenBalances(pairs, signal);
    const expected = pairs.map(({ token }: { token: Hex }, i: number) => String(token === "" ? coins : tokens[i]));
    expect(body.holdings.map(({ balance_raw }: { balance_raw: string }) => balance_raw)).toEqual(expected);
    const held = body.holdings.map(({ token_address }: { token_address: string }) => token_address);
    expect(held).toEqual(expect.arrayContaining(["native", ASSET_ID, base58("minted")]));
  });

  test("read only networks of the address's form for an address of Tron", async () => {
    const asked = { address: base58("bob"), network: "all" };
    const { metadata } = await dataOf("is_address_blacklisted_by_stablecoin", asked);
    expect(metadata.networks.map(({ network }: { network: string }) => network)).toEqual([ID]);
    const { status, body: refused } = await stage.ask("get_wallet_transactions", {
      address: world.stage.address("alice"),
      network: ID,
    });
    expect(status).toBe(422);
    expect(refused.detail).toContain("T… in base58check");
  });

  test("name the standard of each movement", async () => {
    const asked = { address: base58("alice"), network: ID, include_spam: true, records_per_page: 100 };
    const { data } = await dataOf("get_wallet_transactions", asked);
    const kinds = new Set(data.map(({ kind }: { kind: string }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(["trc20", "trc10", "native", "withdrawal"]));
    for (const { peer, tx_hash } of data) {
      expect(peer.address).toMatch(/^T|^void$|^$/);
      expect(tx_hash).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test("list the bank's first payments with their recipients", async () => {
    const body = await dataOf("get_wallet_counterparties", { address: base58("bank"), network: ID });
    const peers = body.data.map(({ peer }: { peer: { address: string } }) => peer.address);
    expect(new Set(peers)).toEqual(new Set(["alice", "bob", "carol", "dave"].map(base58)));
  });

  test("list contracts with their deployers", async () => {
    const body = await dataOf("get_wallet_deployed_contracts", { address: base58("carol"), network: ID });
    const made = body.data.map(({ contract_address }: { contract_address: string }) => contract_address);
    expect(new Set(made)).toEqual(new Set(["wtrx", "forwarder", "usdt"].map(base58)));
  });

  test("show an account's stakes, energy and permissions, and its several signers", async () => {
    const ask = async (name: string) => {
      const asked = { address: base58(name), network: ID };
      return (await dataOf("get_wallet_account_meta", asked)).accounts[0];
    };
    const [coins] = await chain.nativeBalances([hexOf("alice")], AbortSignal.timeout(60_000));
    expect(await ask("alice")).toMatchObject({
      account_type: "eoa",
      native_balance_raw: String(coins),
      nonce: null,
      activated: true,
      // Eight rounds of 160 actions: 700 TRX staked and 300 of them unstaked each time; ten points of energy per TRX.
      frozen_v2: [{ resource: "energy", amount: 3_200, amount_raw: "3200000000" }],
      bandwidth: { free_limit: 600, free_used: 268, available: 332 },
      energy: { limit: 32_000, used: 65, available: 31_935 },
      owner_permission: null,
      owner_program: null,
    });
    const keys = ["alice", "bob", "carol"].map((name) => ({ address: base58(name), weight: 1 }));
    expect(await ask("dave")).toMatchObject({
      account_type: "tron_multisig",
      owner_permission: { name: "owner", threshold: 2, keys },
      active_permissions: [{ id: 2, name: "active", threshold: 2, keys }],
    });
    expect(await ask("usdt")).toMatchObject({ account_type: "token", is_contract: true });
    expect(await ask("forwarder")).toMatchObject({ account_type: "contract" });
    const profile = await dataOf("get_wallet_address_profile", { address: base58("dave"), network: ID });
    expect(profile.identity).toMatchObject({
      account_type: "tron_multisig",
      owners: { threshold: 2, signers: keys.map(({ address }) => address) },
    });
    const nobody = { address: formatAddress(hex("12".repeat(20))), network: ID };
    expect((await stage.ask("get_wallet_account_meta", nobody)).body.status).toBe("no_data");
  });

  test("match holders and supply of a TRC-20 token with the contract", async () => {
    const info = await dataOf("get_token_info", { token_address: base58("minted"), network: ID });
    const supply = await world.stage.read("minted", "totalSupply() view returns (uint256)");
    expect(info.total_supply_raw).toBe(String(supply));
    const { holders } = await dataOf("get_token_holders_traders", { token_address: base58("minted"), network: ID });
    for (const { address, balance_raw } of holders) {
      const holder = `0x${chain.parseAddress(address)}`;
      const held = await world.stage.read("minted", "balanceOf(address) view returns (uint256)", [holder]);
      expect(balance_raw).toBe(String(held));
    }
    expect(holders.length).toBeGreaterThan(3);
    await dataOf("get_token_flows", { token_address: base58("minted"), network: ID });
  });

  test("find a TRC-10 token by its symbol", async () => {
    const { matches } = await dataOf("resolve_token_symbol", { symbol: "OIL", network: ID });
    expect(matches[0]).toMatchObject({ token_address: ASSET_ID, name: "Lantern Oil", decimals: 3 });
  });

  test("show Tether's freeze by its event and by the contract", async () => {
    const asked = { network: ID, address: base58("bob") };
    const body = await dataOf("is_address_blacklisted_by_stablecoin", asked);
    expect(body.is_blacklisted).toBe(true);
    expect(body.results).toMatchObject([{ stablecoin: "USDT", is_blacklisted: true, last_event: { type: "freeze" } }]);
  });

  test("answer profits with the note, as data", async () => {
    const body = await dataOf("get_wallet_pnl", { address: base58("alice"), network: ID });
    expect(body.type).toBe("pnl_unavailable");
    expect(body.note).toContain("not available on Tron");
    expect(body.data).toBeUndefined();
  });

  test.each(["get_wallet_stats", "get_wallet_address_profile", "get_wallet_counterparties_analysis"])(
    "%s answers with data",
    async (tool) => {
      const body = await dataOf(tool, { address: base58("alice"), network: ID });
      expect(body.metadata.address).toBe(base58("alice"));
    },
  );
});
