import { getContractAddress, getCreate2Address, keccak256 } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import { ETHER, on } from "../../../src/demo/evm/act.ts";
import type { HexText } from "../../../src/demo/evm/rpc.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const addressOf = (name: string): string => truth.addressOf(name);
const charged = ({ headers }: { readonly headers: Headers }): number => Number(headers.get("x-credits-charged"));
const codeOf = async (name: string): Promise<HexText> =>
  // eth_getCode answers with hex text.
  (await stage.world.rpc.call("eth_getCode", addressOf(name), "latest")) as HexText;
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");

const creation = (name: string) =>
  stage.told("get_contract_creation", { contract_address: addressOf(name), network: "demo" });

/** Seconds after T0 at which it was created; factories are in the second transaction of their scene, after themselves. */
const cases = [
  { name: "harbor", deployer: "dave", factory: null, method: "create", at: on(2, 9), proxy: null },
  { name: "usdc", deployer: "trent", factory: null, method: "create", at: 1_812, proxy: "usdc_implementation" },
  { name: "orchard", deployer: "dave", factory: "token_factory", method: "create", at: on(12, 9) + 12, proxy: null },
  { name: "meadow", deployer: "dave", factory: "token_factory", method: "create2", at: on(12, 9) + 24, proxy: null },
  // dave's proxy, created one action after its first implementation; upgraded on day 36.
  { name: "vault", deployer: "dave", factory: null, method: "create", at: on(24, 18) + 12, proxy: "vault_v2" },
  // After the singleton and the factory.
  {
    name: "judys_safe",
    deployer: "judy",
    factory: "safe_factory",
    method: "create2",
    at: on(26, 10) + 24,
    proxy: "safe_singleton",
  },
  // The token, two approvals, then the liquidity that makes the pair.
  {
    name: "pair_sunrise_usdc",
    deployer: "dave",
    factory: "v2_factory",
    method: "create2",
    at: on(5, 9) + 36,
    proxy: null,
  },
] as const;

test.each(cases)(
  "reports that $deployer created $name with $method",
  async ({ name, deployer, factory, method, at, proxy }) => {
    const answer = await creation(name);
    expect(answer.body).toMatchObject({
      type: "contract_creation",
      contract_address: addressOf(name),
      deployer: { address: addressOf(deployer) },
      factory: factory === null ? null : addressOf(factory),
      creation_tx_hash: truth.hashAt(at),
      block_number: truth.blockAt(T0 + at),
      timestamp: iso(at),
      method,
      runtime_code_hash: keccak256(await codeOf(name)),
      is_proxy: proxy !== null,
      implementation: proxy === null ? null : addressOf(proxy),
      is_self_destructed: false,
    });
    expect(charged(answer)).toBe(3);
    const { salt, init_code_hash } = answer.body;
    if (salt !== null) {
      // EIP-1014 must give the address again.
      const from = addressOf(factory ?? "") as HexText;
      expect(getCreate2Address({ from, salt, bytecodeHash: init_code_hash })).toBe(addressOf(name));
    }
  },
);

test("shows a salt that the factory used unchanged", async () => {
  expect((await creation("meadow")).body.salt).toBe(`0x${"5a".repeat(32)}`);
  // Uniswap hashes the pair of tokens into it, and Safe the owners.
  const unknown = (await creation("pair_sunrise_usdc")).body;
  expect(unknown.salt).toBeNull();
  expect(unknown.unavailable.map(({ field }: { field: string }) => field)).toContain("salt");
  // dave's 0th transaction of the story follows from the address: keccak of creator and nonce (yellow paper, 7).
  const nonce = BigInt(truth.sentBy("dave").findIndex(({ hash }) => hash === truth.hashAt(on(2, 9))));
  expect(getContractAddress({ from: addressOf("dave") as HexText, nonce })).toBe(addressOf("harbor"));
});

test("shows constructor arguments as the words after the creation code", async () => {
  const { constructor_args_raw: args } = (await creation("vault")).body;
  // (address implementation, address admin, bytes data): two addresses, the offset of the bytes, their length 0.
  const word = (hex: string): string => hex.replace("0x", "").toLowerCase().padStart(64, "0");
  expect(args).toBe(`0x${word(addressOf("vault_v1"))}${word(addressOf("dave"))}${word("60")}${word("0")}`);
});

test("knows a contract that ended in its own transaction; one whose code outlived its end is still live", async () => {
  // Factory, two children, the end of one, then the flash: 48 seconds after the first.
  const gone = (await creation("ephemeral_gone")).body;
  expect(gone).toMatchObject({
    ...{ is_self_destructed: true, method: "create", block_number: truth.blockAt(T0 + on(11, 14) + 48) },
    factory: addressOf("ephemeral_factory"),
    creation_tx_hash: truth.hashAt(on(11, 14) + 48),
  });
  expect(await codeOf("ephemeral_gone")).toBe("0x");
  // EIP-6780: after the creation's transaction a self-destruction takes the coins and leaves the code.
  const emptied = (await creation("ephemeral_emptied")).body;
  expect(emptied).toMatchObject({ is_self_destructed: false, method: "create2", salt: `0x${"e0".repeat(32)}` });
});

test("rejects a wallet as a contract, free of charge", async () => {
  const answer = await creation("bob");
  expect(answer).toMatchObject({ status: 200, body: { status: "error", code: "NOT_A_CONTRACT" } });
  expect(charged(answer)).toBe(0);
});

/** Every contract created in a transaction of dave, by the story: names of the contracts, oldest first. */
const DAVES = [
  ["harbor", "erc20", null],
  ["pair_harbor_weth", "erc20", "v2_factory"],
  ["juniper", "erc20", null],
  ["pool_v3_juniper_usdc", "pool", "v3_factory"],
  ["sunrise", "erc20", null],
  // A v2 pool is the token of its own shares.
  ["pair_sunrise_usdc", "erc20", "v2_factory"],
  ["thin", "erc20", null],
  ["pair_thin_weth", "erc20", "v2_factory"],
  ["copper", "erc20", null],
  ["drift", "erc20", null],
  ["ephemeral_factory", "contract", null],
  ["ephemeral_left", "contract", "ephemeral_factory"],
  ["ephemeral_emptied", "contract", "ephemeral_factory"],
  ["ephemeral_gone", "contract", "ephemeral_factory"],
  ["token_factory", "contract", null],
  ["orchard", "erc20", "token_factory"],
  ["meadow", "erc20", "token_factory"],
  ["forwarder", "contract", null],
  ["postcards", "erc721", null],
  ["badges", "erc1155", null],
  ["vault_v1", "contract", null],
  ["vault", "proxy", null],
  ["vault_v2", "contract", null],
] as const;

const deployed = async (args: Readonly<Record<string, unknown>> = {}) =>
  (
    await stage.told("get_wallet_deployed_contracts", {
      address: addressOf("dave"),
      network: "demo",
      records_per_page: 100,
      ...args,
    })
  ).body;

interface ContractAnswerRow {
  readonly contract_address: string;
  readonly kind: string;
  readonly via: string | null;
  readonly is_self_destructed: boolean;
  readonly code_hash: HexText;
  readonly same_code_count: number;
  readonly tx_hash: HexText;
}

test("lists all of dave's contracts, newest first, with their kinds and factories", async () => {
  const body = await deployed();
  expect(body.data.map(({ contract_address, kind, via }: ContractAnswerRow) => [contract_address, kind, via])).toEqual(
    [...DAVES].reverse().map(([name, kind, via]) => [addressOf(name), kind, via === null ? null : addressOf(via)]),
  );
  const hashes = await Promise.all(DAVES.map(async ([name]) => keccak256(await codeOf(name))));
  // The code of the one that ended at once no longer exists; it was the same as its siblings'.
  const gone = DAVES.findIndex(([name]) => name === "ephemeral_gone");
  const left = DAVES.findIndex(([name]) => name === "ephemeral_left");
  const known = hashes.map((hash, i) => (i === gone ? hashes[left] : hash));
  expect(body.data.map(({ code_hash }: ContractAnswerRow) => code_hash).reverse()).toEqual(known);
  expect(body.data.map(({ same_code_count }: ContractAnswerRow) => same_code_count).reverse()).toEqual(
    known.map((hash) => known.filter((other) => other === hash).length),
  );
  expect(
    body.data
      .filter((row: ContractAnswerRow) => row.is_self_destructed)
      .map((row: ContractAnswerRow) => row.contract_address),
  ).toEqual([addressOf("ephemeral_gone")]);
  // 13 tokens: eight of dave's own ERC-20, three shares of pools, postcards, badges.
  expect(body.summary).toMatchObject({ total: 23, tokens: 13, destroyed: 1, distinct_code: new Set(known).size });
  expect(body.summary).toMatchObject({ first_at: iso(on(2, 9)), last_at: iso(on(36, 18)) });
  // Each transaction is one that dave signed.
  const own = new Set(truth.sentBy("dave").map(({ hash }) => hash));
  expect(body.data.filter(({ tx_hash }: ContractAnswerRow) => !own.has(tx_hash))).toEqual([]);
});

test("lists the fitting part without factories and by kind", async () => {
  const names = (body: { data: ContractAnswerRow[] }) =>
    body.data.map(({ contract_address }) => contract_address).reverse();
  const of = (keep: (entry: (typeof DAVES)[number]) => boolean) => DAVES.filter(keep).map(([name]) => addressOf(name));
  const is_token = (kind: string): boolean => kind.startsWith("erc");
  expect(names(await deployed({ include_factory_created: false }))).toEqual(of(([, , via]) => via === null));
  expect(names(await deployed({ kind: "token" }))).toEqual(of(([, kind]) => is_token(kind)));
  expect(names(await deployed({ kind: "contract" }))).toEqual(of(([, kind]) => !is_token(kind)));
  const pages = await Promise.all([1, 2, 3].map((page) => deployed({ page, records_per_page: 10 })));
  expect(pages.flatMap(({ data }) => data)).toEqual((await deployed()).data);
  expect(pages.map(({ pagination }) => pagination.has_more_data)).toEqual([true, true, false]);
  const none = await stage.ask("get_wallet_deployed_contracts", { address: addressOf("bob"), network: "demo" });
  expect(none.body).toMatchObject({ status: "no_data", type: "deployed_contracts" });
  expect(charged(none)).toBe(8);
});

const meta = async (address: string, network = "demo") => {
  const answer = await stage.told("get_wallet_account_meta", { address: addressOf(address), network });
  return { ...answer, account: answer.body.accounts?.[0] };
};

test("describes bob's account as a key's, with four transactions and the node's balance", async () => {
  const { account } = await meta("bob");
  const wei = await truth.balance("native", "bob");
  expect(account).toMatchObject({
    ...{ network: "demo", exists: true, account_type: "eoa", is_contract: false, nonce: 4, code_hash: null },
    ...{ native_balance_raw: wei.toString(), native_symbol: "ETH", safe: null, proxy_implementation: null },
  });
  const price = (await truth.etherUsd(stage.world.head.time)) ?? Number.NaN;
  expect(account.usd_value / ((Number(wei) / 1e18) * price)).toBeCloseTo(1, 10);
});

test("describes the kind of contracts, proxies and the Safe", async () => {
  expect((await meta("forwarder")).account).toMatchObject({ account_type: "contract", is_contract: true });
  const harbor = (await meta("harbor")).account;
  expect(harbor).toMatchObject({ account_type: "token", is_contract: true, safe: null, proxy_implementation: null });
  expect(harbor.code_hash).toBe(keccak256(await codeOf("harbor")));
  const vault = (await meta("vault")).account;
  // 3 ether in, 1 out.
  expect(vault).toMatchObject({
    proxy_implementation: addressOf("vault_v2"),
    native_balance_raw: (2n * ETHER).toString(),
  });
  const safe = (await meta("judys_safe")).account;
  expect(safe).toMatchObject({ account_type: "safe", proxy_implementation: addressOf("safe_singleton") });
  expect(safe.safe).toEqual({ version: "1.4.1", threshold: 2, owners: ["judy", "grace", "peggy"].map(addressOf) });
  expect((await meta("judys_safe", "all")).account).toEqual(safe);
  expect((await meta("judys_safe", "evm")).account).toEqual(safe);
});

test("has no data for an address without activity, and charges it", async () => {
  const answer = await meta("0x00000000000000000000000000000000000aBCdE".toLowerCase());
  expect(answer.body).toMatchObject({ status: "no_data", type: "account_meta" });
  expect(charged(answer)).toBe(1);
});
