/** An answer of each call that has a picture: those of the documentation, and series written by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const step = (date: string, values: Readonly<Record<string, number | null>>) => ({
  ...{ date, until: `${date}T23:59:59Z`, block_number: 10, reason: null },
  ...values,
});

const SERIES: Readonly<Record<string, object>> = {
  series_net_worth: {
    type: "net_worth_series",
    steps: [
      step("2026-08-09", { total_value_usd: null, positions_value_usd: null }),
      step("2026-08-16", { total_value_usd: 100, positions_value_usd: 0 }),
      step("2026-08-23", { total_value_usd: 250, positions_value_usd: 50 }),
    ],
  },
  series_pnl: {
    type: "pnl_series",
    steps: [
      step("2026-08-09", { total_pnl_usd: -7.5, realized_pnl_usd: 0 }),
      step("2026-08-16", { total_pnl_usd: null, realized_pnl_usd: 12 }),
      step("2026-08-23", { total_pnl_usd: 20, realized_pnl_usd: 12 }),
    ],
  },
};

export const chartExample = (call: string): object =>
  SERIES[call] ?? JSON.parse(readFileSync(join(import.meta.dirname, "../docs/examples", `${call}.json`), "utf8"));
