/**
 * Programs of pools: their instructions that trade or change a pool's holdings, and the positions of the pool and its
 * two vaults (token accounts of the pool's authority). An instruction that is not listed has no effect in the facts.
 *
 * Sources: raydium-io/raydium-amm instruction.rs and processor.rs; raydium-io/raydium-cp-swap; sevenlabs-hq/carbon, the
 * decoders raydium-amm-v4, raydium-cpmm, raydium-clmm, orca-whirlpool, meteora-dlmm, meteora-damm-v2, meteora-dbc,
 * raydium-launchpad, pump-swap and pumpfun (generated from the programs' own IDLs). Anchor's tags are the first eight
 * bytes of sha256("global:<name>").
 */
import { type Hex, hex } from "../../lib/bytes.ts";
import { parseAddress } from "./address.ts";

/** Positions within the accounts of an instruction. */
export interface PoolAccountIndexes {
  readonly pool: number;
  readonly vaults: readonly [number, number];
}

export interface PoolInstruction {
  readonly name: string;
  /** First bytes of the data. */
  readonly tag: Hex;
  /** `end`: all tokens leave the pool. */
  readonly does: "swap" | "change" | "create" | "end";
  /** Position of the token that a curve trades against; omitted for SOL. */
  readonly quote_at?: number;
  /** Accounts of the pools that it touches, by its number of accounts. */
  readonly places: (account_count: number) => readonly PoolAccountIndexes[];
}

export interface PoolProgram {
  readonly instructions: readonly PoolInstruction[];
  /** A bonding curve holds lamports of its own beside one vault, and reports its trades in an event. */
  readonly is_curve: boolean;
}

const accountIndexes = (pool: number, first: number, second: number): PoolAccountIndexes => ({
  pool,
  vaults: [first, second],
});

const listed =
  (does: PoolInstruction["does"], ...places: readonly PoolAccountIndexes[]) =>
  (name: string, tag: string): PoolInstruction => ({ name, tag: hex(tag), does, places: () => places });

/** Since 2023 an AMM v4 may be called without its target orders, which came before the vaults. */
const AMM_SWAP_ACCOUNTS = 18;
const ammSwap = (name: string, tag: string): PoolInstruction => ({
  name,
  tag: hex(tag),
  does: "swap",
  places: (account_count) => [account_count >= AMM_SWAP_ACCOUNTS ? accountIndexes(1, 5, 6) : accountIndexes(1, 4, 5)],
});

const cpmmSwap = listed("swap", accountIndexes(3, 6, 7));
const cpmmChange = listed("change", accountIndexes(2, 6, 7));
const clmmSwap = listed("swap", accountIndexes(2, 5, 6));
const dlmmSwap = listed("swap", accountIndexes(0, 2, 3));
const dlmmChange = listed("change", accountIndexes(1, 5, 6));
const dlmmCreation = listed("create", accountIndexes(0, 4, 5));
const dammSwap = listed("swap", accountIndexes(1, 4, 5));
const dammChange = listed("change", accountIndexes(1, 5, 6));
const pumpSwap = listed("swap", accountIndexes(0, 7, 8));
const pumpSwapChange = listed("change", accountIndexes(0, 9, 10));
/** A curve in SOL has no second vault: its lamports are the curve's own. */
const curveTrade = listed("swap", accountIndexes(3, 4, 3));
const curveTradeV2 = listed("swap", accountIndexes(10, 11, 12));

/** Since 2026 the creation of a curve names the token that it trades against; before it was always SOL. */
const curveCreation = (name: string, tag: string): PoolInstruction => ({
  ...listed("create", accountIndexes(2, 3, 2))(name, tag),
  quote_at: 16,
});
/** A full curve moves to a pool of PumpSwap. */
const curveEnd = listed("end", accountIndexes(3, 4, 3));

const RAYDIUM_AMM_V4 = [
  ammSwap("swap_base_in", "09"),
  ammSwap("swap_base_out", "0b"),
  listed("swap", accountIndexes(1, 3, 4))("swap_base_in_v2", "10"),
  listed("swap", accountIndexes(1, 3, 4))("swap_base_out_v2", "11"),
  listed("create", accountIndexes(4, 10, 11))("initialize2", "01"),
  listed("change", accountIndexes(1, 6, 7))("deposit", "03"),
  listed("change", accountIndexes(1, 6, 7))("withdraw", "04"),
];

const RAYDIUM_CPMM = [
  cpmmSwap("swap_base_input", "8fbe5adac41e33de"),
  cpmmSwap("swap_base_output", "37d96256a34ab4ad"),
  listed("create", accountIndexes(3, 10, 11))("initialize", "afaf6d1f0d989bed"),
  cpmmChange("deposit", "f223c68952e1f2b6"),
  cpmmChange("withdraw", "b712469c946da122"),
];

const RAYDIUM_CLMM = [
  clmmSwap("swap", "f8c69e91e17587c8"),
  clmmSwap("swap_v2", "2b04ed0b1ac91e62"),
  listed("create", accountIndexes(2, 5, 6))("create_pool", "e992d18ecf6840bc"),
  listed("change", accountIndexes(2, 9, 10))("increase_liquidity", "2e9cf3760dcdfbb2"),
  listed("change", accountIndexes(3, 5, 6))("decrease_liquidity", "a026d06f685b2c01"),
  listed("change", accountIndexes(2, 9, 10))("increase_liquidity_v2", "851d59df45eeb00a"),
  listed("change", accountIndexes(3, 5, 6))("decrease_liquidity_v2", "3a7fbc3e4f52c460"),
];

const ORCA_WHIRLPOOL = [
  listed("swap", accountIndexes(2, 4, 6))("swap", "f8c69e91e17587c8"),
  listed("swap", accountIndexes(4, 8, 10))("swap_v2", "2b04ed0b1ac91e62"),
  listed("swap", accountIndexes(2, 5, 7), accountIndexes(3, 9, 11))("two_hop_swap", "c360ed6c44a2dbe6"),
  listed("swap", accountIndexes(0, 9, 10), accountIndexes(1, 11, 12))("two_hop_swap_v2", "ba8fd11dfe02c275"),
  listed("create", accountIndexes(4, 5, 6))("initialize_pool", "5fb40aac54aee828"),
  listed("create", accountIndexes(6, 7, 8))("initialize_pool_v2", "cf2d57f21b3fcc43"),
  listed("change", accountIndexes(0, 7, 8))("increase_liquidity", "2e9cf3760dcdfbb2"),
  listed("change", accountIndexes(0, 7, 8))("decrease_liquidity", "a026d06f685b2c01"),
  listed("change", accountIndexes(0, 11, 12))("increase_liquidity_v2", "851d59df45eeb00a"),
  listed("change", accountIndexes(0, 11, 12))("decrease_liquidity_v2", "3a7fbc3e4f52c460"),
];

const METEORA_DLMM = [
  dlmmSwap("swap", "f8c69e91e17587c8"),
  dlmmSwap("swap2", "414b3f4ceb5b5b88"),
  dlmmSwap("swap_exact_out", "fa49652126cf4bb8"),
  dlmmSwap("swap_exact_out2", "2bd7f784893cf351"),
  dlmmSwap("swap_with_price_impact", "38ade6d0ade49ccd"),
  dlmmSwap("swap_with_price_impact2", "4a62c0d6b1334b33"),
  dlmmCreation("initialize_lb_pair", "2d9aedd2dd0fa65c"),
  dlmmCreation("initialize_lb_pair2", "493b2478ed536cc6"),
  dlmmCreation("initialize_customizable_permissionless_lb_pair2", "f349817e3313f16b"),
  dlmmChange("add_liquidity", "b59d59438fb63448"),
  dlmmChange("add_liquidity_by_weight", "1c8cee63e7a21595"),
  dlmmChange("add_liquidity_by_strategy", "0703967f94283dc8"),
  dlmmChange("remove_liquidity", "5055d14818ceb16c"),
  dlmmChange("remove_liquidity_by_range", "1a526698f04a691a"),
  dlmmChange("remove_all_liquidity", "0a333d2370691855"),
  dlmmChange("remove_liquidity2", "e6d7527ff165e392"),
  dlmmChange("remove_liquidity_by_range2", "cc02c391359191cd"),
];

const METEORA_DAMM_V2 = [
  dammSwap("swap", "f8c69e91e17587c8"),
  dammSwap("swap2", "414b3f4ceb5b5b88"),
  listed("create", accountIndexes(6, 10, 11))("initialize_pool", "5fb40aac54aee828"),
  listed("change", accountIndexes(0, 4, 5))("add_liquidity", "b59d59438fb63448"),
  dammChange("remove_liquidity", "5055d14818ceb16c"),
];

const PUMP_SWAP = [
  pumpSwap("buy", "66063d1201daebea"),
  pumpSwap("sell", "33e685a4017f83ad"),
  pumpSwap("buy_exact_quote_in", "c62e1552b4d9e870"),
  listed("create", accountIndexes(0, 9, 10))("create_pool", "e992d18ecf6840bc"),
  pumpSwapChange("deposit", "f223c68952e1f2b6"),
  pumpSwapChange("withdraw", "b712469c946da122"),
];

const METEORA_DBC = [
  listed("swap", accountIndexes(2, 5, 6))("swap", "f8c69e91e17587c8"),
  listed("swap", accountIndexes(2, 5, 6))("swap2", "414b3f4ceb5b5b88"),
];

const launchTrade = listed("swap", accountIndexes(4, 7, 8));
const RAYDIUM_LAUNCHLAB = [
  launchTrade("buy_exact_in", "faea0d7bd59c13ec"),
  launchTrade("buy_exact_out", "18d3742869039938"),
  launchTrade("sell_exact_in", "9527de9bd37c981a"),
  launchTrade("sell_exact_out", "5fc8472208090ba6"),
];

const PUMP_FUN = [
  curveCreation("create", "181ec828051c0777"),
  curveCreation("create_v2", "d6904cec5f8b31b4"),
  curveEnd("migrate", "9beae792ec9ea21e"),
  { ...listed("end", accountIndexes(4, 5, 6))("migrate_v2", "bbcb121fceedfe29"), quote_at: 3 },
  curveTrade("buy", "66063d1201daebea"),
  curveTrade("sell", "33e685a4017f83ad"),
  curveTrade("buy_exact_sol_in", "38fc74089edfcd5f"),
  curveTradeV2("buy_v2", "b817ee6167c5d33d"),
  curveTradeV2("sell_v2", "5df6823ce7e940b2"),
  curveTradeV2("buy_exact_quote_in_v2", "c2ab1c46684d5b2f"),
];

const program = (address: string, instructions: readonly PoolInstruction[], is_curve = false) =>
  [parseAddress(address) ?? "", { instructions, is_curve }] as const;

const PROGRAMS: ReadonlyMap<Hex, PoolProgram> = new Map([
  program("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", RAYDIUM_AMM_V4),
  program("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C", RAYDIUM_CPMM),
  program("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK", RAYDIUM_CLMM),
  program("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", ORCA_WHIRLPOOL),
  program("LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo", METEORA_DLMM),
  program("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG", METEORA_DAMM_V2),
  program("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA", PUMP_SWAP),
  // A fork of Raydium's CLMM.
  program("REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2", RAYDIUM_CLMM),
  program("dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN", METEORA_DBC),
  program("LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj", RAYDIUM_LAUNCHLAB),
  program("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P", PUMP_FUN, true),
]);

/** Null for a program that runs no known pools. */
export const poolProgram = (id: Hex): PoolProgram | null => PROGRAMS.get(id) ?? null;

/** The instruction of `program` that `data` encodes, or null if Assay does not follow it. */
export const poolInstruction = ({ instructions }: PoolProgram, data: Hex): PoolInstruction | null =>
  instructions.find(({ tag }) => data.startsWith(tag)) ?? null;
