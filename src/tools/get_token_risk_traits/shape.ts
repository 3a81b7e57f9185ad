import * as z from "zod";
import { SEVERITIES } from "../../domain/token/verdict/verdict.ts";
import {
  asOfBlock,
  chainText,
  evidence,
  LIQUIDITY_MEANING,
  lockUntil,
  metadata,
  network,
  token,
  tokenOutcome,
  unavailable,
} from "../fields.ts";
import type { ToolInput } from "../tool.ts";

export const input = z.strictObject({
  token_address: token("Token contract."),
  network: network(),
  as_of_block: asOfBlock(),
});

const numberField = (description: string) => z.number().nullable().describe(description);
const flag = (description: string) => z.boolean().nullable().describe(description);
const textField = (description: string) => chainText(description).nullable();

const buyer = z
  .strictObject({
    can_buy: z.boolean(),
    can_sell: flag("Null when nothing could be bought."),
    buy_tax_percent: numberField("Tax in percent; null when it could not be measured."),
    sell_tax_percent: numberField("Tax in percent; null when it could not be measured."),
    transfer_tax_percent: numberField("Tax in percent; null when it could not be measured."),
    buy_gas: numberField("Highest gas of a purchase."),
    sell_gas: numberField("Highest gas of a sale."),
    buy_failure: textField("Revert reason of a failed purchase; null when none failed."),
    sell_failure: textField("Revert reason of a failed sale; null when none failed."),
  })
  .nullable();

const simulation = z.strictObject({
  status: z
    .enum([
      "done",
      "transfers",
      "no_pool",
      "pools_unread",
      "unknown_hooks",
      "no_overrides",
      "no_funding",
      "no_holders",
      "transfer_hook",
    ])
    .describe(
      "`no_pool`: no pool against a dollar coin or the wrapped native coin is deep enough; `pools_unread`: the network is read on demand, and no known factory names a deep pool; `unknown_hooks`: the only such pools are Uniswap v4 pools whose hooks are not indexed or change the price of a trade; `no_overrides`: the node does not support state overrides; `no_funding`: the simulated buyer could not be funded. On Solana `transfers`: the node simulated transfers of real holders instead of trades; `no_holders`: no holder's transfer could be simulated; `transfer_hook`: a program checks each transfer with accounts that only it knows.",
    ),
  block_number: z.int(),
  pools_tested: z.int(),
  holders_tested: z.int(),
  holders_failed: z.int(),
  fail_percent: numberField("Percent of real holders whose payment into the pool fails."),
  caller_dependent: flag("True when the token treats contracts and plain accounts differently."),
  contract_buyer: buyer,
  eoa_buyer: buyer,
  rebate_or_rebase: flag("True when more arrived than was sent; the tax then counts as 0."),
  max_tx_raw: z.string().nullable().describe("Largest amount of one purchase in base units; null without a limit."),
  max_wallet_raw: z.string().nullable().describe("Largest amount of one wallet in base units; null without a limit."),
});

const pool = z.strictObject({
  dex: z.string(),
  address: z.string(),
  liquidity_usd: numberField("USD value of both sides, at the pool's own price."),
  lp_locked_percent: numberField(
    "Percent of the pool shares in unexpired locks of labelled lockers; null for pools without shares.",
  ),
  lp_burned_percent: numberField("Percent of the pool shares at burn addresses; null for pools without shares."),
  lock_until: lockUntil(),
  lp_holders: z.array(z.strictObject({ address: z.string(), label: z.string().nullable(), share_percent: z.number() })),
});

const flags = z.strictObject({
  is_honeypot: flag("The token can be bought but not sold."),
  cannot_buy: flag("Purchases fail."),
  cannot_sell_all: flag("A part of a balance can be sold, but not all of it."),
  is_verified: flag("The contract has a verified source."),
  is_proxy: flag("The contract is a proxy."),
  is_upgradeable: flag("The proxy's implementation can be replaced."),
  is_mintable: flag("The code can mint tokens."),
  can_take_back_ownership: flag("The code can restore renounced ownership."),
  owner_can_change_balance: flag("The code lets an account change the balances of others."),
  hidden_owner: flag("The contract names no owner but still grants an account an owner's access."),
  has_selfdestruct: flag("The contract can destroy itself."),
  has_external_call: flag("The code calls other contracts."),
  transfer_pausable: flag("Transfers can be paused."),
  has_blacklist: flag("Transfers of single holders can be blocked."),
  has_whitelist: flag("Single holders can be exempted from restrictions."),
  tax_modifiable: flag("The tax can be changed."),
  per_wallet_tax: flag("A tax can be set for single holders."),
  trading_cooldown: flag("A buyer must wait before selling."),
  anti_whale: flag("The size of a purchase or a holding is limited."),
  anti_whale_modifiable: flag("That limit can be changed."),
  trading_not_enabled: flag("Trading has not been opened yet."),
  creator_honeypot_history: flag("Another token of the creator on this network became a honeypot or rug pull."),
  fake_of_known_token: flag("The token uses the symbol of another, known token."),
  airdrop_scam: flag("The token was airdropped unsolicited, or its name advertises a site."),
  hidden_characters: flag("The original name or symbol contains invisible characters."),
  instruction_text: flag("The name or symbol reads like an instruction to the program that displays it."),
  gas_abuse: flag("A trade uses more than two million gas."),
  rebasing: flag("Balances change without transfers."),
  fee_on_transfer: flag("The recipient receives less than was sent."),
  caller_pays_energy: flag("Tron: the contract's creator pays none of the energy of a call. Null elsewhere."),
});

const accountField = (description: string) =>
  z.string().nullable().describe(`${description} Null when no account may.`);
const is = (description: string) => z.boolean().describe(description);

/** Flags of a token that is an account with authorities, not a contract. */
const powerFlags = z.strictObject({
  mint_authority: accountField("Account that may mint tokens."),
  freeze_authority: accountField("Account that may freeze single holders."),
  permanent_delegate: accountField("Account that may move and burn the tokens of every holder."),
  transfer_fee: z
    .strictObject({
      bps: z.int().describe("Fee in basis points of every transfer."),
      max_raw: z.string().describe("Highest fee of one transfer, in base units."),
      next_bps: z.int().nullable().describe("Next fee in basis points; null when no change is scheduled."),
      next_epoch: z.int().nullable().describe("First epoch with `next_bps`; null when no change is scheduled."),
      withheld_raw: z
        .string()
        .describe("Fees withheld in the token's own account, in base units; holders' accounts may hold more."),
      authority: accountField("Account that may change the fee."),
    })
    .nullable()
    .describe("Fee on every transfer; null when the token has none."),
  transfer_hook: z.string().nullable().describe("Program called on every transfer; null when the token has none."),
  default_account_state_frozen: is("New accounts are frozen."),
  non_transferable: is("The token cannot be transferred."),
  closable: is("The token can be closed when its supply is zero."),
  pausable: is("All transfers can be paused."),
  metadata_mutable: flag("The token's metadata can be changed."),
  balance_mutable_authority: accountField(
    "Account that may seize balances, or change the factor by which they are displayed.",
  ),
  lp_burned_percent: numberField("Percent of the deepest pool's shares at burn addresses."),
  top10_percent: numberField("As ownership.top10_percent_adjusted."),
  creator_percent: numberField("As ownership.creator_percent."),
  trusted_token: is("The token is in the network's registry."),
  hidden_characters: is("The original name or symbol contains invisible characters."),
  instruction_text: is("The name or symbol reads like an instruction to the program that displays it."),
});

const alert = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  title: z.string(),
  description: z.string(),
  evidence: z.array(evidence),
});

export const output = z.strictObject({
  token_address: z.string(),
  network: z.enum(["evm", "solana", "tron"]).describe("Family of the network."),
  risk_overview: z.strictObject({
    risk_level: z
      .enum(["low", "medium", "high", "critical", "unknown"])
      .describe(
        "Risk level. A low level does not guarantee safety. `unknown`: too much of the score is unknown for a level.",
      ),
    security_score: z
      .number()
      .optional()
      .describe(
        "0..100, higher is safer: the lower bound, in which every unknown trait counts as bad. Omitted when neither simulation nor code could be read.",
      ),
    score_range: z
      .strictObject({ min: z.number(), max: z.number() })
      .nullable()
      .describe("Bounds of the score: `min` if every unknown trait is bad, `max` if none is. Null without a score."),
    outcome: tokenOutcome(),
    detector_descriptions: z.array(z.string()),
    positive_descriptions: z.array(z.string()),
    simulation,
  }),
  taxes: z.strictObject({
    buy_tax_percent: numberField("Percent, the highest of the tried amounts; null when it could not be measured."),
    sell_tax_percent: numberField("Percent, the highest of the tried amounts; null when it could not be measured."),
    transfer_tax_percent: numberField("Percent; null when it could not be measured."),
  }),
  ownership: z.strictObject({
    creator: z.string().optional(),
    owner: z.string().optional().describe("Owner of the contract; the zero address when ownership was renounced."),
    holder_count: z.int().optional(),
    owner_type: z.enum(["renounced", "eoa", "multisig", "timelock", "contract"]).nullable(),
    creator_percent: numberField("Percent of the supply held by the creator."),
    owner_percent: numberField("Percent of the supply held by the owner."),
    top10_percent_adjusted: numberField(
      "Percent of the supply without burned tokens that the ten largest holders have, excluding pools, lockers, exchanges and bridges.",
    ),
  }),
  alerts: z.array(alert),
  security_flags: z
    .union([flags, powerFlags])
    .describe("Flags of a token contract, or of a token that is an account with authorities (Solana)."),
  liquidity: z.strictObject({
    total_usd: numberField(LIQUIDITY_MEANING),
    pools: z.array(pool),
  }),
  unavailable,
  metadata: metadata({ token_address: z.string() }),
});

export type RiskTraitsInput = ToolInput<typeof input>;
export type RiskOutput = z.output<typeof output>;
export type PowerFlags = z.output<typeof powerFlags>;
