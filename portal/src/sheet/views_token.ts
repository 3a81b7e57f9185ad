import type { View } from "./views.ts";

export const tokenViews: Readonly<Record<string, View>> = {
  get_token_info: {
    figures: ["Price=price_usd", "Market value=market_cap_usd", "Liquidity=liquidity_usd", "Holders=holders_count"],
    tables: [
      {
        title: "Token",
        rows: "",
        columns: [
          "Pretends to be=impersonates.canonical_address:token",
          "Signs in the name=name_flags",
          "Lists=lists",
          "Symbol=symbol",
          "Name=name",
          "Standard=standard",
          "Decimals=decimals",
          "Supply=total_supply",
          "Circulating=circulating_supply",
          "Created=created_at",
          "Creator=creator",
          "Source published=is_verified",
          "Proxy=is_proxy",
          "Stablecoin=is_stablecoin",
        ],
      },
    ],
  },
  get_token_market_analysis: {
    figures: ["Price=price.usd", "Volume=volume.usd", "Liquidity=liquidity.total_usd", "Market value=market_cap_usd"],
    tables: [
      {
        title: "Pools",
        rows: "liquidity.top_pools",
        columns: [
          "Pool=address:contract",
          "Exchange=dex",
          "Pair=pair:strange",
          "Fee=fee_percent",
          "Liquidity=liquidity_usd",
          "Volume 24 h=volume_24h_usd",
          "Locked=lp_locked_percent",
          "Since=created_at",
        ],
      },
      {
        title: "Signals",
        rows: "signals",
        columns: ["Signal=code", "Value=value:amount", "Threshold=threshold:amount"],
      },
      {
        title: "Trades",
        rows: "",
        columns: [
          "Trades=trades.count:count",
          "Buys=trades.buys:count",
          "Sells=trades.sells:count",
          "Traders=trades.unique_traders:count",
          "Bought=volume.buy_usd",
          "Sold=volume.sell_usd",
          "Wash volume=quality.wash_volume_percent",
          "High 24 h=price.high_24h:usd",
          "Low 24 h=price.low_24h:usd",
        ],
      },
    ],
  },
  get_token_holders_traders: {
    figures: [
      "Largest ten=concentration.adjusted.top10_percent",
      "Gini=concentration.gini",
      "Concentration=concentration.flag",
      "Ranked=concentration.holders_ranked:count",
    ],
    tables: [
      {
        title: "Holders",
        rows: "holders",
        columns: [
          "Address=address",
          "Label=address_label",
          "Kind=holder_type",
          "Share=ownership_percentage",
          "Balance=token_balance",
          "Value=value_usd",
          "Change 7 d=balance_change_7d:amount",
          "First=first_acquired_at",
          "P&L=pnl.total_usd",
          "At unknown cost=pnl.uncosted_value_usd",
        ],
      },
      {
        title: "Traders",
        rows: "traders",
        columns: [
          "Address=address",
          "Label=address_label",
          "Bought=buy_volume_usd",
          "Sold=sell_volume_usd",
          "Net=net_usd",
          "Buys=buy_count",
          "Sells=sell_count",
          "P&L=pnl.total_usd",
          "At unknown cost=pnl.uncosted_value_usd",
          "Bot=is_bot",
        ],
      },
    ],
  },
  get_token_flows: {
    figures: [
      "Transfers=summary.transfer_count",
      "Volume=summary.transfer_volume_usd",
      "Bought=summary.dex_buy_usd",
      "Sold=summary.dex_sell_usd",
    ],
    tables: [
      {
        title: "By day",
        rows: "data",
        columns: [
          "Day=date",
          "Price=price_usd",
          "Transfers=transfer_count",
          "Volume=transfer_volume_usd",
          "Net=net_flow_usd",
          "Bought=dex_buy_usd",
          "Sold=dex_sell_usd",
          "Held=segment_value_usd",
          "Holders=holders_count",
        ],
      },
      {
        title: "Largest transfers",
        rows: "largest_transfers",
        columns: [
          "When=timestamp",
          "From=from",
          "Label of sender=from_label",
          "To=to",
          "Label of receiver=to_label",
          "Amount=amount",
          "Value=usd_value",
          "Transaction=tx_hash",
        ],
      },
    ],
  },
  get_token_flow_intelligence: {
    figures: [
      "Smart traders=flows.smart_trader.net_flow_usd",
      "Whales=flows.whale.net_flow_usd",
      "Exchanges=flows.exchange.net_flow_usd",
      "Price=price_usd",
    ],
    tables: [
      {
        title: "Cohorts",
        rows: "flows",
        columns: [
          "Cohort=key:words",
          "Net=net_flow_usd",
          "In=inflow_usd",
          "Out=outflow_usd",
          "Average=avg_flow_usd",
          "Wallets=wallet_count",
        ],
      },
    ],
  },
  get_token_risk_traits: {
    figures: [
      "Level=risk_overview.risk_level",
      "Security=risk_overview.security_score",
      "Buy tax=taxes.buy_tax_percent",
      "Sell tax=taxes.sell_tax_percent",
    ],
    tables: [
      { title: "Checklist", rows: "security_flags", columns: ["Trait=key:words", "Found=value:flag"] },
      {
        title: "Findings",
        rows: "alerts",
        columns: ["Severity=severity", "Finding=description:text", "Evidence=evidence"],
      },
      {
        title: "Pools",
        rows: "liquidity.pools",
        columns: [
          "Exchange=dex",
          "Pool=address:contract",
          "Liquidity=liquidity_usd",
          "Locked=lp_locked_percent",
          "Burned=lp_burned_percent",
          "Until=lock_until",
        ],
      },
    ],
  },
  analyze_token_developer: {
    figures: [
      "Risk=risk_level",
      "Held by developer=holdings.developer_percent",
      "Tokens launched=history.tokens_launched:count",
      "Rugged=history.rug_rate_percent",
    ],
    tables: [
      {
        title: "Tokens of this developer",
        rows: "history.tokens",
        columns: [
          "Symbol=symbol",
          "Token=address:token",
          "Network=network",
          "Created=created_at",
          "Outcome=outcome",
          "Cause=cause:text",
          "Peak liquidity=peak_liquidity_usd",
          "Lifetime, days=lifetime_days",
          "Evidence=evidence",
        ],
      },
      {
        title: "Findings",
        rows: "flags",
        columns: ["Severity=severity", "Finding=description:text", "Evidence=evidence"],
      },
      {
        title: "Linked wallets",
        rows: "holdings.linked_wallets",
        columns: ["Wallet=address", "Relation=relation:text", "Share=percent"],
      },
    ],
  },
  analyze_token_website: {
    figures: ["Score=score", "Level=risk_level", "Reachable=reachable:flag", "Age of domain, days=domain.age_days"],
    tables: [
      {
        title: "Findings",
        rows: "findings",
        columns: ["Severity=severity", "Finding=message:text", "Points=points", "Evidence=evidence"],
      },
    ],
  },
  resolve_token_symbol: {
    figures: ["Matches=total_matches:count", "Ambiguous=ambiguous:flag"],
    tables: [
      {
        title: "Tokens",
        rows: "matches",
        columns: [
          "Symbol=symbol",
          "Name=name",
          "Network=network",
          "Token=token_address",
          "Known lists=verified_by_lists",
          "Liquidity=liquidity_usd",
          "Market value=market_cap_usd",
          "Holders=holders_count",
          "Created=created_at",
          "Risks=risk_tags",
        ],
      },
    ],
  },
};
