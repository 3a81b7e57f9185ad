import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecordedSolana } from "../../../test/solana/recorded.ts";
import {
  type MadeInstruction,
  type MadeTransaction,
  madeKey,
  madeTransaction,
  packed,
  TOKEN,
  TOKEN_2022,
} from "../../demo/solana/made_transaction.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { fromHex, toHex } from "../../lib/bytes.ts";
import type { PoolAct } from "../pool_act.ts";
import { derivedAddress } from "./derived_address.ts";
import { poolActsOf } from "./pool_acts.ts";
import { poolInstruction, poolProgram } from "./pool_programs.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const AMM_V4 = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8";
const CPMM = "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C";
const PUMP_FUN = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
/** sha256("global:migrate"), eight bytes. */
const MIGRATE = "9beae792ec9ea21e";
const DLMM = "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo";

const actsIn = (json: unknown): readonly PoolAct[] => poolActsOf(readRawTransaction(json, new Keys()));
const short = (bytes: Uint8Array | null): string => (bytes === null ? "-" : toBase58(bytes).slice(0, 4));

/** Pool, tokens, changes, holdings, and the trader: an act in short form. */
const shown = ({ pool, token0, token1, swap, state, is_new }: PoolAct): unknown[] => [
  `${is_new ? "new " : ""}${short(pool)} ${short(token0)}/${short(token1)}`,
  swap === null ? null : [swap.amount0, swap.amount1, ...[swap.caller, swap.recipient, swap.trader].map(short)],
  state === null ? null : [state.reserve0, state.reserve1],
];

const recorded = readRecordedSolana();

describe.skipIf(recorded === null)("recorded trades", () => {
  const inTransaction = (name: string) => actsIn(recorded?.transactions.find((one) => one.name === name)?.json);
  const inBlock = (name: string) =>
    recorded?.blocks.find((one) => one.name === name)?.json.transactions.flatMap((one) => actsIn(one));

  test("a Whirlpool under a router of 2022, whose node omits depths", () => {
    // Vaults by the node: SOL 138024920000 -> 137895807777, Fishy 67856549196 -> 67906549196.
    const swap = [-129_112_223n, 50_000_000n, "DxCs", "DxCs", "DxCs"];
    const expected = [["13zt So11/Fish", swap, [137_895_807_777n, 67_906_549_196n]]];
    expect(inBlock("chainstorage_parser_block_account_deletion.json")?.map(shown)).toEqual(expected);
    expect(inBlock("chainstorage_parser_block_new_token_account.json")?.map(shown)).toEqual(expected);
  });

  test("a DLMM pair under a program that trades for its own account", () => {
    // Reserves by the node: 7i5K 108469853556668 -> 106768867856219, AFbX 176698438078034 -> 186071038003034.
    const swap = [-1_700_985_700_449n, 9_372_599_925_000n, "7Z2Q", "7Z2Q", "4vJ9"];
    const state = [106_768_867_856_219n, 186_071_038_003_034n];
    expect(inTransaction("cpi_tx.json").map(shown)).toEqual([["BMCh 7i5K/AFbX", swap, state]]);
  });

  test("a bonding curve in SOL: its reserves are its own lamports, its price that of its virtual reserves", () => {
    // The system program moved 2962962962 to the curve; its vault went from all 10^15 tokens to 903550561855907.
    const [creation, act, ...more] = inTransaction("raw_create_tx_from_gettransaction.json");
    const swap = [2_962_962_962n, -96_449_438_144_093n, "5htG", "5htG", "5htG"];
    expect([creation, act].flatMap((one) => (one ? [shown(one)] : []))).toEqual([
      ["new 3jJ8 So11/CWiT", null, null],
      ["3jJ8 So11/CWiT", swap, [2_962_962_962n, 903_550_561_855_907n]],
    ]);
    expect([creation?.shares, more]).toEqual([null, []]);
    // 976550561855907 virtual tokens for 32962962962 virtual lamports.
    const root = Number(act?.state?.sqrt_price_x96 ?? 0n) / 2 ** 96;
    expect(root * root).toBeCloseTo(976_550_561_855_907 / 32_962_962_962, 6);
  });

  test("a bonding curve against USDC has two vaults", () => {
    const swap = [-445_377_137_871n, 3_517_192n, "BwWK", "BwWK", "Gygj"];
    const state = [994_677_499_811_569n, 25_148_140n];
    expect(inTransaction("raw_buy_tx_from_gettransaction.json").map(shown)).toEqual([["HR8M 4F4g/EPjF", swap, state]]);
  });

  test("a failed trade yields no act", () => {
    expect(inBlock("chainstorage_parser_block_241043141_v2.json")).toEqual([]);
  });

  test("the reserves that instructions of DLMM name are those that its pair derives", () => {
    const pairs = (recorded?.instructions ?? []).flatMap(({ name, program, accounts, data }) => {
      const pools = program === DLMM ? poolProgram(toHex(fromBase58(DLMM) ?? new Uint8Array())) : null;
      const found = pools === null ? null : poolInstruction(pools, toHex(fromBase58(data) ?? new Uint8Array(0)));
      return found === null
        ? []
        : found.places(accounts.length).map(({ pool, vaults }) => ({ name, accounts, pool, vaults }));
    });
    expect(pairs.length).toBeGreaterThan(12);
    for (const { name, accounts, pool, vaults } of pairs) {
      const key = (place: number): Uint8Array => fromBase58(accounts[place] ?? "") ?? new Uint8Array(0);
      const derived = accounts.map((mint) =>
        derivedAddress([key(pool), fromBase58(mint) ?? new Uint8Array(0)], fromBase58(DLMM) ?? new Uint8Array(0)),
      );
      for (const vault of vaults)
        expect([name, derived.map((one) => one && toBase58(one))]).toEqual([
          name,
          expect.arrayContaining([accounts[vault]]),
        ]);
    }
  });
});

const [ALICE, POOL, VAULT_A, VAULT_B, WALLET_A, WALLET_B, MINT_A, MINT_B, AUTHORITY, OTHER] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
].map(madeKey) as [string, ...string[]] as string[];

const PLACES = [ALICE, POOL, VAULT_A, VAULT_B, WALLET_A, WALLET_B, MINT_A, AUTHORITY, OTHER].map((key) => key ?? "");

const send = (from = "", to = "", amount = 0n): MadeInstruction => ({
  program: TOKEN,
  accounts: [from, to, ALICE ?? ""],
  data: packed(["u8", 3], ["u64", amount]),
});

const held = (mint: string | undefined, owner: string | undefined, amount: bigint, program = TOKEN) => ({
  mint: mint ?? "",
  owner: owner ?? "",
  amount,
  program,
});

const cpmm = (inner: readonly MadeInstruction[], tag = "8fbe5adac41e33de"): MadeInstruction => ({
  program: CPMM,
  accounts: [
    ALICE,
    AUTHORITY,
    OTHER,
    POOL,
    WALLET_A,
    WALLET_B,
    VAULT_A,
    VAULT_B,
    TOKEN,
    TOKEN,
    MINT_A,
    MINT_B,
    OTHER,
  ].map((key) => key ?? ""),
  data: Buffer.concat([fromHex(tag) ?? Buffer.alloc(0), packed(["u64", 100n], ["u64", 1n])]),
  inner,
});

/** Alice gives 100 of A and gets 90 of B. */
const traded = (instructions: readonly MadeInstruction[], more: Partial<MadeTransaction> = {}) =>
  madeTransaction({
    lamports: [[ALICE ?? "", 1_000_000n, 995_000n]],
    tokens: [
      [VAULT_A ?? "", held(MINT_A, AUTHORITY, 1_000n), held(MINT_A, AUTHORITY, 1_100n)],
      [VAULT_B ?? "", held(MINT_B, AUTHORITY, 1_000n), held(MINT_B, AUTHORITY, 910n)],
      [WALLET_A ?? "", held(MINT_A, ALICE, 100n), held(MINT_A, ALICE, 0n)],
      [WALLET_B ?? "", held(MINT_B, ALICE, 0n), held(MINT_B, ALICE, 90n)],
    ],
    instructions,
    ...more,
  });

const both = [send(WALLET_A, VAULT_A, 100n), send(VAULT_B, WALLET_B, 90n)];
const [pool, alice] = [POOL, ALICE].map((key) => (key ?? "").slice(0, 4));
const tokens = [MINT_A, MINT_B].map((key) => (key ?? "").slice(0, 4)).join("/");
const SWAP = [`${pool} ${tokens}`, [100n, -90n, alice, alice, alice], [1_100n, 910n]];

describe("trades in made transactions", () => {
  test("Raydium CPMM, by itself and under a router", () => {
    expect(actsIn(traded([cpmm(both)])).map(shown)).toEqual([SWAP]);
    const routed = { program: OTHER ?? "", accounts: [], data: new Uint8Array(1), inner: [cpmm(both)] };
    expect(actsIn(traded([routed])).map(shown)).toEqual([SWAP]);
  });

  test.each([
    ["with target orders", "09", 18, [5, 6]],
    ["without", "09", 17, [4, 5]],
    ["for a fixed output", "0b", 17, [4, 5]],
    ["without an order book", "10", 8, [3, 4]],
  ] as const)("Raydium AMM v4 %s", (_, tag, count, [first, second]) => {
    const accounts = Array.from({ length: count }, () => OTHER ?? "");
    accounts[1] = POOL ?? "";
    accounts[first] = VAULT_A ?? "";
    accounts[second] = VAULT_B ?? "";
    const data = Buffer.concat([fromHex(tag) ?? Buffer.alloc(0), packed(["u64", 100n], ["u64", 1n])]);
    expect(actsIn(traded([{ program: AMM_V4, accounts, data, inner: both }])).map(shown)).toEqual([SWAP]);
  });

  test("one side alone is no trade, and neither is an unknown instruction or program", () => {
    expect(actsIn(traded([cpmm([send(WALLET_A, VAULT_A, 100n)]), ...both.slice(1)]))).toEqual([]);
    expect(actsIn(traded([cpmm(both, "0000000000000000")]))).toEqual([]);
    expect(actsIn(traded([{ ...cpmm(both), program: OTHER ?? "" }]))).toEqual([]);
    expect(actsIn(traded([cpmm(both)], { error: { InstructionError: [0, "Custom"] } }))).toEqual([]);
  });

  test("two trades in one pool each state their movement; only the last states what the pool holds", () => {
    const first = [send(WALLET_A, VAULT_A, 40n), send(VAULT_B, WALLET_B, 38n)];
    const second = [send(WALLET_A, VAULT_A, 60n), send(VAULT_B, WALLET_B, 52n)];
    expect(actsIn(traded([cpmm(first), cpmm(second)])).map(shown)).toEqual([
      [SWAP[0], [40n, -38n, alice, alice, alice], null],
      [SWAP[0], [60n, -52n, alice, alice, alice], [1_100n, 910n]],
    ]);
  });

  test("a fee that Token-2022 withheld without an event is not in the pool", () => {
    // 100 were sent, 3 withheld: the vault's balance is 1,097.
    const vault = [held(MINT_A, AUTHORITY, 1_000n, TOKEN_2022), held(MINT_A, AUTHORITY, 1_097n, TOKEN_2022)] as const;
    const made = traded(
      [cpmm([{ ...send(WALLET_A, VAULT_A, 100n), program: TOKEN_2022 }, send(VAULT_B, WALLET_B, 90n)])],
      {
        tokens: [
          [VAULT_A ?? "", ...vault],
          [VAULT_B ?? "", held(MINT_B, AUTHORITY, 1_000n), held(MINT_B, AUTHORITY, 910n)],
          [WALLET_A ?? "", held(MINT_A, ALICE, 100n, TOKEN_2022), held(MINT_A, ALICE, 0n, TOKEN_2022)],
          [WALLET_B ?? "", held(MINT_B, ALICE, 0n), held(MINT_B, ALICE, 90n)],
        ],
      },
    );
    expect(actsIn(made).map(shown)).toEqual([[SWAP[0], [97n, -90n, alice, alice, alice], [1_097n, 910n]]]);
  });

  test("a deposit states what the pool holds and trades nothing", () => {
    const accounts = [ALICE, AUTHORITY, POOL, OTHER, WALLET_A, WALLET_B, VAULT_A, VAULT_B, OTHER].map(
      (key) => key ?? "",
    );
    const data = Buffer.concat([fromHex("f223c68952e1f2b6") ?? Buffer.alloc(0), packed(["u64", 1n])]);
    expect(actsIn(traded([{ program: CPMM, accounts, data, inner: both }])).map(shown)).toEqual([
      [SWAP[0], null, [1_100n, 910n]],
    ]);
  });

  test("a curve that moves to a pool holds nothing any more, and later mints are not its shares", () => {
    const accounts = [OTHER, OTHER, MINT_A, POOL, VAULT_A, ALICE, OTHER, OTHER].map((key) => key ?? "");
    const minted = {
      program: TOKEN,
      accounts: [MINT_B ?? "", WALLET_B ?? "", ALICE ?? ""],
      data: packed(["u8", 7], ["u64", 90n]),
    };
    const made = traded(
      [
        {
          program: PUMP_FUN,
          accounts,
          data: fromHex(MIGRATE) ?? new Uint8Array(0),
          inner: [send(VAULT_A, WALLET_A, 1_000n), minted],
        },
      ],
      {
        tokens: [
          [VAULT_A ?? "", held(MINT_A, POOL, 1_000n), held(MINT_A, POOL, 0n)],
          [WALLET_A ?? "", held(MINT_A, ALICE, 0n), held(MINT_A, ALICE, 1_000n)],
          [WALLET_B ?? "", held(MINT_B, ALICE, 0n), held(MINT_B, ALICE, 90n)],
        ],
      },
    );
    const acts = actsIn(made);
    const [coin] = (MINT_A ?? "").match(/^.{4}/) ?? [];
    expect(acts.map(shown)).toEqual([[`${pool} So11/${coin}`, null, [0n, 0n]]]);
    expect(acts[0]?.shares).toBeNull();
  });

  test("no bytes of an instruction make the reader throw, and only balanced trades are reported", () => {
    const tags = fc.constantFrom("8fbe5adac41e33de", "afaf6d1f0d989bed", "f223c68952e1f2b6", "b712469c946da122", "");
    const places = fc.array(fc.constantFrom(...PLACES), { maxLength: 20 });
    const call = fc.tuple(tags, fc.uint8Array({ maxLength: 40 }), places).map(
      ([tag, rest, accounts]): MadeInstruction => ({
        program: CPMM,
        accounts,
        data: Buffer.concat([fromHex(tag) ?? Buffer.alloc(0), rest]),
        inner: both,
      }),
    );
    const naming = {
      program: OTHER ?? "",
      accounts: PLACES,
      data: new Uint8Array(1),
    };
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), (calls) => {
        for (const { swap, token0, token1 } of actsIn(traded([...calls, naming]))) {
          expect(Buffer.compare(token0, token1)).toBe(-1);
          if (swap !== null) expect(swap.amount0 > 0n).toBe(swap.amount1 < 0n);
        }
      }),
      { numRuns: 300 },
    );
  });
});
