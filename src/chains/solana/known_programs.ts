/**
 * Programs for trading, lending and staking: their names, and the effects of their instructions. A trade follows from
 * the movements beneath an instruction of an exchange, so that its instructions need no list.
 *
 * Sources of the ids: sevenlabs-hq/carbon, decoders/<name>/src/lib.rs (generated from the programs' own IDLs);
 * Jupiter's program-id-to-label for venues that publish no code; solendprotocol/solana-program-library token-lending;
 * jup-ag/jupiter-lend; solana-program/stake-pool; igneous-labs/sanctum-router-sdk and inf-1.5;
 * marinade-finance/liquid-staking-program.
 */
import { createHash } from "node:crypto";
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { ProgramActKind } from "../program_act.ts";
import { parseAddress } from "./address.ts";

/** Effect of an instruction; of two, the first applies to tokens given and the second to tokens received. */
type ActKinds = readonly [ProgramActKind, ProgramActKind?];

export interface KnownProgram {
  readonly name: string;
  /** An `exchange` may swap one token for another beneath each of its instructions: a trade. */
  readonly role: "exchange" | "router" | "protocol";
  readonly tag_bytes: 1 | 4 | 8;
  /** Instructions by their first bytes. */
  readonly calls: ReadonlyMap<Hex, ActKinds>;
  /** Its one instruction changes collateral and debt by signed amounts, whose signs show the effect. */
  readonly is_signed?: true;
}

/** Anchor: the first eight bytes of sha256("global:<name>"). */
const anchorTag = (name: string): Hex => toHex(createHash("sha256").update(`global:${name}`).digest().subarray(0, 8));

const named = (calls: Readonly<Record<string, ActKinds>>): Pick<KnownProgram, "calls" | "tag_bytes"> => ({
  tag_bytes: 8,
  calls: new Map(
    Object.entries(calls).flatMap(([names, does]) => names.split(" ").map((name) => [anchorTag(name), does] as const)),
  ),
});

const numbered = (
  calls: readonly (readonly [number, ActKinds])[],
  tag_bytes: 1 | 4 = 1,
): Pick<KnownProgram, "calls" | "tag_bytes"> => ({
  tag_bytes,
  calls: new Map(calls.map(([number, does]) => [littleEndian(number, tag_bytes), does] as const)),
});

const littleEndian = (number: number, bytes: 1 | 4): Hex => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(number);
  return toHex(buffer.subarray(0, bytes));
};

const LIQUIDITY = named({
  "deposit add_liquidity add_liquidity2 add_liquidity_by_weight add_liquidity_by_strategy add_liquidity_by_strategy2 add_liquidity_one_side add_liquidity_one_side_precise add_liquidity_one_side_precise2 add_liquidity_by_strategy_one_side add_balance_liquidity add_imbalance_liquidity bootstrap_liquidity increase_liquidity increase_liquidity_v2 open_position_v2 open_position_with_token22_nft":
    ["add_liquidity"],
  "withdraw remove_liquidity remove_liquidity2 remove_liquidity_by_range remove_liquidity_by_range2 remove_all_liquidity remove_balance_liquidity remove_liquidity_single_side decrease_liquidity decrease_liquidity_v2":
    ["remove_liquidity"],
  "claim_fee claim_fee2 claim_position_fee collect_fees collect_fees_v2 collect_remaining_rewards": ["collect_fees"],
  "claim_reward claim_reward2 collect_reward collect_reward_v2": ["claim_reward"],
});
/** Raydium AMM v4: instruction.rs. */
const AMM_V4 = numbered([
  [3, ["add_liquidity"]],
  [4, ["remove_liquidity"]],
]);

const STAKE_POOL = numbered([
  [9, ["stake"]],
  [10, ["unstake"]],
  [14, ["stake"]],
  [16, ["unstake"]],
  [23, ["stake"]],
  [24, ["unstake"]],
  [25, ["stake"]],
  [26, ["unstake"]],
]);

const KAMINO = named({
  "deposit_reserve_liquidity deposit_reserve_liquidity_and_obligation_collateral deposit_reserve_liquidity_and_obligation_collateral_v2 deposit_obligation_collateral deposit_obligation_collateral_v2":
    ["supply"],
  "redeem_reserve_collateral withdraw_obligation_collateral withdraw_obligation_collateral_v2 withdraw_obligation_collateral_and_redeem_reserve_collateral withdraw_obligation_collateral_and_redeem_reserve_collateral_v2":
    ["withdraw"],
  "borrow_obligation_liquidity borrow_obligation_liquidity_v2": ["borrow"],
  "repay_obligation_liquidity repay_obligation_liquidity_v2": ["repay"],
  repay_and_withdraw_and_redeem: ["repay", "withdraw"],
  deposit_and_withdraw: ["supply", "withdraw"],
  "liquidate_obligation_and_redeem_reserve_collateral liquidate_obligation_and_redeem_reserve_collateral_v2": [
    "liquidation",
  ],
});

const MARGINFI = named({
  lending_account_deposit: ["supply"],
  lending_account_withdraw: ["withdraw"],
  lending_account_borrow: ["borrow"],
  lending_account_repay: ["repay"],
  lending_account_withdraw_emissions: ["claim_reward"],
});

/** LendingInstruction, by its number. */
const SAVE = numbered([
  [4, ["supply"]],
  [5, ["withdraw"]],
  [8, ["supply"]],
  [9, ["withdraw"]],
  [10, ["borrow"]],
  [11, ["repay"]],
  [12, ["liquidation"]],
  [14, ["supply"]],
  [15, ["withdraw"]],
  [17, ["liquidation"]],
]);

const JUPITER_EARN = named({
  "deposit mint deposit_with_min_amount_out mint_with_max_assets": ["supply"],
  "withdraw redeem withdraw_with_max_shares_burn redeem_with_min_amount_out": ["withdraw"],
});
const JUPITER_BORROW = { ...named({ operate: ["supply"] }), is_signed: true } as const;

const MARINADE = named({
  "deposit deposit_stake_account": ["stake"],
  "liquid_unstake order_unstake withdraw_stake_account claim": ["unstake"],
  add_liquidity: ["add_liquidity"],
  remove_liquidity: ["remove_liquidity"],
});

type ProgramRow = readonly [name: string, id: string];
type ProgramEntry = readonly [Hex, KnownProgram];
const NO_CALLS = named({});

const list = (role: KnownProgram["role"], calls: Omit<KnownProgram, "name" | "role">, rows: readonly ProgramRow[]) =>
  rows.map(([name, id]): ProgramEntry => [parseAddress(id) ?? "", { name, role, ...calls }]);

const PROGRAMS: ReadonlyMap<Hex, KnownProgram> = new Map([
  ...list("router", NO_CALLS, [
    ["Jupiter v6", "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"],
    ["Jupiter v4", "JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB"],
    ["Jupiter v2", "JUP2jxvXaqu7NQY1GmNF4m1vodw12LVXYxbFL2uJvfo"],
    ["OKX", "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma"],
    ["OKX", "proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u"],
    ["DFlow", "DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH"],
    ["Raydium", "routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS"],
    ["Sanctum", "stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq"],
  ]),
  ...list("exchange", AMM_V4, [["Raydium AMM v4", "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"]]),
  ...list("exchange", LIQUIDITY, [
    ["Raydium CPMM", "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"],
    ["Raydium CLMM", "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK"],
    ["Orca Whirlpool", "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"],
    ["Meteora DLMM", "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo"],
    ["Meteora DAMM v1", "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB"],
    ["Meteora DAMM v2", "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"],
    ["PumpSwap", "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA"],
    ["Byreal", "REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2"],
    ["PancakeSwap", "HpNfyc2Saw7RKkQd8nEL4khUcuPhQ7WwY1B2qjx8jxFq"],
    ["GooseFX GAMMA", "GAMMA7meSFWaBXF25oSUgmGRwaW6sCMFLmBNiMSdbHVT"],
  ]),
  ...list("exchange", NO_CALLS, [
    ["Pump.fun", "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"],
    ["Meteora DBC", "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"],
    ["Raydium LaunchLab", "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj"],
    ["Moonit", "MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG"],
    ["Boop", "boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4"],
    ["Heaven", "HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o"],
    ["Virtuals", "5U3EU2ubXtK84QcRjWVmYt9RaDyA8gKxdUrPFXmZyaki"],
    ["Vertigo", "vrTGoBuy5rYSxAfV3jaRJWHH6nN9WK4NRExGxsk1bCJ"],
    ["Wavebreak", "waveQX2yP3H1pVU8djGvEHmYg8uamQ84AuyGtpsrXTF"],
    ["Phoenix", "PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY"],
    ["OpenBook v2", "opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb"],
    ["OpenBook", "srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX"],
    ["Serum", "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"],
    ["Lifinity v2", "2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c"],
    ["Lifinity", "EewxydAPCCVuNEyrVN68PuSYdQ7wKn27V9Gjeoi8dy3S"],
    ["SolFi", "SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe"],
    ["SolFi v2", "SV2EYYJyRz2YhfXwXnhNAevDEui5Q6yrfyo13WtupPF"],
    ["ZeroFi", "ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY"],
    ["Obric v2", "obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y"],
    ["HumidiFi", "9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp"],
    ["GoonFi", "goonERTdGsjnkZqWuVjs73BZ3Pb9qoCUdBUL17BnS5j"],
    ["GoonFi v2", "goonuddtQRrWqqn5nFyczVKaie28f3kDkHWkHtURSLE"],
    ["TesseraV", "TessVdML9pBGgG9yGks7o4HewRaXVAMuoVj4x83GLQH"],
    ["Sanctum Infinity", "5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx"],
    ["Raydium Stable", "5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h"],
    ["Orca v1", "DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1"],
    ["Orca v2", "9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP"],
    ["Saber", "SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ"],
    ["Saros", "SSwapUtytfBdBn1b9NUGG6foMVPtcWgpRU32HToDUZr"],
    ["Aldrin", "AMM55ShdkoGRB5jVYPjWziwk8m5MpwyDgsMWHaMSQWH6"],
    ["Aldrin v2", "CURVGoZn8zycx6FXwwevgBTB2gVvdbGTEpvMJDbgs2t4"],
    ["Crema", "CLMM9tUoggJu2wagPkkqs9eFG4BWhVBZWkP1qv3Sp7tR"],
    ["FluxBeam", "FLUXubRmkEi2q6K3Y9kBPg9248ggaZVsoSFhtJHSrm1X"],
    ["Invariant", "HyaB3W9q6XdA5xwpU4XnSZV94htfmbmqJXZcEbRaJutt"],
    ["Mercurial", "MERLuDFBMmsHnsBPZw2sDQZHvXFMwp8EdjudcU2HKky"],
    ["Stabble", "swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ"],
    ["Stabble", "swapFpHZwjELNnjvThjajtiVmkz3yPQEHjLtka2fwHW"],
    ["Perena", "NUMERUNsFCP3kuNmWZuXtm1AaQCPj9uw6Guv2Ekoi5P"],
    ["1DEX", "DEXYosS6oEGvk8uCDayvwEZz4qEyDJRf9nFgYCaqPMTm"],
    ["BonkSwap", "BSwp6bEBihVLdqJRKGgzjcGLHkcTuzmSo1TQkHepzH8p"],
    ["Token Swap", "SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8"],
  ]),
  ...list("protocol", KAMINO, [["Kamino", "KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD"]]),
  ...list("protocol", MARGINFI, [["MarginFi", "MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA"]]),
  ...list("protocol", SAVE, [["Save", "So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo"]]),
  ...list("protocol", JUPITER_EARN, [["Jupiter Lend", "jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9"]]),
  ...list("protocol", JUPITER_BORROW, [["Jupiter Lend", "jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi"]]),
  ...list("protocol", MARINADE, [["Marinade", "MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD"]]),
  ...list("protocol", STAKE_POOL, [
    ["SPL Stake Pool", "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy"],
    ["Sanctum", "SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY"],
    ["Sanctum", "SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn"],
  ]),
]);

/** Pools of the stake pool program that have a name of their own: each is the first account of the instruction. */
const STAKE_POOLS: ReadonlyMap<Hex, string> = new Map([
  [parseAddress("Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb") ?? "", "Jito"],
]);

/** Null for a program that is not listed. */
export const knownProgram = (id: Hex): KnownProgram | null => PROGRAMS.get(id) ?? null;

/** Common name of a program; null for one that is not listed. */
export const nameOfProgram = (id: Hex): string | null => PROGRAMS.get(id)?.name ?? null;

export const nameOfStakePool = (pool: Hex): string | null => STAKE_POOLS.get(pool) ?? null;
