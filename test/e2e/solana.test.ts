import { expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { solana } from "../../src/chains/networks/known.gen.ts";
import { parseAddress } from "../../src/chains/solana/address.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { seededRandom } from "../solana/seeded_random.ts";
import { makeTraffic, type Traffic } from "../solana/traffic.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

/** Transactions of the generated mix. */
const ROUNDS = 80;
/** Beyond the last transaction, so that all of them are final. */
const QUIET_SLOTS = 40;

const callTools = async (stage: TestService, { people, mints }: Traffic): Promise<void> => {
  const [alice] = people.map(({ address }) => address);
  const [plain] = mints;
  const network = "solana";
  const holdings = await stage.ask("get_wallet_token_holdings", { network, wallet_address: alice });
  const held = holdings.body.holdings.map(({ token_address }: { token_address: string }) => token_address);
  expect(new Set(held)).toEqual(new Set(["native", ...mints]));
  const portfolio = await stage.ask("get_wallet_portfolio_breakdown", { network, wallet_address: alice });
  expect([portfolio.status, portfolio.body.status ?? "data"]).toEqual([200, "data"]);
  const stats = await stage.ask("get_wallet_stats", { network, address: alice });
  expect([stats.body.type, stats.body.nonce]).toEqual(["wallet_stats", null]);
  const info = await stage.ask("get_token_info", { network, token_address: plain });
  // Each of the three was minted a million and sends at most a fraction of it.
  expect([info.body.standard, info.body.decimals, info.body.holders_count, info.body.creator]).toEqual([
    "spl",
    6,
    3,
    alice,
  ]);
  expect([info.body.extensions, info.body.metadata_uri]).toEqual([[], null]);
  const taxed = await stage.ask("get_token_info", { network, token_address: mints[1] });
  expect(taxed.body.extensions).toEqual(["transfer_fee"]);
  const meta = await stage.ask("get_wallet_account_meta", { network, address: alice });
  expect(meta.body.accounts).toMatchObject([
    {
      account_type: "eoa",
      nonce: null,
      code_hash: null,
      owner_program: "11111111111111111111111111111111",
      executable: false,
      data_len: 0,
      activated: null,
    },
  ]);
  expect(String(meta.body.accounts[0].lamports)).toBe(meta.body.accounts[0].native_balance_raw);
  const of_mint = await stage.ask("get_wallet_account_meta", { network, address: plain });
  // The account of a mint has 82 bytes (spl-token state.rs).
  expect(of_mint.body.accounts).toMatchObject([{ account_type: "token", is_contract: false, data_len: 82 }]);
  for (const tool of ["get_wallet_transactions", "get_wallet_counterparties", "get_wallet_transaction_patterns"]) {
    const { status, body } = await stage.ask(tool, { network, address: alice });
    expect([tool, status, body.status ?? "data"]).toEqual([tool, 200, "data"]);
  }
  const { body } = await stage.ask("get_wallet_transactions", { network, address: alice });
  // Bytes of instructions are no selectors of the EVM.
  expect(new Set(body.data.map(({ method }: { method: string | null }) => method))).toEqual(new Set([null]));
};

test("on a chain of real Solana programs every balance that is indexed is the node's, and tools answer", async () => {
  const traffic = await makeTraffic(seededRandom(11), ROUNDS);
  const { facade } = traffic;
  facade.seal(QUIET_SLOTS);
  await facade.start();
  const [mint = ""] = traffic.mints;
  const registered = { symbol: "PLAIN", address: parseAddress(mint) ?? "", families: ["token_authority"] };
  const network = {
    ...solana,
    caip2: `solana:${facade.genesis.slice(0, 32)}`,
    freezes: [{ ...registered, decimals: 6, start_block: null }],
  };
  const enabled: EnabledNetwork = {
    network,
    rpc: [facade.url],
    from_block: 0,
    to_block: null,
    poll_ms: 200,
    venues: [],
    openings: "skip",
  };
  const stage = await openTestService({ networks: [enabled] });
  const chain = await openChain(network, { rpc: [facade.url], log: silentLog }, AbortSignal.timeout(170_000));
  try {
    await caughtUp(stage.service);
    const { facts } = stage.service.facts;
    const snapshot = await facts.snapshot("solana", null);
    const people = traffic.people.map(({ address }) => parseAddress(address) ?? "");
    const mints = traffic.mints.map((mint) => parseAddress(mint) ?? "");
    const holders = traffic.addresses.map((address) => parseAddress(address) ?? "");
    const pairs = [
      ...holders.map((holder) => ({ token: "" as const, holder })),
      ...people.flatMap((holder) => mints.map((token) => ({ token, holder }))),
    ];
    const signal = AbortSignal.timeout(170_000);
    const native = await chain.nativeBalances(holders, signal);
    const tokens = await chain.tokenBalances(pairs.slice(holders.length), signal);
    expect(await facts.balanceOf(snapshot, pairs)).toEqual([...native, ...tokens]);
    await callTools(stage, traffic);
    // Bob's account was frozen and let go; Alice made the two mints.
    const freezes = await stage.service.facts.engine.query(
      "SELECT effect, lower(hex(token)), lower(hex(account)) FROM freeze_events WHERE network = 'solana'",
    );
    expect(freezes).toEqual(["freeze", "unfreeze"].map((effect) => [effect, mints[0], people[1]]));
    const made = await stage.service.facts.engine.query(
      "SELECT lower(hex(address)), lower(hex(creator)) FROM contracts WHERE network = 'solana' ORDER BY tx_index, block_number",
    );
    expect(made).toEqual(mints.slice(0, 2).map((mint) => [mint, people[0]]));
  } finally {
    await chain.close();
    await stage.close();
    await facade.close();
  }
});
