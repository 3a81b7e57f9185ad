import { namehash } from "viem/ens";
import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
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
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");
const ens = (ens_name: string) => stage.told("resolve_ens", { ens_name });
const codes = (answer: { readonly body: { metadata: { warnings: { code: string }[] } } }): readonly string[] =>
  answer.body.metadata.warnings.map(({ code }) => code);

test("resolves alice.eth to alice, whose primary name it is, in spite of mallory's claim", async () => {
  const answer = await ens("alice.eth");
  expect(answer.body).toMatchObject({
    ...{ type: "ens_resolution", ens_name: "alice.eth", normalized_name: "alice.eth", via_ccip: false },
    ...{ address: addressOf("alice"), owner: addressOf("alice"), resolver: addressOf("ens_resolver") },
    ...{ namehash: namehash("alice.eth"), reverse_name: "alice.eth", reverse_verified: true },
    // Registered for a year on the second day at two.
    expires_at: iso(on(1, 2) + 365 * 86_400),
  });
  expect([codes(answer), charged(answer)]).toEqual([[], 1]);
  // mallory's reverse record says alice.eth too, since day 27.
  const claimed = await truth.read("ens_resolver", "name(bytes32) view returns (string)", {
    args: [namehash(`${addressOf("mallory").slice(2).toLowerCase()}.addr.reverse`)],
  });
  expect(claimed).toBe("alice.eth");
});

test("folds capital letters, and returns the requested name too", async () => {
  const answer = await ens("ALICE.eth");
  expect(answer.body).toMatchObject({
    ens_name: "ALICE.eth",
    normalized_name: "alice.eth",
    address: addressOf("alice"),
  });
});

test("warns that grace.eth expired on day 31 and still points to her", async () => {
  const answer = await ens("grace.eth");
  expect(answer.body).toMatchObject({ address: addressOf("grace"), expires_at: iso(on(31, 3)), reverse_name: null });
  expect(codes(answer)).toContain("NAME_EXPIRED");
});

test("has no primary name for dave.eth", async () => {
  const answer = await ens("dave.eth");
  expect(answer.body).toMatchObject({ address: addressOf("dave"), reverse_name: null, reverse_verified: false });
  expect([codes(answer), charged(answer)]).toEqual([[], 1]);
});

test("has no data for an unregistered name, and charges it", async () => {
  for (const name of ["nobody.eth", "deep.alice.eth"]) {
    const answer = await ens(name);
    expect(answer.body).toMatchObject({ status: "no_data", type: "ens_resolution" });
    expect(charged(answer)).toBe(1);
  }
});

test("rejects a name that cannot be normalised without a charge", async () => {
  for (const name of ["bad name.eth", "a..eth", "", "under_score.eth", "\u0430lice\u0000.eth"]) {
    const answer = await ens(name);
    expect([name, answer.status]).toEqual([name, 422]);
    expect(charged(answer)).toBe(0);
  }
});

const info = (token: string) =>
  stage.told("get_token_info", { token_address: token === "native" ? token : addressOf(token), network: "demo" });

test("describes USDC by its contract, behind a proxy, with a holder count from the node", async () => {
  // totalSupply returns a uint256.
  const supply = (await truth.read("usdc", "totalSupply() view returns (uint256)", {})) as bigint;
  const balances = await Promise.all([...new Set(truth.everybody)].map((who) => truth.balance("usdc", who)));
  const answer = await info("usdc");
  expect(answer.body).toMatchObject({
    ...{ standard: "erc20", name: "USD Coin", symbol: "USDC", decimals: 6, price_usd: 1, is_proxy: true },
    ...{ is_stablecoin: true, is_wrapped_native: false, impersonates: null, creator: addressOf("trent") },
    ...{ total_supply_raw: supply.toString(), total_supply: Number(supply) / 1e6, created_at: iso(1_812) },
    holders_count: balances.filter((balance) => balance > 0n).length,
    market_cap_usd: Number(supply) / 1e6,
  });
  expect(charged(answer)).toBe(3);
  const market = await stage.told("get_token_market_analysis", { token_address: addressOf("usdc"), network: "demo" });
  expect(answer.body.liquidity_usd).toBeGreaterThan(1_000_000);
  expect(answer.body.liquidity_usd).toBe(market.body.liquidity.total_usd);
});

test("reports that half of Harbor's pool shares are burnt, and counts both sides of its pool as liquidity", async () => {
  const shares = await info("pair_harbor_weth");
  // totalSupply returns a uint256. 1,000 shares are locked at the zero address at the first deposit (v2-core Pair.sol).
  const supply = (await truth.read("pair_harbor_weth", "totalSupply() view returns (uint256)", {})) as bigint;
  const dead = await truth.balance("pair_harbor_weth", "0x000000000000000000000000000000000000dEaD");
  expect(BigInt(shares.body.total_supply_raw)).toBe(supply);
  expect(shares.body.circulating_supply).toBeCloseTo(Number(supply - dead - 1_000n) / 1e18, 9);
  const sunrise = await info("sunrise");
  const dollars = Number(await truth.balance("usdc", "pair_sunrise_usdc")) / 1e6;
  expect(sunrise.body.liquidity_usd).toBeCloseTo(2 * dollars, 6);
  expect(sunrise.body.is_proxy).toBe(false);
});

test("cleans hostile metadata, and makes up nothing that the contract omits", async () => {
  const { body } = await info("broken");
  expect(body).toMatchObject({ symbol: "BRK", decimals: null, price_usd: null, total_supply: null });
  expect(body.name).not.toMatch(/\p{Cc}|\p{Cf}/u);
  // The contract's own text has such characters.
  const raw = await stage.world.rpc.call("eth_call", { to: addressOf("broken"), data: "0x06fdde03" }, "latest");
  expect(Buffer.from(String(raw).slice(2), "hex").toString("utf8")).toMatch(/\p{Cf}/u);
});

test("distinguishes the copy of USDC from USDC", async () => {
  const { body } = await info("fake_usdc");
  expect(body).toMatchObject({
    ...{ symbol: "USDC", decimals: 18, is_stablecoin: false, price_usd: null, creator: addressOf("mallory") },
    impersonates: { canonical_address: addressOf("usdc") },
  });
});

test("refunds a call for an address without a token", async () => {
  for (const name of ["v2_router", "bob", "judys_safe"]) {
    const answer = await info(name);
    expect(answer).toMatchObject({ status: 200, body: { status: "error", code: "NOT_A_TOKEN" } });
    expect(charged(answer)).toBe(0);
  }
});

test("has one price for native and wrapped coin", async () => {
  const price = (await truth.etherUsd(stage.world.head.time)) ?? Number.NaN;
  const native = (await info("native")).body;
  const wrapped = (await info("weth")).body;
  expect(native).toMatchObject({ address: "native", standard: "native", symbol: "ETH", decimals: 18, creator: null });
  expect(native.price_usd / price).toBeCloseTo(1, 10);
  const reasons = native.unavailable.map(
    ({ field, reason }: { field: string; reason: string }) => `${field}: ${reason}`,
  );
  expect(reasons).toContain("total_supply: the coin of the network has no contract");
  expect(wrapped).toMatchObject({ price_usd: native.price_usd, is_wrapped_native: true });
  expect(BigInt(wrapped.total_supply_raw)).toBe(await truth.balance("native", "weth"));
});

const symbol = (text: string, args = {}) => stage.ask("resolve_token_symbol", { symbol: text, ...args });

test("finds the canonical token for USDC first, and marks its copy below", async () => {
  for (const text of ["USDC", "usdc", "$UsdC"]) {
    const { body } = await symbol(text, { network: "demo" });
    const rows = body.matches.map((row: Record<string, unknown>) => [
      row.token_address,
      row.is_canonical,
      row.risk_tags,
    ]);
    expect(rows).toEqual([
      [addressOf("usdc"), true, []],
      [addressOf("fake_usdc"), false, ["impersonation"]],
    ]);
    expect(body.ambiguous).toBe(false);
    expect(body.matches[0].match).toBe(text === "USDC" ? "exact" : "case");
  }
});

test("reports a symbol of several pools as ambiguous, and has no data for an unknown symbol", async () => {
  const { body } = await symbol("UNI-V2", { limit: 25 });
  expect(body.matches.length).toBeGreaterThan(3);
  expect(body.ambiguous).toBe(true);
  expect((await symbol("UNI-V2", { limit: 2 })).body.matches).toEqual(body.matches.slice(0, 2));
  const sun = (await symbol("SUN")).body;
  expect(sun.matches).toHaveLength(1);
  expect(sun.matches[0]).toMatchObject({ token_address: addressOf("sunrise"), holders_count: 3, decimals: 18 });
  const none = await symbol("NOPE");
  expect(none.body).toMatchObject({ status: "no_data", type: "token_symbol_resolution" });
  expect(charged(none)).toBe(1);
});
