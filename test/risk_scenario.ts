import type { FreezableCoin } from "../src/chains/coins.ts";
import { type Hex, hex } from "../src/lib/bytes.ts";
import { type ListHead, replaceList } from "../src/store/lists.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { blockHash, type TestFacts } from "./facts_store.ts";
import { type FixedState, fixedChain } from "./fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "./value_rows.ts";

/** Wallets near a mixer, in dollars of a coin that is worth one; blocks 100 to 110 are a day apart. */

export const WALLET = hex("10".repeat(20));
export const MIXER = hex("11".repeat(20));
export const WALLET_OF_FUNDS = hex("12".repeat(20));
const BANK = hex("13".repeat(20));
export const SERVICE = hex("14".repeat(20));
export const DEPOSIT = hex("15".repeat(20));
export const GUESSED = hex("16".repeat(20));
export const HUB = hex("17".repeat(20));
export const BEHIND_HUB = hex("18".repeat(20));
export const YOUNG = hex("19".repeat(20));
export const DEPLOYER = hex("1a".repeat(20));
export const LISTED = hex("1b".repeat(20));
export const SPENDER = hex("1c".repeat(20));
const ROUTER = hex("1d".repeat(20));
export const APPROVER = hex("1e".repeat(20));
export const STRANGER = hex("1f".repeat(20));
const RUGGED = hex("20".repeat(20));
export const PERSON = hex("21".repeat(20));
const SWAPPER = hex("22".repeat(20));
export const AFTER_SWAP = hex("23".repeat(20));
const POOL = hex("24".repeat(20));
const JUNK = hex("25".repeat(20));
const USDC = hex("50".repeat(20));

/** 2026-08-02T00:00:00Z, when the sanctions list was imported. */
export const IMPORTED_MS = 1_785_628_800_000;
const DOLLAR = 10n ** 6n;
const HUB_PEERS = 5_001;

const usdc = (source: Hex, destination: Hex, dollars: number) =>
  ({ kind: "erc20", token: USDC, source, destination, amount: BigInt(dollars) * DOLLAR }) as const;

const pay = (block: number, tx_index: number, [source, destination, dollars]: readonly [Hex, Hex, number]) =>
  transfersOf({ block, tx_index }, source, [usdc(source, destination, dollars)]);

/** The wallet and its funds as in the demo world: 400 of 1600, of which 800 go on, beside 1200 clean ones. */
const near = () => [
  ...pay(101, 0, [BANK, WALLET_OF_FUNDS, 1_200]),
  ...pay(101, 1, [MIXER, WALLET_OF_FUNDS, 400]),
  ...pay(102, 0, [WALLET_OF_FUNDS, WALLET, 800]),
  ...pay(102, 1, [BANK, WALLET, 1_200]),
];

const services = () => [SERVICE, DEPOSIT, GUESSED].flatMap((who, i) => pay(103, i, [MIXER, who, 1_000]));

/** A hub is paid by the mixer and by thousands of others, and pays one. */
const hub = () => [
  ...transfersOf(
    { block: 104, tx_index: 0 },
    BANK,
    Array.from({ length: HUB_PEERS }, (_, i) => usdc(addressOf(0x10_000 + i), HUB, 1)),
  ),
  ...pay(104, 1, [MIXER, HUB, 1_000]),
  ...pay(104, 2, [HUB, BEHIND_HUB, 1_000]),
];

/** Five days old, and 120,000 dollars went through it. */
const young = () => [...pay(105, 0, [BANK, YOUNG, 60_000]), ...pay(108, 0, [YOUNG, BANK, 60_000])];

/** 1,000 dollars of the mixer become a coin without a price and dollars again, and move on. */
const swaps = () => [
  ...pay(105, 1, [MIXER, SWAPPER, 1_000]),
  ...transfersOf({ block: 106, tx_index: 0 }, SWAPPER, [
    usdc(SWAPPER, POOL, 1_000),
    { kind: "erc20", token: JUNK, source: POOL, destination: SWAPPER, amount: 5n },
  ]),
  ...transfersOf({ block: 106, tx_index: 1 }, SWAPPER, [
    { kind: "erc20", token: JUNK, source: SWAPPER, destination: POOL, amount: 5n },
    usdc(POOL, SWAPPER, 1_000),
  ]),
  ...pay(107, 0, [SWAPPER, AFTER_SWAP, 1_000]),
];

const approvals = (): TableRows["approvals"][] => {
  const approval = (owner: Hex, spender: Hex, [log_index, dollars]: readonly [number, number]) => ({
    network: "demo",
    owner: bytesOf(owner),
    token: bytesOf(USDC),
    spender: bytesOf(spender),
    block_number: 103,
    tx_index: 0,
    log_index,
    time: dayOf(103),
    tx_hash: blockHash(103_000),
    kind: "erc20" as const,
    amount: BigInt(dollars) * DOLLAR,
  });
  return [
    approval(WALLET, SPENDER, [1, 500]),
    approval(WALLET, ROUTER, [2, 5_000]),
    approval(WALLET, MIXER, [3, 90]),
    approval(WALLET, PERSON, [4, 70]),
    // Withdrawn again.
    approval(WALLET, RUGGED, [5, 60]),
    approval(WALLET, RUGGED, [6, 0]),
    ...Array.from({ length: 21 }, (_, i) => approval(APPROVER, addressOf(0xa00 + i), [10 + i, 1])),
  ];
};

const deployment: TableRows["contracts"] = {
  network: "demo",
  creator: bytesOf(DEPLOYER),
  event: "created",
  init_hash: new Uint8Array(0),
  block_number: 103,
  tx_index: 7,
  position: 0,
  time: dayOf(103),
  tx_hash: blockHash(103_007),
  address: bytesOf(RUGGED),
  method: "create",
  factory: "",
  code_hash: "",
};

const label = (address: Hex, category: string, more: Partial<TableRows["labels"]> = {}): TableRows["labels"] => ({
  network: "demo",
  address: bytesOf(address),
  source: "operator",
  label: `A ${category}`,
  category,
  entity: "",
  confidence: 0.95,
  evidence: "",
  written_at: 1,
  valid_from: 0,
  licence: "",
  published_on: "",
  ...more,
});

const sanctions: ListHead = {
  list: "authority",
  kind: "sanctions",
  version: "v7",
  format: "sanctions-json",
  origin: "test",
  licence: "CC0-1.0",
  published_on: "2026-08-01",
};

/** Networks of the story: `demo`, `second` with clean income only, and `late`, indexed from its block 100 on. */
export const seedRisk = async (store: TestFacts): Promise<void> => {
  const elsewhere = (network: string, transfers: readonly TableRows["transfers"][]) => ({
    blocks: dailyBlocks(110).map((row) => ({ ...row, network })),
    transfers: transfers.map((row) => ({ ...row, network })),
    tokens: [{ ...tokenRow(USDC, "USDC", 6), network }],
  });
  const told = [...near(), ...services(), ...hub(), ...young(), ...swaps()];
  await store.seed(
    { network: "demo", from: 0, to: 110 },
    {
      ...elsewhere("demo", told),
      approvals: approvals(),
      contracts: [deployment],
      labels: [
        label(MIXER, "mixer"),
        label(SERVICE, "exchange"),
        label(DEPOSIT, "exchange"),
        label(DEPOSIT, "exchange_deposit", { confidence: 0.6 }),
        label(GUESSED, "exchange", { confidence: 0.6 }),
        label(ROUTER, "dex"),
        label(POOL, "dex", { source: "pools" }),
        label(RUGGED, "scam"),
      ],
    },
  );
  await store.seed({ network: "second", from: 0, to: 110 }, elsewhere("second", pay(103, 0, [BANK, WALLET, 2_000])));
  await store.seed(
    { network: "late", from: 100, to: 110, first: 1 },
    elsewhere("late", pay(103, 0, [WALLET, BANK, 10])),
  );
  const entry = { family: "evm", address: LISTED, asset_code: "ETH", entity: "Somebody", program: "P" };
  const entries = [{ ...entry, listed_on: "2024-01-02", delisted_on: "" }];
  await replaceList(store, sanctions, { kind: "sanctions", entries, now_ms: IMPORTED_MS });
};

/** Contracts are the spender and the router; the allowance of the spender was used up to 300. */
export const chainOf = (network: string, state: FixedState & { readonly freezes?: readonly FreezableCoin[] } = {}) => {
  const code = bytesOf(hex("60806040"));
  const contracts = [SPENDER, ROUTER, MIXER, ...Array.from({ length: 21 }, (_, i) => addressOf(0xa00 + i))];
  return fixedChain({
    ...state,
    network: {
      id: network,
      caip2: `eip155:${network.length}`,
      stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }],
      ...(state.freezes === undefined ? {} : { freezes: state.freezes }),
    },
    accounts: { ...Object.fromEntries(contracts.map((address) => [address, { code }])), ...state.accounts },
    answer: ({ data }) => {
      const used = data.endsWith(SPENDER) ? 300n * DOLLAR : null;
      return used === null ? { ok: false, data: "" } : { ok: true, data: hex(used.toString(16).padStart(64, "0")) };
    },
  });
};
