import * as z from "zod";
import type { CallKind } from "../../chains/transaction_details.ts";
import { ACTION_TYPES } from "../../domain/transaction/actions/action.ts";
import { CATEGORIES } from "../../domain/transaction/actions/categories.ts";
import type { Movement } from "../../domain/transaction/decoding/movements.ts";
import { HEADLINE_TYPES } from "../../domain/transaction/headline/types.ts";
import { RISK_CODES, SEVERITIES } from "../../domain/transaction/reading/risk_flags.ts";
import { asOfBlock, chainText, evidence, metadata, network, transactionHash } from "../fields.ts";
import type { Asked } from "../tool.ts";

export const input = z.strictObject({
  tx_hash: transactionHash(
    "Transaction hash: 0x and 64 hex digits on EVM networks, 64 hex digits on Tron, the first signature on Solana.",
  ),
  network: network().optional(),
  as_of_block: asOfBlock(),
});

export type Input = Asked<typeof input>;

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
  is_contract: z.boolean().nullable().meta({ description: "Null when no node could tell." }),
});

const usd = () =>
  z.number().nullable().meta({ description: "At the price of the block's hour; null without a price." });
const symbol = () => chainText("Token symbol; null when the contract tells none.").nullable();
const amount = () => z.number().nullable().meta({ description: "Null when the token does not tell its decimals." });
const tokenAddress = () => z.string().meta({ description: "`native` for the coin of the network." });

const side = z.strictObject({
  token: tokenAddress(),
  symbol: symbol(),
  token_id: z.string().nullable(),
  amount: amount(),
  amount_raw: z.string().meta({ description: "Base units." }),
  usd_value: usd(),
});

const action = z.strictObject({
  type: z.enum(ACTION_TYPES),
  protocol: z.string().nullable(),
  actor: z.string(),
  tokens_in: z.array(side).meta({ description: "What the actor received." }),
  tokens_out: z.array(side).meta({ description: "What the actor gave." }),
  usd_value: usd(),
  contract: z.string().nullable().meta({ description: "Where it happened, what was created, or who got the right." }),
  log_index: z.int().nullable(),
});

const headline = z
  .strictObject({
    type: z.enum(HEADLINE_TYPES),
    protocol: z
      .string()
      .nullable()
      .meta({ description: "With its version; of a routed trade the router. Null when nobody's name is known." }),
    version: z.string().nullable(),
    actor: z.string().meta({
      description:
        "Whose act it was: who signed an order that somebody filled, the Safe, the account of a user operation, the receiver over a bridge.",
    }),
    tokens_in: z.array(side).meta({ description: "What the actor got, net over the whole transaction." }),
    tokens_out: z.array(side).meta({ description: "What the actor gave, net over the whole transaction." }),
    fee: z
      .array(side)
      .meta({ description: "Paid for the service beside the act; the network's fee is `fee` of the answer." }),
    debt: z.array(side).meta({ description: "Tokens that only record the debt that was taken or paid back." }),
    usd_value: usd(),
    confidence: z.enum(["protocol", "standard", "movements"]).meta({
      description:
        "protocol: an event or function of that protocol says so; standard: a word that many use alike; movements: only what moved.",
    }),
    told_by: z.string().meta({ description: "The event or function that told it, or the rule." }),
  })
  .meta({ description: "The one act that the transaction was; `actions` are its hops and what happened beside it." });

const method = z.strictObject({
  selector: z.string().nullable().meta({
    description:
      "First bytes of the call data: four on EVM, those that name the instruction on Solana; null on Tron's own contracts.",
  }),
  name: z.string().nullable(),
  signature: z.string().nullable(),
  decoded_args: z
    .array(
      z.strictObject({
        name: z.string().nullable(),
        type: z.string(),
        value: chainText("Numbers in decimal, bytes as 0x…, addresses as everywhere else, lists and tuples as JSON."),
      }),
    )
    .nullable(),
  source: z.enum(["verified_abi", "signature_db", "unknown"]),
});

const TRANSFER_KINDS = [
  ...(["native", "internal", "erc20", "erc721", "erc1155", "wrap"] as const),
  ...(["spl", "trc20", "trc10", "reward", "withdrawal", "rent"] as const),
] satisfies readonly Movement["kind"][];

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
  depth: z.int().nullable().meta({
    description: "0 = a further instruction of the transaction itself (Solana); null where the node does not tell.",
  }),
  kind: z.enum(CALL_KINDS),
  from: z.string(),
  to: z.string().nullable(),
  value: z.number(),
  value_raw: z.string(),
  method: z.string().nullable(),
  succeeded: z.boolean().meta({ description: "False also when a call around it failed." }),
  error: chainText("The node's words for the failure.").nullable(),
});

const approval = z.strictObject({
  token: z.string(),
  symbol: symbol(),
  owner: z.string(),
  spender: z.string().nullable().meta({ description: "Null: the right to one piece was taken back." }),
  spender_label: z.string().nullable(),
  amount: amount(),
  amount_raw: z.string().meta({ description: "Base units; of one piece its id; of all pieces 1 given, 0 taken." }),
  is_unlimited: z.boolean(),
  kind: z.enum(["erc20", "erc721", "permit", "permit2", "spl"]),
});

const fee = z.strictObject({
  native_amount: z.number(),
  native_amount_raw: z.string(),
  usd: usd(),
  gas_used: z.number().nullable().meta({ description: "Null where the network measures otherwise." }),
  gas_price_gwei: z.number().nullable(),
  priority_gwei: z.number().nullable(),
  l1_fee: z.number().nullable().meta({ description: "Part of the fee, in the native coin; null where there is none." }),
  compute_units: z.number().nullable().meta({ description: "Solana." }),
  priority: z.number().nullable().meta({ description: "Solana: part of the fee, paid to be taken sooner." }),
  energy: z.number().nullable().meta({ description: "Tron." }),
  bandwidth: z.number().nullable().meta({
    description: "Tron: points from a stake or the daily allowance; 0 where the fee pays for bandwidth instead.",
  }),
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
  reason: chainText("What the contract said.").nullable(),
  selector: z.string().nullable(),
  failed_at_depth: z
    .int()
    .nullable()
    .meta({ description: "0 = the outermost call; null where the node does not tell the place." }),
});

export const output = z.strictObject({
  type: z.literal("transaction_analysis"),
  tx_hash: z.string(),
  network: z.string(),
  status: z.enum(STATUSES),
  block_number: z.int().nullable(),
  timestamp: z.string().nullable(),
  confirmations: z.int().nullable().meta({ description: "Blocks from its own to the as-of block, both counted." }),
  finalized: z.boolean().nullable(),
  from: party,
  to: party.nullable().meta({ description: "Null for the creation of a contract." }),
  method: method.nullable().meta({ description: "Null without call data." }),
  category: z.enum(CATEGORIES),
  summary_text: z.string(),
  headline: headline.nullable().meta({
    description: "Null where nothing says what it was, where it failed or waits, and on networks other than EVM.",
  }),
  actions: z.array(action),
  asset_changes: z
    .array(z.strictObject({ address: z.string(), label: z.string().nullable(), ...side.shape }))
    .meta({ description: "Net gain or loss of each address over all transfers; the fee is not in it." }),
  transfers: z.array(transfer),
  internal_calls: z.array(internalCall),
  truncated: z.boolean().meta({ description: "Calls deeper than 8 or beyond 500 are left out of internal_calls." }),
  approvals: z.array(approval),
  fee: fee.nullable().meta({ description: "Null while it waits for a block." }),
  revert: revert.nullable(),
  mev: z.strictObject({
    kind: z.enum(["sandwich_victim", "sandwich_attacker", "arbitrage", "liquidation"]).nullable(),
    related_tx: z.array(z.string()),
  }),
  risk_flags: z.array(riskFlag),
  candidates: z.array(candidate).meta({ description: "Every network that knows the hash, when none was named." }),
  metadata: metadata({ tx_hash: z.string() }),
});

export type Output = z.output<typeof output>;
