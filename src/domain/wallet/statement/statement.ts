/** A wallet between two days: what it had, what came and went, what it had then. */
import { type Hex, sliceHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { isoDay } from "../../../lib/time.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import type { DateWindow } from "../../window/dates.ts";
import { snapshotAt } from "../../window/steps.ts";
import { holdsWholeChain } from "../../window/whole_chain.ts";
import { readHoldingsAt, type ValuedHolding } from "../holdings/holdings.ts";
import { computeWallet } from "../pnl/compute.ts";
import type { CostBasis } from "../pnl/position.ts";
import { type PnlSums, sumRows } from "../pnl/rows.ts";
import { readAssets } from "../positions/read.ts";
import { type RowWorth, rowWorths, type WalletWorth, worthOf } from "../positions/worth.ts";

/** One end of a statement. */
interface StatementEnd {
  /** The last block that counts; null: the chain had none yet. */
  readonly block: Snapshot["block"] | null;
  readonly held: ReadonlyMap<Hex, ValuedHolding>;
  readonly worthOfRow: (holding: ValuedHolding) => RowWorth;
  readonly worth: WalletWorth;
  readonly warnings: readonly Warning[];
}

/** Base units that moved. */
interface TokenFlow {
  readonly came: bigint;
  readonly went: bigint;
  /** Fees and tips that the wallet paid. */
  readonly fees: bigint;
  readonly movements: number;
}

/** Disposals of a token, as the profit and loss of the same days has them. */
export interface TokenDisposals {
  readonly realized_usd: number;
  readonly proceeds_usd: number;
  readonly count: number;
}

export interface StatementRow extends TokenFlow {
  readonly face: TokenMetadata;
  /** 0 for collectibles; null when the contract does not report them. */
  readonly decimals: number | null;
  readonly opening: bigint;
  readonly closing: bigint;
  /** A change that no movement explains: a balance that changed by itself. opening + came - went - fees + unexplained = closing. */
  readonly unexplained: bigint;
  readonly opened: ValuedHolding | null;
  readonly closed: ValuedHolding | null;
  readonly disposals: TokenDisposals | null;
  readonly is_spam: boolean;
}

export interface WalletStatement {
  readonly opening: StatementEnd;
  readonly closing: StatementEnd;
  readonly rows: readonly StatementRow[];
  /** Null where no profits are computed: the network's own note says why. */
  readonly pnl: { readonly sums: PnlSums; readonly gas_fees_usd: number | null } | null;
  readonly warnings: readonly Warning[];
}

const NOTHING: StatementEnd = {
  block: null,
  held: new Map(),
  worthOfRow: rowWorths([]),
  worth: { holdings_value_usd: 0, positions_value_usd: 0, total_value_usd: 0 },
  warnings: [],
};

const isReal = ({ spam_reasons }: ValuedHolding): boolean => spam_reasons.length === 0;

const readEnd = async (scope: SnapshotContext, wallet: Hex): Promise<StatementEnd> => {
  const { holdings, warnings } = await readHoldingsAt(scope, wallet);
  const { assets, positions, warnings: more } = await readAssets(scope, wallet, holdings);
  return {
    block: scope.snapshot.block,
    held: new Map(holdings.map((holding) => [holding.face.token, holding])),
    worthOfRow: rowWorths(positions),
    worth: worthOf(assets.filter(isReal), positions),
    warnings: [...warnings, ...more],
  };
};

/** The last block up to a second; null where the whole chain is indexed and has none. */
const blockUpTo = async ({ facts, snapshot }: SnapshotContext, time: number): Promise<Snapshot["block"] | null> => {
  const [found] = time < 0 ? [] : await facts.ask(snapshot, "block_at_time", { time });
  if (found !== undefined) return { number: found.block_number, hash: found.hash, time: found.time };
  if (holdsWholeChain(snapshot.coverage)) return null;
  const message = `The index of ${snapshot.network} has no block up to ${isoDay(Math.max(0, time))}, so what the wallet held then is not known. Begin later.`;
  throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message });
};

const readFlows = async (
  { facts, snapshot }: SnapshotContext,
  wallet: Hex,
  after: number | null,
): Promise<ReadonlyMap<Hex, TokenFlow>> => {
  const from_block = after === null ? snapshot.from_block : after + 1;
  if (from_block > snapshot.block.number) return new Map();
  const flows = new Map<Hex, TokenFlow>();
  for (const row of await facts.ask({ ...snapshot, from_block }, "statement/flows", { wallet })) {
    const { came, went, fees, movements } = flows.get(row.token) ?? NO_FLOW;
    const is_in = row.direction === 1;
    flows.set(row.token, {
      came: is_in ? came + row.amount : came,
      went: is_in || row.is_fee === 1 ? went : went + row.amount,
      fees: row.is_fee === 1 ? fees + row.amount : fees,
      movements: movements + row.movements,
    });
  }
  return flows;
};

const NO_FLOW: TokenFlow = { came: 0n, went: 0n, fees: 0n, movements: 0 };

interface StatementPnl {
  readonly disposals: ReadonlyMap<Hex, TokenDisposals>;
  readonly spam: ReadonlySet<Hex>;
  readonly figures: NonNullable<WalletStatement["pnl"]>;
  readonly warnings: readonly Warning[];
}

const readPnl = async (
  scope: SnapshotContext,
  wallet: Hex,
  of: { readonly window: DateWindow; readonly basis: CostBasis },
): Promise<StatementPnl | null> => {
  if (scope.chain.network.pnl_note !== undefined) return null;
  const computed = await computeWallet(scope, wallet, of);
  const spam = await computed.readSpam();
  const disposals = new Map<Hex, TokenDisposals>();
  for (const { entry, realized_usd } of computed.rows) {
    // A position in an NFT has a longer key, which begins with its contract.
    const token = sliceHex(entry.bucket, 0, wallet.length / 2);
    const known = disposals.get(token) ?? { realized_usd: 0, proceeds_usd: 0, count: 0 };
    disposals.set(token, {
      realized_usd: known.realized_usd + realized_usd,
      proceeds_usd: known.proceeds_usd + entry.trading.sold_usd,
      count: known.count + entry.trading.sell_count,
    });
  }
  const { gas_fees_usd, gas_fees_unpriced } = computed.book.totals;
  const real = computed.rows.filter(({ entry }) => !spam.has(entry.bucket));
  return {
    disposals,
    spam: new Set(spam.keys()),
    figures: { sums: sumRows(real), gas_fees_usd: gas_fees_unpriced === 0 || gas_fees_usd > 0 ? gas_fees_usd : null },
    warnings: computed.warnings,
  };
};

/** The statement of the days of a window; `scope`: the network at its newest block. */
export const readStatement = async (
  scope: SnapshotContext,
  wallet: Hex,
  { window, basis }: { readonly window: DateWindow; readonly basis: CostBasis },
): Promise<WalletStatement> => {
  const { facts, snapshot } = scope;
  const [before, last] = await Promise.all([
    blockUpTo(scope, window.from - 1),
    window.until > snapshot.block.time ? snapshot.block : blockUpTo(scope, window.until - 1),
  ]);
  const atBlock = async (block: Snapshot["block"]): Promise<SnapshotContext> => ({
    ...scope,
    snapshot: await snapshotAt(facts, snapshot, block),
  });
  const end = last === null ? null : await atBlock(last);
  const [opening, closing, flows, pnl] = await Promise.all([
    before === null ? NOTHING : readEnd(await atBlock(before), wallet),
    end === null ? NOTHING : readEnd(end, wallet),
    end === null ? new Map<Hex, TokenFlow>() : readFlows(end, wallet, before?.number ?? null),
    end === null ? null : readPnl(end, wallet, { window, basis }),
  ]);
  const tokens = [...new Set([...opening.held.keys(), ...closing.held.keys(), ...flows.keys()])].sort();
  const faces = await metadataOf(scope, tokens);
  const rows = tokens.map((token): StatementRow => {
    const [opened, closed] = [opening.held.get(token) ?? null, closing.held.get(token) ?? null];
    const flow = flows.get(token) ?? NO_FLOW;
    const [begin, now] = [opened?.balance ?? 0n, closed?.balance ?? 0n];
    const face = metadataIn(faces, token);
    const is_collectible = face.standard === "erc721" || face.standard === "erc1155";
    const is_spam = [opened, closed].some((holding) => holding !== null && !isReal(holding));
    return {
      ...flow,
      ...{ face, opened, closed, opening: begin, closing: now },
      decimals: is_collectible ? 0 : face.decimals,
      unexplained: now - (begin + flow.came - flow.went - flow.fees),
      disposals: pnl?.disposals.get(token) ?? null,
      is_spam: is_spam || pnl?.spam.has(token) === true,
    };
  });
  const warnings = [...opening.warnings, ...closing.warnings, ...(pnl?.warnings ?? [])];
  return { opening, closing, rows, pnl: pnl?.figures ?? null, warnings };
};
