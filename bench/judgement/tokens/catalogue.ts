/** The tokens to judge, and the truth about each, worked out from its source. */
import type { JudgedTraits } from "./traits.ts";
import type { TokenToJudge } from "./world.ts";

type TrapLevel = "low" | "medium" | "high" | "critical";

export interface JudgedToken extends Omit<TokenToJudge, "code" | "name"> {
  readonly contract: string;
  readonly file: string;
  /** Traits that it has; all others are false. Null: nothing from outside can tell. */
  readonly traits: Partial<JudgedTraits>;
  /** For traps: the least level, and the finding that names the trap. Null for a token that takes nothing. */
  readonly trap: { readonly level: TrapLevel; readonly finding: string } | null;
}

const PAIR = ["pair(address)", ["@pair"]] as const;

const sale = (contract: string, finding: string, more: Partial<JudgedToken> = {}): JudgedToken => ({
  ...{ contract, file: "SaleTraps.sol", setup: [PAIR], traits: { is_honeypot: true } },
  trap: { level: "critical", finding },
  ...more,
});

const power = (
  contract: string,
  finding: string,
  { level = "high", ...more }: Partial<JudgedToken> & { readonly level?: TrapLevel } = {},
): JudgedToken => ({
  ...{ contract, file: "PowerTraps.sol", setup: [PAIR], traits: {}, trap: { level, finding } },
  ...more,
});

const later: typeof power = (contract, finding, more) => power(contract, finding, { file: "LaterTraps.sol", ...more });
const key: typeof power = (contract, finding, more) => power(contract, finding, { file: "KeyTraps.sol", ...more });

const control = (contract: string, more: Partial<JudgedToken> = {}): JudgedToken => ({
  ...{ contract, file: "Controls.sol", setup: [PAIR], traits: {}, trap: null },
  ...more,
});

const SELLS = { traits: { is_honeypot: false } } as const;
const MINTS = { traits: { is_mintable: true } } as const;
const TAKES = { traits: { owner_can_change_balance: true }, level: "critical" } as const;

/** A tax of 99 % stops sales; the highest that leaves something may not have been tried. */
const TAXES = { traits: { tax_modifiable: null }, level: "critical" } as const;

const UNKNOWN_POWERS = {
  ...{ is_mintable: null, owner_can_change_balance: null, has_blacklist: null, transfer_pausable: null },
  ...{ can_take_back_ownership: null, tax_modifiable: null, per_wallet_tax: null },
} as const;

export const TOKENS: readonly JudgedToken[] = [
  sale("NoSale", "honeypot"),
  sale("SaleUntilBlock", "stops_selling_later", SELLS),
  sale("SaleUntilDate", "stops_selling_later", SELLS),
  sale("SaleSoon", "stops_selling_later", SELLS),
  sale("SaleRuleChanges", "stops_selling_later", SELLS),
  sale("SaleOfTheRich", "honeypot"),
  sale("SaleOutsideRouter", "sells_only_outside_router"),
  sale("SaleByContracts", "honeypot"),
  sale("SaleWithoutFee", "honeypot"),
  sale("SaleWithoutProducer", "honeypot"),
  sale("SaleBySomeBlocks", "sells_only_in_some_blocks"),
  sale("SaleOnce", "one_sale_per_wallet", { ...SELLS, trap: { level: "high", finding: "one_sale_per_wallet" } }),
  sale("SaleSmall", "sells_only_small", { ...SELLS, trap: { level: "medium", finding: "sells_only_small" } }),
  sale("SaleBelowPrice", "honeypot"),
  sale("SaleTaxSteps", "sell_tax", SELLS),
  sale("SaleKeepsCoins", "honeypot"),
  sale("SaleAfterPurchase", "honeypot"),
  sale("NoApproval", "honeypot"),
  power("MintsByNumber", "mintable", MINTS),
  power("MintsSilently", "mintable", MINTS),
  power("MintsByRole", "mintable", MINTS),
  // Only the deployer's signature reaches it: it is unknown to everyone else, and must not look good.
  power("MintsBySignature", "", { traits: UNKNOWN_POWERS, level: "medium" }),
  power("MintsAfterRenouncing", "take_back_ownership", {
    traits: { is_mintable: true, can_take_back_ownership: true },
  }),
  power("MintsThoughRenounced", "mintable", MINTS),
  power("BlocksList", "blacklist", { traits: { has_blacklist: true } }),
  power("BlocksOne", "blacklist", { traits: { has_blacklist: true } }),
  power("StopsAll", "pausable", { traits: { transfer_pausable: true } }),
  power("StopsByLimit", "pausable", { traits: { transfer_pausable: true } }),
  power("StopsSales", "sales_stoppable", { level: "critical" }),
  // A tax of all of a sale stops it.
  power("TaxesSales", "sales_stoppable", { traits: { tax_modifiable: true }, level: "critical" }),
  // 99 % of a transfer is a block.
  power("TaxesOne", "blacklist", { traits: { has_blacklist: true, per_wallet_tax: true, tax_modifiable: null } }),
  power("TakesAll", "balance_change", TAKES),
  power("TakesByTransfer", "balance_change", TAKES),
  power("TakesByStandard", "balance_change", TAKES),
  power("TakesByAllowance", "balance_change", TAKES),
  power("TakesFromPool", "balance_change", TAKES),
  power("TakesBySpender", "balance_change", TAKES),
  power("MintsByFallback", "mintable", MINTS),
  power("Destroys", "selfdestruct", { level: "medium" }),
  power("AsksJudge", "blacklist", { traits: { has_blacklist: true } }),
  // Code without an answer stops every transfer.
  power("Elsewhere", "upgradeable", { setup: [], traits: { ...UNKNOWN_POWERS, is_upgradeable: true } }),
  later("MintsAfterLock", "mintable", {
    setup: [PAIR, ["lock(uint256)", [100n * 86_400n]]],
    traits: { is_mintable: true, can_take_back_ownership: true },
  }),
  later("MintsOnceAYear", "mintable", MINTS),
  later("MintsInTwoSteps", "mintable", MINTS),
  later("StopsNextBlock", "pausable", { traits: { transfer_pausable: true } }),
  later("BlocksNextMonth", "blacklist", { traits: { has_blacklist: true } }),
  later("TaxesLater", "tax_modifiable", { traits: { tax_modifiable: true } }),
  later("MintsForPeople", "mintable", MINTS),
  later("MintsWithGas", "mintable", MINTS),
  later("MintsWithPrice", "mintable", MINTS),
  later("MintsBeyondLoop", "mintable", MINTS),
  later("BlocksPeople", "blacklist", { traits: { has_blacklist: true } }),
  sale("SaleWithoutBaseFee", "sells_only_without_fee", { file: "LaterTraps.sol" }),
  key("TaxByWord", "sales_stoppable", TAXES),
  key("TaxByNumber", "sales_stoppable", TAXES),
  key("TaxByText", "sales_stoppable", TAXES),
  key("TaxByHash", "sales_stoppable", TAXES),
  key("TakesByAmount", "balance_change", TAKES),
  key("MintsByPassword", "", { traits: UNKNOWN_POWERS, level: "medium" }),
  key("PermitWithout", "balance_change", TAKES),
  // Code of the owner's choice can do everything.
  key("RunsCode", "upgradeable", { traits: { ...UNKNOWN_POWERS, is_upgradeable: null } }),
  key("CallsItself", "mintable", MINTS),
  control("Clean"),
  control("FixedTax"),
  control("SellsItsTax"),
  control("CallsReceivers"),
  control("Renounced", { setup: [PAIR, ["renounceOwnership()", []]] }),
  control("MintsSlowly", { traits: { is_mintable: true } }),
  control("OpensOnce", { setup: [PAIR, ["openTrading()", []]] }),
  control("LimitsPurchases"),
  control("BurnsOwn"),
  control("Rescues"),
  control("Permits"),
  control("WaitsBlocks"),
  // The owner comes back, and has no power.
  control("LocksOnly", { traits: { can_take_back_ownership: true } }),
  control("AsksOrigin"),
  control("PaysOverTime", { setup: [PAIR, ["transfer(address,uint256)", ["@token", 10n ** 26n]]] }),
  control("StoresSettings"),
  control("Batches"),
  control("CallsOthers"),
  control("AnnouncesLater"),
  // Endless functions may do anything with more gas: nothing from outside can tell.
  control("LoopsForever", { traits: UNKNOWN_POWERS }),
  control("LoopsForAll", { traits: UNKNOWN_POWERS }),
  control("FinishedMinting", { setup: [PAIR, ["finishMinting()", []]] }),
];
