import type { Chain } from "../../chains/chain.ts";
import type { TransactionDetails } from "../../chains/transaction_details.ts";
import { noTransaction } from "../../domain/absences.ts";
import type { ScreenedAsset } from "../../domain/compliance/screening/parties.ts";
import type { Basis, CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { categoryByMethod, categoryOf } from "../../domain/transaction/headline/category.ts";
import { dangersOf } from "../../domain/transaction/reading/dangers.ts";
import { locate, type TransactionMatch, type TransactionMatches } from "../../domain/transaction/reading/find.ts";
import { readKnown } from "../../domain/transaction/reading/read.ts";
import type { RiskFlag } from "../../domain/transaction/reading/risk_flags.ts";
import { readRisks } from "../../domain/transaction/reading/risks.ts";
import { readAbi } from "../../domain/transaction/reading/sources.ts";
import { summaryOf } from "../../domain/transaction/reading/summary.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import { leastVerified } from "../../lib/verified.ts";
import { metadataFor, metadataOver } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import {
  actionRow,
  approvalRow,
  assetRows,
  callRows,
  feeRow,
  headlineRow,
  methodRow,
  revertRow,
  type TransactionRowContext,
  transferRow,
} from "./rows.ts";
import { screeningRow } from "./screening_rows.ts";
import { input, output, type TransactionInput, type TransactionOutput } from "./shape.ts";

const TYPE = "transaction_analysis";
const METHODOLOGY = "transaction/headline@2";

const statusOf = ({ mined }: TransactionDetails): TransactionOutput["status"] => {
  if (mined === null) return "pending";
  return mined.transaction.succeeded ? "success" : "failed";
};

const partyOf = ({ chain, known }: TransactionRowContext, address: Hex): TransactionOutput["from"] => {
  const { label, tags } = known.party(address);
  return { address: chain.formatAddress(address), label, tags, is_contract: known.is_contract(address) };
};

const basisOf = ({ snapshot, seen }: TransactionMatch): Basis => {
  const { block, coverage } = snapshot;
  if (seen.mined === null) return { block, coverage };
  const { trace_gaps: _of_others, ...held } = coverage;
  const traces = seen.mined.trace !== null;
  if (snapshot.followed === undefined) {
    const verified = leastVerified([coverage.verified, seen.mined.verified]);
    return { block, coverage: { ...held, traces, verified } };
  }
  // On demand, the transaction's own block is all that is read.
  const { number } = seen.mined.block;
  const { verified } = seen.mined;
  return { block, coverage: { ...held, from_block: number, to_block: number, logs: true, traces, verified } };
};

const positionInBlock = ({ snapshot, seen }: TransactionMatch, final_block: number | null) => {
  const { mined } = seen;
  if (mined === null) return { block_number: null, timestamp: null, confirmations: null, finalized: null };
  return {
    block_number: mined.block.number,
    timestamp: iso(mined.block.time),
    confirmations: Math.max(0, snapshot.block.number - mined.block.number + 1),
    finalized: final_block === null ? null : mined.block.number <= final_block,
  };
};

const calledContract = ({ can }: Chain, { recipient, called }: TransactionDetails): Hex | null =>
  recipient === null || called !== undefined || !can.contract_logs ? null : toHex(recipient);

const wordsOf = (writing: TransactionRowContext, found: TransactionMatch, flags: readonly RiskFlag[]) => {
  const { chain, known } = writing;
  const { seen } = found;
  const { headline, reading } = known;
  const { actions, movements } = reading;
  const status = statusOf(seen);
  const category =
    status === "success" ? (headline?.category ?? categoryOf(seen, actions, movements)) : categoryByMethod(seen);
  const summary_text = summaryOf({
    ...{ network: chain.network, status, category, actions, headline, sender: toHex(seen.sender) },
    ...{ contract: calledContract(chain, seen), movements },
    parties: new Set(movements.flatMap(({ source, destination }) => [source, destination])).size,
    show: (address) => chain.formatAddress(address),
    decimals: (token) => known.face(token).decimals,
    dangers: dangersOf(flags),
  });
  return { status, category, summary_text };
};

/** The verified ABI of the contract that was called, and what was found against the transaction. */
type TransactionExtras = { readonly abi: readonly unknown[] | null; readonly flags: readonly RiskFlag[] };

const bodyOf = (writing: TransactionRowContext, found: TransactionMatch, { abi, flags }: TransactionExtras) => {
  const { chain, known } = writing;
  const { seen } = found;
  const { reading, mev } = known;
  return {
    from: partyOf(writing, toHex(seen.sender)),
    to: seen.recipient === null ? null : partyOf(writing, toHex(seen.recipient)),
    method: methodRow(writing, seen, abi),
    ...wordsOf(writing, found, flags),
    headline: headlineRow(writing, seen),
    actions: reading.actions.map((action) => actionRow(writing, action)),
    asset_changes: assetRows(writing).slice(0, ROWS_MAX),
    transfers: reading.movements.slice(0, ROWS_MAX).map((move, index) => transferRow(writing, move, index)),
    ...callRows(writing, seen.mined?.trace ?? null),
    approvals: reading.approvals.map((approval) => approvalRow(writing, approval)),
    fee: seen.mined === null ? null : feeRow(writing, seen.mined),
    revert: revertRow(writing, seen, abi),
    mev: { kind: mev.kind, related_tx: mev.related_tx.map((hash) => chain.formatHash(hash)) },
  };
};

const ROWS_MAX = 1_000;

const ROWS_CUT: Warning = {
  code: "ROWS_CUT",
  message: `Only the first ${ROWS_MAX} transfers and asset changes are listed.`,
};

const candidateOf = ({ chain, seen }: TransactionMatch): TransactionOutput["candidates"][number] => ({
  network: chain.network.id,
  status: statusOf(seen),
  block_number: seen.mined?.block.number ?? null,
  timestamp: seen.mined === null ? null : iso(seen.mined.block.time),
});

const NO_TRACES: Warning = {
  code: "NO_TRACES",
  message:
    "No node of this network provides traces: native coins moved by contracts, internal calls and the depth of a failure are missing.",
};

const VOTES_SUMMED: Warning = {
  code: "VOTES_SUMMED",
  message:
    "A validator's vote. The index stores only the number and fees of a validator's votes per block; this answer was read from the node.",
};

const finalBlock = async (chain: Chain, { seen }: TransactionMatch, { signal }: CallContext): Promise<number | null> =>
  seen.mined === null ? null : chain.finalized(signal);

/** The transfer that the caller wants to be screened; null for none. */
const screenedAsset = ({ asset, direction }: TransactionInput, { network }: Chain): ScreenedAsset | null => {
  const hex = asset?.by_network.get(network.id);
  return hex === undefined ? null : { asset: hex, direction };
};

const explain = async (
  asked: TransactionInput,
  { found, spread }: TransactionMatches,
  context: CallContext,
): Promise<TransactionOutput | null> => {
  const [chosen] = found;
  if (chosen === undefined) return null;
  const { chain, snapshot, seen } = chosen;
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const [known, final_block, abi] = await Promise.all([
    readKnown(scope, chosen),
    finalBlock(chain, chosen, context),
    readAbi({ scope, found: chosen, sources: context.operator.sources }),
  ]);
  const time = seen.mined?.block.time ?? snapshot.block.time;
  const risks = await readRisks({ scope, found: chosen, known, time }, context.operator);
  const writing: TransactionRowContext = { chain, known, sender: toHex(seen.sender) };
  const tx_hash = chain.formatHash(toHex(seen.hash));
  const screened = screenedAsset(asked, chain);
  const status = statusOf(seen);
  const request = screened === null ? null : { ...screened, found: chosen, status, method: asked.method };
  const screening = request === null ? {} : { screening: await screeningRow(writing, request, context) };
  const warnings = [
    ...spread.warnings,
    ...(seen.mined !== null && seen.mined.trace === null ? [NO_TRACES] : []),
    ...(seen.mined?.is_summed_vote === true ? [VOTES_SUMMED] : []),
    ...(known.reading.movements.length > ROWS_MAX ? [ROWS_CUT] : []),
    ...known.warnings,
    ...risks.warnings,
  ];
  return {
    type: TYPE,
    tx_hash,
    network: chain.network.id,
    ...positionInBlock(chosen, final_block),
    ...bodyOf(writing, chosen, { abi, flags: risks.flags }),
    risk_flags: risks.flags.map(({ evidence, ...flag }) => ({
      ...flag,
      evidence: evidence.map(({ observed_at, ...rest }) => ({ ...rest, observed_at: iso(observed_at) })),
    })),
    candidates: asked.network === undefined ? found.map(candidateOf) : [],
    ...screening,
    metadata: metadataFor(chain, basisOf(chosen), {
      echo: { tx_hash },
      methodology: METHODOLOGY,
      sources: risks.sources,
      warnings,
    }),
  };
};

const NOT_ALL_READ = "The hash was not found, but some networks could not be read.";

const screeningFault = ({
  asset,
  network,
}: {
  readonly asset?: string | undefined;
  readonly network?: string | undefined;
}): string | null => (asset !== undefined && network === undefined ? "field 'asset' requires a single network." : null);

export const analyzeTransaction = defineTool({
  name: "analyze_transaction",
  title: "Explain a transaction",
  description:
    "Explains one transaction: its actions by protocol, gains and losses of each address in tokens and dollars, calls, approvals, fee, the reason of a failure, sandwiches and arbitrage, and risks with evidence. Without a network, every enabled one is searched. With `asset` it screens a transfer. Use it to explain a transaction hash: what a swap or transfer did, why transactions fail.",
  credits: 40,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { tx_hash: "0x1654011bd26cf71afa0d832ced7316c3fb3861aa7e994d97edf5be30517e7f1d", network: "demo" },
  live_fields: ["finalized"],
  subjects: [],
  check: (asked) =>
    typeof asked.as_of_block === "number" && asked.network === undefined
      ? "field 'as_of_block' requires a single network: a block number has no meaning across several."
      : screeningFault(asked),
  run: async (asked, context) => {
    const { tx_hash } = asked;
    const search = { tx_hash, network: asked.network ?? null, as_of_block: asked.as_of_block ?? null };
    const located = await locate(search, context);
    const explained = await explain(asked, located, context);
    if (explained !== null) return data(explained);
    const { answered, failed: unread } = located.spread;
    const described = metadataOver({ network: asked.network ?? "all" }, located.spread, {
      echo: { tx_hash: located.tx_hash },
      methodology: METHODOLOGY,
    });
    if (unread.length > 0) return failed("UPSTREAM_UNAVAILABLE", NOT_ALL_READ, described);
    const absences = answered.map(({ value }) => value.absence);
    const is_proven = absences.every((absence) => absence === "proven");
    const words = noTransaction(located.spread, !absences.includes("not_indexed"));
    return emptyOutcome({ type: TYPE, metadata: described }, words, is_proven);
  },
  view: {
    members:
      "screening summary_text category risk_flags headline network tx_hash block_number timestamp confirmations finalized from to method revert mev asset_changes actions approvals transfers fee internal_calls truncated candidates",
    drawn: {
      risk_flags: { is: "alerts" },
      headline: "type protocol actor usd_value confidence identified_by",
      method: "name signature selector",
      asset_changes: { columns: "address label symbol amount usd_value token token_id" },
      actions: "type protocol actor tokens_in[amount,symbol] tokens_out[amount,symbol] usd_value contract",
      approvals: "owner spender spender_label symbol is_unlimited amount kind token",
      transfers: "from to symbol amount usd_value kind token token_id",
      internal_calls: { rows_max: 8, columns: "depth to method value succeeded error kind from" },
    },
  },
});
