import * as z from "zod";
import { RISK_OUTCOMES } from "../../domain/compliance/risk/token/outcome.ts";
import { SEVERITIES } from "../../domain/compliance/risk/token/report.ts";
import {
  asOfBlock,
  chainText,
  evidence,
  LIQUIDITY_MEANING,
  lockUntil,
  metadata,
  network,
  token,
  unavailable,
} from "../fields.ts";
import type { Asked } from "../tool.ts";

export const input = z.strictObject({
  token_address: token("Token contract."),
  network: network(),
  as_of_block: asOfBlock(),
});

const told = (description: string) => z.number().nullable().meta({ description });
const flag = (description: string) => z.boolean().nullable().meta({ description });
const said = (description: string) => chainText(description).nullable();

/** What one kind of buyer met. */
const buyer = z
  .strictObject({
    can_buy: z.boolean(),
    can_sell: flag("Null when nothing could be bought."),
    buy_tax_percent: told("Percent."),
    sell_tax_percent: told("Percent."),
    transfer_tax_percent: told("Percent."),
    buy_gas: told("The most that a purchase took."),
    sell_gas: told("The most that a sale took."),
    buy_failure: said("What the contract said when it refused a purchase."),
    sell_failure: said("What the contract said when it refused a sale."),
  })
  .nullable();

const simulation = z.strictObject({
  status: z
    .enum([
      "done",
      "transfers",
      "no_pool",
      "unknown_hooks",
      "no_overrides",
      "no_funding",
      "no_holders",
      "transfer_hook",
    ])
    .meta({
      description:
        "`no_pool`: no pool against a dollar coin or the wrapped coin is deep enough; `unknown_hooks`: the only such pools are of Uniswap v4, with hooks that are not indexed or change what a trade pays; `no_overrides`: the node cannot call over a changed state; `no_funding`: the purchase could not be paid for. On Solana `transfers`: the node simulated transfers of real holders, not trades; `no_holders`: nobody's could be simulated; `transfer_hook`: a program is asked before each, with accounts that only it names.",
    }),
  block_number: z.int(),
  pools_tested: z.int(),
  holders_tested: z.int(),
  holders_failed: z.int(),
  fail_percent: told("Percent of real holders who cannot move coins to the pool."),
  caller_dependent: flag("Contracts and plain accounts are treated differently."),
  contract_buyer: buyer,
  eoa_buyer: buyer,
  rebate_or_rebase: flag("More arrived than was sent; the tax counts as 0."),
  max_tx_raw: z.string().nullable().meta({ description: "The most that one purchase brings, base units." }),
  max_wallet_raw: z.string().nullable().meta({ description: "The most that one wallet may buy, base units." }),
});

const pool = z.strictObject({
  dex: z.string(),
  address: z.string(),
  liquidity_usd: told("Both sides, at the pool's own price."),
  lp_locked_percent: told(
    "Percent of the shares at labelled lockers, in locks that have not run out; null for positions.",
  ),
  lp_burned_percent: told("Percent of the shares at burn addresses; null for positions."),
  lock_until: lockUntil(),
  lp_holders: z.array(z.strictObject({ address: z.string(), label: z.string().nullable(), share_percent: z.number() })),
});

const flags = z.strictObject({
  is_honeypot: flag("It can be bought and not sold."),
  cannot_buy: flag("A purchase is refused."),
  cannot_sell_all: flag("A part can be sold, not everything."),
  is_verified: flag("Its source is published and compiles to its code."),
  is_proxy: flag("It runs another contract's code."),
  is_upgradeable: flag("Somebody can exchange that code."),
  is_mintable: flag("Its code can create coins."),
  can_take_back_ownership: flag("Its code has a way back to ownership that was given up."),
  owner_can_change_balance: flag("Its code lets somebody change what others hold."),
  hidden_owner: flag("It names no owner, and somebody is let in all the same."),
  has_selfdestruct: flag("Its code can destroy itself."),
  has_external_call: flag("Its code calls other contracts."),
  transfer_pausable: flag("Transfers can be stopped."),
  has_blacklist: flag("Single holders can be stopped."),
  has_whitelist: flag("Single holders can be exempted."),
  tax_modifiable: flag("Its tax can be changed."),
  per_wallet_tax: flag("A tax can be set for single holders."),
  trading_cooldown: flag("A buyer must wait before he can sell."),
  anti_whale: flag("There is a largest purchase or a largest holding."),
  anti_whale_modifiable: flag("That limit can be changed."),
  trading_not_enabled: flag("Trading has not been opened yet."),
  creator_honeypot_history: flag("Another token of its creator on this network ended as a honeypot or rug pull."),
  fake_of_known_token: flag("It wears the symbol of another, known token."),
  airdrop_scam: flag("It was sent out unasked, or its name lures to a site."),
  hidden_characters: flag("Its name or symbol, before it was cleaned, held characters that are not shown."),
  instruction_text: flag("Its name or symbol reads as an instruction to the program that shows it."),
  gas_abuse: flag("A trade takes more than two million gas."),
  rebasing: flag("Balances change without transfers."),
  fee_on_transfer: flag("Less arrives than is sent."),
  caller_pays_energy: flag("Tron: its maker pays none of a call's energy. Null elsewhere."),
});

const who = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description} Null: nobody.` });
const is = (description: string) => z.boolean().meta({ description });

/** Of a token that is an account with powers over it, and not a contract. */
const powerFlags = z.strictObject({
  mint_authority: who("May create coins."),
  freeze_authority: who("May freeze single holders."),
  permanent_delegate: who("May move and burn what anybody holds."),
  transfer_fee: z
    .strictObject({
      bps: z.int().meta({ description: "Hundredths of a percent of every transfer." }),
      max_raw: z.string().meta({ description: "The most of one transfer, base units." }),
      next_bps: z.int().nullable().meta({ description: "What it will be; null: no change is on its way." }),
      next_epoch: z.int().nullable().meta({ description: "First epoch with `next_bps`." }),
      withheld_raw: z
        .string()
        .meta({ description: "Withheld in the token's own account, base units; more may lie in holders' accounts." }),
      authority: who("May change it."),
    })
    .nullable()
    .meta({ description: "Null: none." }),
  transfer_hook: z.string().nullable().meta({ description: "Program that every transfer asks. Null: none." }),
  default_account_state_frozen: is("Accounts begin frozen."),
  non_transferable: is("It cannot be sent."),
  closable: is("The token itself can be closed once nothing of it is left."),
  pausable: is("All transfers can be stopped."),
  metadata_mutable: flag("What it says of itself can be changed."),
  balance_mutable_authority: who("May take balances, or change by which factor they are shown."),
  lp_burned_percent: told("Of the deepest pool's shares."),
  top10_percent: told("As ownership.top10_percent_adjusted."),
  creator_percent: told("As ownership.creator_percent."),
  trusted_token: is("It is in the network's registry of coins."),
  hidden_characters: is("Its name or symbol, before it was cleaned, held characters that are not shown."),
  instruction_text: is("Its name or symbol reads as an instruction to the program that shows it."),
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
  network: z.enum(["evm", "solana", "tron"]).meta({ description: "The family of the network." }),
  risk_overview: z.strictObject({
    risk_level: z.enum(["low", "medium", "high", "critical", "unknown"]).meta({
      description: "A low level is no guarantee of safety.",
    }),
    security_score: z.number().optional().meta({ description: "100 = nothing found, 0 = the worst." }),
    outcome: z.enum(RISK_OUTCOMES).nullable().meta({
      description:
        "What became of it, or what it is; at least a high risk. `rugged`: its makers ended it; `honeypot`: the simulated sale fails; `drained`: its pools are empty; `counterfeit`: it wears a known token's symbol. Null: none of these was found.",
    }),
    detector_descriptions: z.array(z.string()),
    positive_descriptions: z.array(z.string()),
    simulation,
  }),
  taxes: z.strictObject({
    buy_tax_percent: told("Percent; the highest of two sizes. Null is not zero."),
    sell_tax_percent: told("Percent; the highest of two sizes. Null is not zero."),
    transfer_tax_percent: told("Percent. Null is not zero."),
  }),
  ownership: z.strictObject({
    creator: z.string().optional(),
    owner: z.string().optional().meta({ description: "The address of zeros when ownership was given up." }),
    holder_count: z.int().optional(),
    owner_type: z.enum(["renounced", "eoa", "multisig", "timelock", "contract"]).nullable(),
    creator_percent: told("Percent of all coins that the creator holds."),
    owner_percent: told("Percent of all coins that the owner holds."),
    top10_percent_adjusted: told(
      "Percent of all coins that are not burnt, at the ten largest holders, without pools, lockers, exchanges and bridges.",
    ),
  }),
  alerts: z.array(alert),
  security_flags: z.union([flags, powerFlags]).meta({
    description: "Of a contract, or of a token that is an account with powers over it (Solana).",
  }),
  liquidity: z.strictObject({
    total_usd: told(LIQUIDITY_MEANING),
    pools: z.array(pool),
  }),
  unavailable,
  metadata: metadata({ token_address: z.string() }),
});

export type Input = Asked<typeof input>;
export type RiskOutput = z.output<typeof output>;
export type PowerFlags = z.output<typeof powerFlags>;
