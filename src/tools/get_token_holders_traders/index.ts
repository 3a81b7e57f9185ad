import { noHolder } from "../../domain/absences.ts";
import type { SnapshotContext } from "../../domain/context.ts";
import { nodeStateBlock } from "../../domain/node_state.ts";
import { concentrationOf, RANKED_HOLDERS_MAX } from "../../domain/token/holders/concentration.ts";
import { type Holder, isSupplyReported, readHolders } from "../../domain/token/holders/holders.ts";
import {
  groupByEntity,
  type HolderGroup,
  type HolderIdentity,
  type HolderVolume,
  readChanges,
  readFunders,
  readIdentities,
  readMarket,
  readVolumes,
  withOwnNames,
} from "../../domain/token/holders/read.ts";
import { BALANCES_UNKNOWN, indexedSupply, isImpossible } from "../../domain/token/holders/sums.ts";
import { type IssuedSupply, readBurned, readSupply, type Supply } from "../../domain/token/holders/supply.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { decimalsOf, tokenOf } from "../../domain/token/metadata/subject.ts";
import { pricesAt } from "../../domain/valuation/prices/price_now.ts";
import { readTokenPnl } from "../../domain/wallet/pnl/trader_pnl.ts";
import { type DateWindow, dateWindow } from "../../domain/window/dates.ts";
import { gapsOf } from "../../domain/window/gaps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import { DAY_S, dayStart } from "../../lib/time.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { holderRow, missingOf, type RowFacts, traderRow } from "./rows.ts";
import { type HoldersInput, type HoldersOutput, input, output } from "./shape.ts";

const TYPE = "token_holders_traders";
const METHODOLOGY = "holders-traders@1";
const RECONCILED = {
  code: "BALANCE_RECONCILED",
  message: "Balances differ from the sums of transfers; the contract's own balances are shown.",
};
const HOLDERS_INCOMPLETE = {
  code: "HOLDERS_INCOMPLETE",
  message:
    "The contract reports a larger supply than its transfers: some tokens were issued without an event, so holders may be missing.",
};
const WINDOW_DAYS_DEFAULT = 30;
const WINDOW_DAYS_MAX = 366;

const readSubject = async (scope: SnapshotContext, token: Hex): Promise<IssuedSupply | null> => {
  const { chain, signal } = scope;
  if (token === "") return { token, decimals: chain.network.native.decimals, total_supply: null, burned: null };
  const at = await nodeStateBlock(scope);
  const [[told], burnt] = await Promise.all([
    chain.tokenMetadata([token], signal, at ?? undefined),
    readBurned(scope, [token], at),
  ]);
  const known = await tokenOf(scope, told, token);
  if (known === null) return null;
  const total_supply = at === null ? await indexedSupply(scope, token) : known.total_supply;
  return { token, decimals: decimalsOf(known), total_supply, burned: burnt.get(token) ?? null };
};

const supplyOf = ({ total_supply, burned, circulating, decimals }: Supply): HoldersOutput["supply"] => {
  const shown = (raw: bigint | null) =>
    raw === null ? null : { amount: decimals === null ? null : toAmount(raw, decimals), amount_raw: raw.toString() };
  const adjusted = total_supply === null || burned === null ? null : total_supply - burned;
  return {
    total: shown(total_supply),
    burned: shown(burned),
    adjusted: shown(adjusted),
    circulating: shown(circulating),
  };
};

type TradersReason = HoldersOutput["traders_unavailable_reason"];

interface TradersReading {
  readonly reason: TradersReason;
  readonly traders: readonly HolderVolume[];
  /** Of holders and traders; null when swaps are not read for this token. */
  readonly volumes: ReadonlyMap<Hex, HolderVolume> | null;
}

const readTrade = async (
  scope: SnapshotContext,
  subject: IssuedSupply,
  wanted: { readonly window: DateWindow; readonly limit: number; readonly holders: readonly Hex[] },
): Promise<TradersReading> => {
  const { token, decimals } = subject;
  if (token === "") return { reason: "native_asset", traders: [], volumes: null };
  const pools = await scope.facts.ask(scope.snapshot, "pools_of_tokens", { tokens: [token] });
  if (!pools.some(({ venue }) => venue !== "")) return { reason: "no_dex_pool", traders: [], volumes: new Map() };
  const market = await readMarket(scope, { token, decimals: decimals ?? 0 }, wanted.window);
  const { largest, all } = await readVolumes(scope, market, { kept: wanted.holders, limit: wanted.limit + 1 });
  return {
    reason: largest.length === 0 ? "no_trades_in_window" : null,
    traders: largest,
    volumes: new Map(all.map((volume) => [volume.trader, volume])),
  };
};

const single = ({ holder, amount }: Holder): HolderGroup => ({
  address: holder,
  members: [holder],
  amount,
});

const withIdentity = (
  address: Hex,
  identity: HolderIdentity | undefined,
): readonly (readonly [Hex, HolderIdentity])[] => (identity === undefined ? [] : [[address, identity]]);

interface HolderRowsQuery {
  readonly input: HoldersInput;
  readonly window: DateWindow;
  readonly found: readonly Holder[];
}

/** Concentration of the supply without burned tokens, among holders with known amounts. */
const concentrationAmong = (
  { total_supply, burned }: Pick<IssuedSupply, "total_supply" | "burned">,
  ranked: readonly Holder[],
  known: ReadonlyMap<Hex, HolderIdentity>,
) => {
  const base = total_supply === null || burned === null ? 0n : total_supply - burned;
  const typed = ranked.flatMap(({ holder, amount }) =>
    amount === null ? [] : [{ amount, type: known.get(holder)?.type ?? ("eoa" as const) }],
  );
  return concentrationOf(typed, base);
};

type HolderLists = Omit<HoldersOutput, "type" | "metadata" | "unavailable" | "supply">;

const readLists = async (scope: SnapshotContext, subject: IssuedSupply, asked: HolderRowsQuery) => {
  const { facts, snapshot, chain } = scope;
  const { token } = subject;
  const { limit, aggregate_by_entity } = asked.input;
  const ranked = asked.found.slice(0, RANKED_HOLDERS_MAX);
  const addresses = ranked.map(({ holder }) => holder);
  const ranks = await readIdentities(scope, addresses, new Set(addresses.slice(0, limit)));
  const entityOf = (address: Hex): string | null => ranks.get(address)?.entity ?? null;
  const groups = aggregate_by_entity ? groupByEntity(ranked, entityOf) : ranked.map(single);
  const shown = groups.slice(0, limit);
  const members = shown.flatMap((group) => group.members);
  const trade = await readTrade(scope, subject, { window: asked.window, limit, holders: members });
  const traders = trade.traders.slice(0, limit);
  const traderAddresses = traders.map(({ trader }) => trader);
  const identities = await readIdentities(scope, traderAddresses, new Set(traderAddresses));
  const everybody = [...new Set([...members, ...traderAddresses])];
  // Of ranked holders the amount may come from the contract.
  const amounts = new Map<Hex, bigint | null>(asked.found.map(({ holder, amount }) => [holder, amount]));
  const others = traderAddresses.filter((trader) => !amounts.has(trader));
  const known = await withOwnNames(scope, new Map([...ranks, ...identities]), everybody);
  const [gains, funders, changes, balances, prices] = await Promise.all([
    readTokenPnl(scope, token, new Map(everybody.flatMap((one) => withIdentity(one, known.get(one))))),
    readFunders(scope, everybody),
    readChanges(scope, token, everybody),
    facts.balanceOf(
      snapshot,
      others.map((holder) => ({ token, holder })),
    ),
    pricesAt({ facts, network: chain.network, snapshot }, [token]),
  ]);
  const price = prices.get(token) ?? null;
  const rowFacts: RowFacts = {
    chain,
    decimals: subject.decimals,
    price,
    total_supply: subject.total_supply,
    identities: known,
    changes,
    volumes: trade.volumes,
    has_beginning: snapshot.coverage.complete,
    pnl: gains.pnl,
    funders,
  };
  for (const [i, trader] of others.entries()) {
    const sum = balances[i] ?? 0n;
    amounts.set(trader, isImpossible(snapshot, sum) ? null : sum);
  }
  const lists: HolderLists = {
    holders: shown.map((group) => holderRow(group, rowFacts)),
    traders: traders.map((volume) => traderRow(volume, amounts.get(volume.trader) ?? null, rowFacts)),
    has_more_holders: groups.length > limit || asked.found.length > RANKED_HOLDERS_MAX,
    has_more_traders: trade.traders.length > limit,
    traders_unavailable_reason: trade.reason,
    concentration: concentrationAmong(subject, ranked, ranks),
    price_usd: price?.price_usd ?? null,
  };
  return { lists, warnings: gains.warnings };
};

export const getTokenHoldersTraders = defineTool({
  name: "get_token_holders_traders",
  title: "Top holders and traders of a token",
  description:
    "Largest holders of a token with their share of the supply, largest traders in its verified pools, and holder concentration. Use it for who holds or trades a token: top holders, whales, concentration.",
  credits: 15,
  families: ["evm", "solana", "tron"],
  subjects: ["token_address"],
  are_tokens: true,
  input,
  output,
  example: { token_address: DEMO_EXAMPLES.token, network: "demo" },
  check: ({ from_date, to_date }, { today }) => {
    const first = from_date === undefined ? null : dayStart(from_date);
    const last = dayStart(to_date ?? today);
    if (first === null || last === null || last - first < WINDOW_DAYS_MAX * DAY_S) return null;
    return `from_date and to_date span more than ${WINDOW_DAYS_MAX} days.`;
  },
  view: {
    tokens: 2_000,
    rows: 40,
    members:
      "concentration supply price_usd holders has_more_holders traders has_more_traders traders_unavailable_reason",
    drawn: {
      concentration: "flag all.top10_percent adjusted.top1_percent adjusted.top10_percent gini hhi holders_ranked",
      supply: "total.amount circulating.amount burned.amount",
      holders: {
        is: "page",
        columns:
          "address address_label category ownership_percentage value_usd holder_type addresses_count balance_change_7d token_balance pnl.total_usd first_acquired_at:day",
      },
      traders: {
        is: "page",
        columns:
          "address address_label category buy_volume_usd sell_volume_usd is_bot pnl.realized_usd net_usd pnl.unrealized_usd buy_count sell_count holder_type",
      },
    },
  },
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const token = asked.token_address.hex;
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const window = dateWindow(asked, snapshot.block.time, WINDOW_DAYS_DEFAULT - 1);
    const gaps = (await gapsOf(scope, window)).filter(({ code }) => code === "WINDOW_NOT_COVERED");
    const metadata = metadataFor(chain, snapshot, {
      echo: {
        token_address: formatToken(chain, token),
        date_range: { from: window.from_date, to: window.to_date },
      },
      methodology: METHODOLOGY,
      warnings: [...window.warnings, ...gaps],
    });
    const [subject, { holders: found, is_reconciled, sums }] = await Promise.all([
      readSubject(scope, token),
      readHolders(scope, token, asked.limit),
    ]);
    if (subject === null) {
      return failed(
        "NOT_A_TOKEN",
        `${asked.token_address.text} does not behave like a token on ${asked.network}, and the index has no transfer of it.`,
        metadata,
      );
    }
    const is_told = isSupplyReported(scope, subject, sums);
    const { is_doubtful } = sums;
    if (found.length === 0) {
      const { complete, gaps } = snapshot.coverage;
      const is_proven = complete && gaps.length === 0 && is_told && !is_doubtful;
      return emptyOutcome({ type: TYPE, metadata }, noHolder(asked.network), is_proven);
    }
    const [told, supply] = await Promise.all([
      readLists(scope, subject, { input: asked, window, found }),
      readSupply(scope, subject),
    ]);
    const concentration = is_told && !is_doubtful ? told.lists.concentration : null;
    const lists = { ...told.lists, concentration, supply: supplyOf(supply) };
    const warnings = [
      ...metadata.warnings,
      ...(is_reconciled ? [RECONCILED] : []),
      ...(is_told ? [] : [HOLDERS_INCOMPLETE]),
      ...(is_doubtful ? [BALANCES_UNKNOWN] : []),
      ...told.warnings,
    ];
    const unavailable = missingOf(lists, { is_told, is_doubtful, circulating_gap: supply.reason });
    return data<HoldersOutput>({ type: TYPE, ...lists, unavailable, metadata: { ...metadata, warnings } });
  },
});
