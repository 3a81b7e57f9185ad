/** Profit of several wallets by step, from the series of each. */
import { fieldsOf, type JsonObject } from "../api/answer.ts";

export interface WalletPlace {
  readonly network: string;
  readonly address: string;
}

/** A wallet with the steps of its series; null before its answer. */
export interface WalletSteps {
  readonly wallet: WalletPlace;
  readonly steps: readonly JsonObject[] | null;
}

/** A wallet in one step, or all of them. Null: unknown, with the reason. */
export interface ProfitRow {
  readonly date: string;
  /** Null: the sum of all wallets. */
  readonly wallet: WalletPlace | null;
  /** Profit of this step alone. */
  readonly step_usd: number | null;
  /** Since the first day of the series. */
  readonly total_usd: number | null;
  readonly realized_usd: number | null;
  readonly unrealized_usd: number | null;
  readonly fees_usd: number | null;
  readonly reason: string | null;
}

const MAX_WALLETS = 12;

/** `network:address,network:address` in the address of the page. */
export const readWallets = (text: string | null): readonly WalletPlace[] => {
  const seen = new Map<string, WalletPlace>();
  for (const part of (text ?? "").split(",")) {
    const at = part.indexOf(":");
    const [network, address] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (at > 0 && address !== "") seen.set(`${network}:${address}`, { network, address });
  }
  return [...seen.values()].slice(0, MAX_WALLETS);
};

export const writeWallets = (wallets: readonly WalletPlace[]): string =>
  wallets.map(({ network, address }) => `${network}:${address}`).join(",");

const numberIn = (row: JsonObject | undefined, name: string): number | null => {
  const value = row?.[name];
  return typeof value === "number" ? value : null;
};

const rowsOf = ({ wallet, steps }: WalletSteps): readonly ProfitRow[] =>
  (steps ?? []).map((step, at) => {
    const total_usd = numberIn(step, "total_pnl_usd");
    const before = at === 0 ? 0 : numberIn(steps?.[at - 1], "total_pnl_usd");
    const { date, reason } = fieldsOf(step);
    return {
      ...{ date: String(date), wallet, total_usd },
      step_usd: total_usd === null || before === null ? null : total_usd - before,
      realized_usd: numberIn(step, "realized_pnl_usd"),
      unrealized_usd: numberIn(step, "unrealized_pnl_usd"),
      fees_usd: numberIn(step, "gas_fees_usd"),
      reason: typeof reason === "string" ? reason : null,
    };
  });

const FIGURES = ["step_usd", "total_usd", "realized_usd", "unrealized_usd", "fees_usd"] as const;

/** The sum of one step. A figure that is unknown for one wallet is unknown for all. */
const sumOf = (date: string, rows: readonly ProfitRow[], all: readonly WalletSteps[]): ProfitRow => {
  const count = all.length;
  const unanswered = all.filter(({ steps }) => steps === null).length;
  const sum = (name: (typeof FIGURES)[number]): number | null =>
    rows.length < count || rows.some((row) => row[name] === null)
      ? null
      : rows.reduce((before, row) => before + (row[name] ?? 0), 0);
  const unknown = rows.filter(({ step_usd }) => step_usd === null).map(({ wallet }) => wallet?.network ?? "");
  const missing = rows.length + unanswered < count ? ["a wallet without this step"] : [];
  const waiting = unanswered > 0 ? [`${unanswered} wallet${unanswered === 1 ? "" : "s"} without an answer`] : [];
  const why = [...waiting, ...missing, ...unknown];
  return {
    ...{
      date,
      wallet: null,
      step_usd: sum("step_usd"),
      total_usd: sum("total_usd"),
      realized_usd: sum("realized_usd"),
    },
    ...{ unrealized_usd: sum("unrealized_usd"), fees_usd: sum("fees_usd") },
    reason: why.length === 0 ? null : `unknown for ${why.join(", ")}`,
  };
};

/** Rows of each step, the sum of all wallets first, the newest step first. */
export const profitRows = (wallets: readonly WalletSteps[]): readonly ProfitRow[] => {
  const rows = wallets.flatMap(rowsOf);
  const dates = [...new Set(rows.map(({ date }) => date))].sort().reverse();
  return dates.flatMap((date) => {
    const own = rows.filter((row) => row.date === date);
    return wallets.length < 2 ? own : [sumOf(date, own, wallets), ...own];
  });
};
