import * as z from "zod";
import type { CallKind } from "../../chains/transaction_details.ts";
import { SCREENING_DIRECTIONS } from "../../domain/compliance/screening/parties.ts";
import { ACTION_TYPES } from "../../domain/transaction/actions/action.ts";
import { CATEGORIES } from "../../domain/transaction/actions/categories.ts";
import type { TransactionMovement } from "../../domain/transaction/decoding/movements.ts";
import { BASES, HEADLINE_TYPES, NAME_SOURCES } from "../../domain/transaction/headline/types.ts";
import { RISK_CODES, SEVERITIES } from "../../domain/transaction/reading/risk_flags.ts";
import { asOfBlock, chainText, evidence, metadata, network, token, transactionHash } from "../fields.ts";
import type { ToolInput } from "../tool.ts";
import { traceMethod } from "../wallet_risk/shape.ts";
import { screening } from "./screening_shape.ts";

export const input = z.strictObject({
  tx_hash: transactionHash(
    "Transaction hash: 0x and 64 hex digits on EVM networks, 64 hex digits on Tron, the first signature on Solana.",
  ),
  network: network().optional(),
  as_of_block: asOfBlock(),
  asset: token("Token to screen, or `native`.").optional(),
  direction: z.enum(SCREENING_DIRECTIONS).default("in").describe("`in` judges its origin, `out` its receiver."),
  method: traceMethod("How money mixes."),
});

export type TransactionInput = ToolInput<typeof input>;

const STATUSES = ["success", "failed", "pending"] as const;

const CALL_KINDS = [
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
] as const satisfies readonly CallKind[];

const party = z.strictObject({
  address: z.string(),
  label: z.string().nullable(),
  tags: z.array(z.string()).nullable(),
  is_contract: z.boolean().nullable().describe("Null when no node answered."),
});

const usd = () => z.number().nullable().describe("USD value at the block's hourly price; null without a price.");
const symbol = () => chainText("Token symbol; null when the contract reports none.").nullable();
const amount = () => z.number().nullable().describe("Amount in whole tokens; null when its decimals are unknown.");
const tokenAddress = () => z.string().describe("Token address, or `native` for the network's native coin.");

const side = z.strictObject({
  token: tokenAddress(),
  symbol: symbol(),
  token_id: z.string().nullable(),
  amount: amount(),
  amount_raw: z.string().describe("Base units."),
  usd_value: usd(),
});

const action = z.strictObject({
  type: z.enum(ACTION_TYPES),
  protocol: z.string().nullable(),
  actor: z.string(),
  tokens_in: z.array(side).describe("Tokens that the actor received."),
  tokens_out: z.array(side).describe("Tokens that the actor paid."),
  usd_value: usd(),
  contract: z.string().nullable().describe("Contract that acted, was created or got the approval; null for none."),
  log_index: z.int().nullable(),
});

const headline = z
  .strictObject({
    type: z.enum(HEADLINE_TYPES),
    protocol: z.string().nullable().describe("Protocol with version, or the router of a trade; null when unknown."),
    version: z.string().nullable(),
    actor: z
      .string()
      .describe(
        "The acting account: the signer of a filled order, the Safe, the account of a user operation, or the receiver of a bridge transfer.",
      ),
    tokens_in: z.array(side).describe("Tokens that the actor received, net over the whole transaction."),
    tokens_out: z.array(side).describe("Tokens that the actor paid, net over the whole transaction."),
    fee: z.array(side).describe("Fees paid to the protocol or service. The network fee is the answer's `fee`."),
    debt: z.array(side).describe("Debt tokens minted or burned by borrowing or repaying."),
    usd_value: usd(),
    protocol_source: z
      .enum(NAME_SOURCES)
      .nullable()
      .describe(
        "Source of the name: the called contract, an event or function of the protocol, a counterparty or token, a pool.",
      ),
    confidence: z
      .number()
      .describe(
        "Expected share of correct types among headlines of this basis, 0 to 1. Below 0.8 the summary says `probably`.",
      ),
    basis: z
      .enum(BASES)
      .describe(
        "protocol: identified by an event or function of that protocol; standard: by an event or function that many contracts share; movements: only by the transfers.",
      ),
    identified_by: z.string().describe("Event, function or rule that identified the action."),
    evidence: z.array(evidence),
  })
  .describe("The transaction's main action; `actions` lists its hops and side effects.");

const method = z.strictObject({
  selector: z
    .string()
    .nullable()
    .describe(
      "Function selector: the first four bytes of the call data on EVM, the instruction discriminator on Solana; null for Tron system contracts.",
    ),
  name: z.string().nullable(),
  signature: z.string().nullable(),
  decoded_args: z
    .array(
      z.strictObject({
        name: z.string().nullable(),
        type: z.string(),
        value: chainText(
          "Decoded value: numbers in decimal, bytes as 0x…, addresses in the network's format, lists and tuples as JSON.",
        ),
      }),
    )
    .nullable(),
  source: z.enum(["verified_abi", "signature_db", "unknown"]),
});

const TRANSFER_KINDS = [
  ...(["native", "internal", "erc20", "erc721", "erc1155", "wrap"] as const),
  ...(["spl", "trc20", "trc10", "reward", "withdrawal", "rent"] as const),
] satisfies readonly TransactionMovement["kind"][];

const transfer = z.strictObject({
  index: z.int(),
  kind: z.enum(TRANSFER_KINDS),
  token: tokenAddress(),
  symbol: symbol(),
  token_id: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  amount: amount(),
  amount_raw: z.string(),
  usd_value: usd(),
  peer_labels: z.strictObject({ from: z.string().nullable(), to: z.string().nullable() }),
});

const internalCall = z.strictObject({
  depth: z.int().nullable().describe("Call depth, 0 for a top-level instruction (Solana); null when unknown."),
  kind: z.enum(CALL_KINDS),
  from: z.string(),
  to: z.string().nullable(),
  value: z.number(),
  value_raw: z.string(),
  method: z.string().nullable(),
  succeeded: z.boolean().describe("False when the call or one of its callers failed."),
  error: chainText("Error reported by the node; null when the call succeeded.").nullable(),
});

const approval = z.strictObject({
  token: z.string(),
  symbol: symbol(),
  owner: z.string(),
  spender: z.string().nullable().describe("Null when the approval of one NFT was revoked."),
  spender_label: z.string().nullable(),
  amount: amount(),
  amount_raw: z
    .string()
    .describe("Base units; the token id for a single NFT; 1 (granted) or 0 (revoked) for all NFTs of a collection."),
  is_unlimited: z.boolean(),
  kind: z.enum(["erc20", "erc721", "permit", "permit2", "spl"]),
});

const fee = z.strictObject({
  native_amount: z.number(),
  native_amount_raw: z.string(),
  usd: usd(),
  gas_used: z.number().nullable().describe("Gas used; null on networks that do not use gas."),
  gas_price_gwei: z.number().nullable(),
  priority_gwei: z.number().nullable(),
  l1_fee: z.number().nullable().describe("L1 part of the fee, in the native coin; null on networks without one."),
  is_l1_fee_gas: z
    .boolean()
    .nullable()
    .describe("True where l1_fee is charged as gas, so that gas_used includes it; null without l1_fee."),
  operator_fee: z.number().nullable().describe("OP Stack: operator fee, 0 without one. Null off EVM networks."),
  blob_fee: z.number().nullable().describe("Fee for blobs, 0 without blobs. Null off EVM networks."),
  compute_units: z.number().nullable().describe("Solana."),
  priority: z.number().nullable().describe("Solana: priority part of the fee. Null elsewhere."),
  energy: z.number().nullable().describe("Tron."),
  bandwidth: z
    .number()
    .nullable()
    .describe(
      "Tron: bandwidth points from a stake or the daily allowance; 0 when the fee paid for bandwidth. Null elsewhere.",
    ),
});

const candidate = z.strictObject({
  network: z.string(),
  status: z.enum(STATUSES),
  block_number: z.int().nullable(),
  timestamp: z.string().nullable(),
});

const riskFlag = z.strictObject({
  code: z.enum(RISK_CODES),
  severity: z.enum(SEVERITIES),
  description: z.string(),
  evidence: z.array(evidence),
});

const revert = z.strictObject({
  reason: chainText("Revert reason returned by the contract; null when it returned none.").nullable(),
  selector: z.string().nullable(),
  failed_at_depth: z
    .int()
    .nullable()
    .describe("Depth of the failed call, 0 for the outermost one; null when the node does not report it."),
});

export const output = z.strictObject({
  type: z.literal("transaction_analysis"),
  tx_hash: z.string(),
  network: z.string(),
  status: z.enum(STATUSES),
  block_number: z.int().nullable(),
  timestamp: z.string().nullable(),
  confirmations: z
    .int()
    .nullable()
    .describe("Blocks from the transaction's block to the as-of block, both included; null while it is pending."),
  finalized: z.boolean().nullable(),
  from: party,
  to: party.nullable().describe("Recipient; null for a contract creation."),
  method: method.nullable().describe("Called function; null without call data."),
  category: z.enum(CATEGORIES),
  summary_text: z.string(),
  headline: headline.nullable().describe("Null for failed, pending and unrecognized transactions, and outside EVM."),
  actions: z.array(action),
  asset_changes: z
    .array(z.strictObject({ address: z.string(), label: z.string().nullable(), ...side.shape }))
    .describe("Net gain or loss of each address over all transfers, excluding the network fee."),
  transfers: z.array(transfer),
  internal_calls: z.array(internalCall),
  truncated: z.boolean().describe("True when internal_calls omits calls deeper than level 8 or beyond the first 500."),
  approvals: z.array(approval),
  fee: fee.nullable().describe("Network fee; null while the transaction is pending."),
  revert: revert.nullable(),
  mev: z.strictObject({
    kind: z.enum(["sandwich_victim", "sandwich_attacker", "arbitrage", "liquidation"]).nullable(),
    related_tx: z.array(z.string()),
  }),
  risk_flags: z.array(riskFlag),
  candidates: z.array(candidate).describe("Every network that has the hash, when the request named no network."),
  screening: screening.optional().describe("Screening of the transfer; omitted unless `asset` is set."),
  metadata: metadata({ tx_hash: z.string() }),
});

export type TransactionOutput = z.output<typeof output>;
