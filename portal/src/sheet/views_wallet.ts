import type { View } from "./views.ts";

export const walletViews: Readonly<Record<string, View>> = {
  get_wallet_portfolio_breakdown: {
    figures: [
      "Total value=total_value_usd",
      "In positions=positions_value_usd",
      "Largest holding=composition_analysis.top1_percent",
      "Without a price=tokens_without_price",
    ],
    tables: [
      {
        title: "Holdings",
        rows: "top_holdings",
        columns: [
          "Symbol=symbol",
          "Network=chain",
          "Token=token_address",
          "Amount=amount",
          "Price=price_usd",
          "Value=usd_value",
          "Share=share_percent",
        ],
      },
      {
        title: "By category",
        rows: "composition_analysis.by_category",
        columns: ["Category=category", "Value=usd_value", "Share=share_percent", "Holdings=holdings"],
      },
      {
        title: "Positions",
        rows: "positions",
        columns: ["Protocol=protocol", "Kind=kind", "Network=chain", "Value=usd_value"],
      },
    ],
  },
  get_wallet_token_holdings: {
    figures: [
      "Total value=summary.total_value_usd",
      "Holdings=summary.holdings_value_usd",
      "Tokens=summary.token_count",
      "Without a price=summary.tokens_without_price",
    ],
    tables: [
      {
        title: "Holdings",
        rows: "holdings",
        columns: [
          "Symbol=symbol",
          "Name=name",
          "Network=chain",
          "Token=token_address",
          "Balance=balance",
          "Price=price_usd",
          "Value=usd_value",
          "Share=share_percent",
          "24 h=price_change_24h_percent",
          "Frozen=is_frozen",
        ],
      },
      {
        title: "Positions",
        rows: "positions",
        columns: ["Protocol=protocol", "Kind=kind", "Network=chain", "Value=usd_value"],
      },
    ],
  },
  get_wallet_pnl: {
    figures: [
      "Profit and loss=summary.total_pnl_usd",
      "Realized=summary.total_realized_pnl_usd",
      "Unrealized=summary.total_unrealized_pnl_usd",
      "Held at unknown cost=summary.uncosted_value_usd",
    ],
    tables: [
      {
        title: "In no profit and no loss",
        rows: "",
        columns: [
          "Held at unknown cost, all tokens=summary.all_tokens.uncosted_value_usd",
          "Sold at unknown cost, all tokens=summary.all_tokens.proceeds_without_cost_usd",
          "Cost known=metadata.cost_coverage_percent",
          "Win rate=summary.win_rate_percent",
          "Fees=summary.gas_fees_usd",
          "From=metadata.date_range.from:time",
          "To=metadata.date_range.to:time",
        ],
      },
      {
        title: "By token",
        rows: "data",
        columns: [
          "Symbol=token_symbol",
          "Network=chain",
          "Token=token_address",
          "Total=pnl.total_usd",
          "Realized=pnl.realized_usd",
          "Unrealized=pnl.unrealized_usd",
          "At unknown cost=trading.uncosted_value_usd",
          "Held=holdings.current_amount",
          "Value=holdings.current_value_usd",
          "Cost=trading.cost_basis_usd",
          "Buys=trading.buy_count",
          "Sells=trading.sell_count",
          "Outcome=outcome",
        ],
      },
    ],
  },
  get_wallet_stats: {
    figures: [
      "Transactions=tx_count",
      "Received=total_in_usd",
      "Sent=total_out_usd",
      "Counterparties=unique_counterparties",
    ],
    tables: [
      {
        title: "By network",
        rows: "by_network",
        columns: [
          "Network=network",
          "Transactions=tx_count",
          "Failed=failed_tx",
          "Token transfers=token_transfer_count",
          "Active days=active_days",
          "First=first_seen",
          "Last=last_seen",
          "Received=total_in_usd",
          "Sent=total_out_usd",
          "Fees=gas_spent_usd",
        ],
      },
      {
        title: "Received and sent, in parts",
        rows: "",
        columns: [
          "Received=total_in_usd",
          "of it minted=of_which.in.mints_usd",
          "of it rewards=of_which.in.rewards_usd",
          "of it by wrapping=of_which.in.wraps_usd",
          "Sent=total_out_usd",
          "of it burned=of_which.out.burns_usd",
          "of it by wrapping coins=of_which.out.wraps_usd",
          "Transfers without a price=unpriced_transfers:count",
        ],
      },
      {
        title: "Figures",
        rows: "",
        columns: [
          "Transactions sent=tx_sent",
          "Transactions received=tx_received",
          "Failed=failed_tx",
          "Active days=active_days",
          "Age in days=age_days",
          "Swaps=swap_count",
          "Swap volume=swap_volume_usd",
          "Contracts deployed=contracts_deployed",
          "Fees=gas_spent_usd",
          "Nonce=nonce",
        ],
      },
    ],
  },
  get_wallet_transactions: {
    figures: [
      "Rows=summary.tx_count",
      "Received, these rows=summary.total_in_usd",
      "Sent, these rows=summary.total_out_usd",
      "Without a price=summary.rows_without_price",
    ],
    tables: [
      {
        title: "Movements",
        rows: "data",
        columns: [
          "When=timestamp",
          "Way=direction",
          "Amount=amount",
          "Token=token:strange",
          "Value=usd_value",
          "Peer=peer.address",
          "Label=peer.label",
          "Act=tx_type",
          "Transaction=tx_hash",
          "Network=chain",
          "Fee=fee_usd",
        ],
      },
    ],
  },
  get_wallet_transaction_patterns: {
    figures: [
      "Transactions=activity.tx_count",
      "Active days=activity.active_days_percent",
      "Net=flow_patterns.net_usd",
      "Automation=automation_score:amount",
    ],
    tables: [
      {
        title: "Found",
        rows: "detected",
        columns: ["Pattern=pattern", "Confidence=confidence:amount", "Evidence=evidence"],
      },
      { title: "Kinds of acts", rows: "type_mix", columns: ["Kind=type", "Count=count", "Share=percent"] },
      {
        title: "Protocols",
        rows: "top_protocols",
        columns: [
          "Contract=address:contract",
          "Label=label",
          "Entity=entity",
          "Transactions=tx_count",
          "Volume=volume_usd",
        ],
      },
      {
        title: "Tokens",
        rows: "top_tokens",
        columns: ["Symbol=symbol", "Token=address:token", "Transfers=transfer_count", "Volume=volume_usd"],
      },
    ],
  },
  get_wallet_deployed_contracts: {
    figures: [
      "Contracts=summary.total:count",
      "Tokens=summary.tokens:count",
      "Source published=summary.verified:count",
      "Destroyed=summary.destroyed:count",
    ],
    tables: [
      {
        title: "Contracts",
        rows: "data",
        columns: [
          "Contract=contract_address",
          "Kind=kind",
          "Name=name",
          "Symbol=symbol",
          "When=created_at",
          "Source published=is_verified",
          "Proxy=is_proxy",
          "Destroyed=is_self_destructed",
          "Same code=same_code_count",
          "Risks=risk_tags",
          "Transaction=tx_hash",
        ],
      },
    ],
  },
  series_net_worth: {
    figures: [],
    tables: [
      {
        title: "Steps",
        rows: "steps",
        columns: [
          "From=date:text",
          "Total=total_value_usd",
          "Holdings=holdings_value_usd",
          "In positions=positions_value_usd",
          "Without a price=tokens_without_price:count",
          "Block=block_number",
          "Why unknown=reason:text",
        ],
      },
    ],
  },
  series_pnl: {
    figures: [],
    tables: [
      {
        title: "Steps",
        rows: "steps",
        columns: [
          "From=date:text",
          "Total=total_pnl_usd",
          "Realized=realized_pnl_usd",
          "Unrealized=unrealized_pnl_usd",
          "Held at unknown cost=uncosted_value_usd",
          "Fees=gas_fees_usd",
          "Block=block_number",
          "Why unknown=reason:text",
        ],
      },
    ],
  },
  get_wallet_account_meta: { figures: [], tables: [] },
  get_wallet_osint_record: { figures: [], tables: [] },
};
