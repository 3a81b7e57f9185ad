import * as z from "zod";
import type { Chain } from "../../chains/chain.ts";
import { formatParty, type Party, shownParty } from "../../domain/address/identity/parties.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { methodOf } from "../../domain/transaction/headline/methods.ts";
import type { HistoryListRow } from "../../domain/wallet/history/list_rows.ts";
import { TX_TYPES } from "../../domain/wallet/history/tx_type.ts";
import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { iso } from "../../lib/time.ts";
import { chainText, peer, unavailable } from "../fields.ts";

const KINDS = [
  "native",
  "internal",
  "erc20",
  "erc721",
  "erc1155",
  "wrap",
  "reward",
  "withdrawal",
  "spl",
  "trc20",
  "trc10",
  "rent",
  "call",
  "votes",
] as const;

export const transaction = z.strictObject({
  direction: z
    .enum(["in", "out", "self"])
    .describe("`self`: a transfer to oneself, or the deposit of an account, which is no income and no outflow."),
  deposit: z.enum(["paid", "refunded"]).nullable().describe("Of kind `rent`: the deposit was paid or came back."),
  amount: z.number().optional().describe("Amount in whole tokens, without a sign; 0 when nothing moved."),
  token: chainText("Token symbol.").optional(),
  peer,
  timestamp: z.string(),
  tx_hash: z.string().optional(),
  chain: z.string(),
  amount_raw: z.string().describe("Base units."),
  decimals: z.int().nullable(),
  token_address: z.string().describe("Token address, or `native` for the network's native coin."),
  token_id: z.string().nullable().describe("NFT id; null for other tokens."),
  usd_value: z.number().nullable().describe("USD value at the hourly price; null without a price."),
  kind: z
    .enum(KINDS)
    .describe(
      "`call`: a transaction of the wallet that moved none of its coins or tokens. `votes`: a validator's votes of one block, without hashes. `rent`: the deposit of an account, paid or refunded.",
    ),
  votes: z.int().nullable().describe("Votes of kind `votes`, with `fee_usd` as their total; null for other kinds."),
  tx_type: z.enum(TX_TYPES),
  method: z.string().nullable(),
  block_number: z.int(),
  log_index: z.int().nullable(),
  fee_usd: z.number().nullable().describe("Network fee in USD, on the first row of a transaction of the wallet."),
  is_spam: z.boolean(),
  spam_reasons: z.array(z.string()),
  status: z.enum(["success", "failed"]),
  unavailable,
});

export type TransactionOutputRow = z.output<typeof transaction>;

/** Position of the first log in the order of a transaction, and of what comes after all logs (indexer/decode_scope.ts). */
const FIRST_LOG = 1_048_576;
const AFTER_LOGS = 2_147_483_648;

const logIndexOf = (position: number): number | null =>
  position >= FIRST_LOG && position < AFTER_LOGS ? position - FIRST_LOG : null;

/** Fees are listed as the calls that they stand for, tips not at all. */
const kindOf = ({ kind, votes }: HistoryListRow): TransactionOutputRow["kind"] => {
  if (votes > 0) return "votes";
  return kind === "fee" || kind === "tip" ? "call" : kind;
};

const NO_DECIMALS = { field: "amount", reason: "the contract does not report its decimals" };
const NO_SYMBOL = { field: "token", reason: "the contract reports no symbol" };
const NO_VOTE_HASHES = { field: "tx_hash", reason: "the index stores only the number and fees of a block's votes" };
const NO_HASH = { field: "tx_hash", reason: "the block issued these coins without a transaction" };

/** A listed row as the answer writes it. Facts that are not known are left out and named in `unavailable`. */
export const transactionOf = (
  { chain, wallet }: { readonly chain: Chain; readonly wallet: Hex },
  listed: HistoryListRow,
  party: Party | undefined,
): TransactionOutputRow => {
  const { transaction: sent, metadata, decimals } = listed;
  const is_collectible = listed.kind === "erc721" || listed.kind === "erc1155";
  return {
    direction: listed.direction,
    deposit: listed.deposit,
    ...(decimals === null ? {} : { amount: toAmount(listed.amount, decimals) }),
    ...(metadata.symbol === null ? {} : { token: metadata.symbol }),
    peer: { address: formatParty(chain, listed.peer, wallet), ...shownParty(party), tags: party?.tags ?? null },
    timestamp: iso(listed.time),
    ...(sent === null ? {} : { tx_hash: chain.formatHash(sent.hash) }),
    chain: chain.network.id,
    amount_raw: listed.amount.toString(),
    decimals,
    token_address: formatToken(chain, listed.token),
    token_id: is_collectible ? listed.token_id.toString() : null,
    usd_value: listed.usd_value,
    kind: kindOf(listed),
    votes: listed.votes > 0 ? listed.votes : null,
    tx_type: listed.tx_type,
    // Where no contract answers calls, the first bytes of an instruction name none.
    method: sent === null || !chain.can.contract_calls ? null : methodOf(sent.selector),
    block_number: listed.block_number,
    log_index: logIndexOf(listed.position),
    fee_usd: listed.fee_usd,
    is_spam: listed.spam_reasons.length > 0,
    spam_reasons: [...listed.spam_reasons],
    status: sent === null || sent.succeeded === 1 ? "success" : "failed",
    unavailable: [
      ...(decimals === null ? [NO_DECIMALS] : []),
      ...(metadata.symbol === null ? [NO_SYMBOL] : []),
      ...(listed.fee_gap === null ? [] : [{ field: "fee_usd", reason: listed.fee_gap }]),
      ...(sent === null ? [listed.votes > 0 ? NO_VOTE_HASHES : NO_HASH] : []),
    ],
  };
};
