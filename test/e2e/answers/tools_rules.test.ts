import { beforeAll, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.ts";
import { eachNth } from "../../long.ts";
import { type SharedWorldService, sharedWorld, type ToolReply } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const charged = ({ headers }: { readonly headers: Headers }): number => Number(headers.get("x-credits-charged"));

/** Name of a tool's subject, and the tool's price: callers rely on both. */
const CARDS = {
  get_wallet_pnl: ["address", 25],
  get_wallet_transactions: ["address", 25],
  get_token_holders_traders: ["token_address", 15],
  get_wallet_deployed_contracts: ["address", 8],
  get_wallet_portfolio_breakdown: ["wallet_address", 8],
  get_wallet_token_holdings: ["wallet_address", 8],
  get_contract_creation: ["contract_address", 3],
  get_token_info: ["token_address", 3],
  get_wallet_account_meta: ["address", 1],
  resolve_ens: ["ens_name", 1],
  resolve_token_symbol: ["symbol", 1],
} as const;
type CardName = keyof typeof CARDS;
const NAMES = Object.keys(CARDS) as CardName[];
const ADDRESSED = eachNth(
  NAMES.filter((name) => CARDS[name][0].includes("address")),
  3,
);
const ACROSS: readonly CardName[] = [
  "get_wallet_pnl",
  "get_wallet_portfolio_breakdown",
  "get_wallet_token_holdings",
  "get_wallet_transactions",
  "get_wallet_account_meta",
  "resolve_token_symbol",
];

const exampleOf = (name: CardName): Record<string, unknown> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${name} is not in the list`);
  return { ...tool.example };
};

/** Expects a rejection before the charge, with a sentence that has these words. */
const expectRefused = async (name: CardName, args: Readonly<Record<string, unknown>>, words: readonly string[]) => {
  const answer = await stage.ask(name, args);
  expect([name, args, answer.status]).toEqual([name, args, 422]);
  expect(charged(answer)).toBe(0);
  for (const word of [name, ...words]) expect(answer.body.detail).toContain(word);
};

test.each(NAMES)("suggests the right field of %s, and charges nothing for a wrong one", async (name) => {
  const [field] = CARDS[name];
  const { [field]: value, ...rest } = exampleOf(name);
  const other = field === "address" ? "wallet_address" : field === "wallet_address" ? "address" : `${field}s`;
  await expectRefused(name, { ...rest, [other]: value }, [`'${other}'`, `did you mean '${field}'`]);
  await expectRefused(name, rest, [field]);
  await expectRefused(name, { ...rest, [field]: 7 }, [field]);
  await expectRefused(name, { ...rest, [field]: value, colour: "red" }, ["'colour'"]);
});

test.each(ADDRESSED)("rejects invalid addresses and unknown networks in %s", async (name) => {
  const [field] = CARDS[name];
  const example = exampleOf(name);
  const given = String(example[field]);
  // One letter in the other case breaks the checksum.
  const at = [...given].findLastIndex((letter) => /[a-f]/i.test(letter));
  const letter = given[at] ?? "";
  const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  await expectRefused(name, { ...example, [field]: given.slice(0, at) + swapped + given.slice(at + 1) }, ["checksum"]);
  for (const bad of ["", "0x", given.slice(0, -1), `${given}0`, given.slice(2), "alice.eth", "Tether"]) {
    await expectRefused(name, { ...example, [field]: bad }, [field]);
  }
  for (const network of ["eth", "mainnet", "1", "Demo", "", "ethereum"]) {
    await expectRefused(name, { ...example, network }, ["network"]);
  }
  if (!ACROSS.includes(name)) {
    for (const network of ["all", "evm"]) await expectRefused(name, { ...example, network }, ["network"]);
  }
  // The same address in one case is the same call.
  const lower = await stage.ask(name, { ...example, [field]: given.toLowerCase() });
  const plain = await stage.told(name, example);
  expect({ ...lower.body, metadata: 0 }).toEqual({ ...plain.body, metadata: 0 });
});

/** The answer without the list of its networks. */
const apart = ({ metadata: _, pagination, ...body }: ToolReply["body"]): unknown => ({
  ...body,
  ...(pagination === undefined ? {} : { pagination: { ...pagination, network: null } }),
});

test.each(ACROSS)("answers %s over all networks like over the only one", async (name) => {
  const one = await stage.told(name, { ...exampleOf(name), network: "demo" });
  for (const network of ["all", "evm"]) {
    const many = await stage.ask(name, { ...exampleOf(name), network });
    expect(apart(many.body)).toEqual(apart(one.body));
    expect(many.body.metadata).toMatchObject({ chain: network, chain_id: null, as_of: null, coverage: null });
    const { as_of, coverage } = one.body.metadata;
    expect(many.body.metadata.networks).toEqual([{ network: "demo", chain_id: "eip155:31337", as_of, coverage }]);
    expect(charged(many)).toBe(CARDS[name][1]);
  }
});

test("has no data for a missing subject, and charges it in full", async () => {
  const nobody = "0x00000000000000000000000000000000000abcde";
  for (const name of NAMES) {
    const [field, credits] = CARDS[name];
    // Missing tokens and contracts are refunded, and tested next to their tools.
    if (field === "token_address" || field === "contract_address") continue;
    const subject = { address: nobody, wallet_address: nobody, ens_name: "nobody.eth", symbol: "NOPE" }[field];
    const answer = await stage.ask(name, { ...exampleOf(name), [field]: subject });
    expect([name, answer.status, answer.body.status, charged(answer)]).toEqual([name, 200, "no_data", credits]);
    expect(answer.body.type).toBe((await stage.told(name, exampleOf(name))).body.type);
  }
});

test("fails for a wrong kind of entity, with a refund", async () => {
  const bob = truth.addressOf("bob");
  for (const [name, args, code] of [
    ["get_token_info", { token_address: bob }, "NOT_A_TOKEN"],
    ["get_token_holders_traders", { token_address: bob }, "NOT_A_TOKEN"],
    ["get_token_holders_traders", { token_address: truth.addressOf("v2_router") }, "NOT_A_TOKEN"],
    ["get_contract_creation", { contract_address: bob }, "NOT_A_CONTRACT"],
  ] as const) {
    const answer = await stage.ask(name, { ...args, network: "demo" });
    expect(answer.body).toMatchObject({ status: "error", code });
    expect([answer.status, charged(answer)]).toEqual([200, 0]);
  }
});

test("rejects dates, pages and blocks out of bounds without a charge", async () => {
  for (const name of ["get_wallet_pnl", "get_wallet_transactions"] as const) {
    const example = exampleOf(name);
    await expectRefused(name, { ...example, from_date: "2026-09-02", to_date: "2026-09-01" }, ["from_date"]);
    await expectRefused(name, { ...example, from_date: "2026-02-30" }, ["from_date"]);
    await expectRefused(name, { ...example, to_date: "01.09.2026" }, ["to_date"]);
    await expectRefused(name, { ...example, page: 0 }, ["page"]);
    await expectRefused(name, { ...example, records_per_page: 101 }, ["records_per_page"]);
    await expectRefused(name, { ...example, page: 101, records_per_page: 100 }, ["10000"]);
    await expectRefused(name, { ...example, as_of_block: -1 }, ["as_of_block"]);
  }
  for (const name of ["get_wallet_portfolio_breakdown", "get_wallet_token_holdings"] as const) {
    const asked = { ...exampleOf(name), network: "all", as_of_block: 3 };
    await expectRefused(name, asked, ["as_of_block"]);
  }
});
