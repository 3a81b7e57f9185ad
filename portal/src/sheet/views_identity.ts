import type { View } from "./views.ts";

/** Identity of a wallet, with positive and negative findings. */
export const identityViews: Readonly<Record<string, View>> = {
  get_wallet_risk_score: {
    figures: [
      "Risk score=risk_score:amount",
      "Level=risk_level",
      "Sanctioned=is_sanctioned",
      "Traced=coverage_percent",
    ],
    tables: [
      {
        title: "Composition",
        rows: "top_reasons",
        columns: ["Reason=code", "Category=category", "Points=weight:amount", "Evidence=evidence"],
      },
    ],
  },
  get_wallet_risk_overview: {
    figures: [
      "Risk score=risk_score:amount",
      "Level=risk_level",
      "Frozen now=stablecoin_freezes.frozen_now",
      "Traced=coverage_percent",
    ],
    tables: [
      {
        title: "Contributions",
        rows: "categories",
        columns: [
          "Category=category",
          "Points=score:amount",
          "Own=direct",
          "Direct in=direct_in_usd",
          "Indirect in=indirect_in_usd",
          "Direct out=direct_out_usd",
          "Indirect out=indirect_out_usd",
          "Share in=share_in_percent",
          "Steps=min_hops",
          "Evidence=evidence",
        ],
      },
      {
        title: "Fired rules",
        rows: "rules_fired",
        columns: [
          "Rule=id",
          "Category=category",
          "Measured=usd",
          "Limit=limit_usd",
          "Share=percent",
          "Limit of share=limit_percent",
        ],
      },
      { title: "Behaviour", rows: "behaviour", columns: ["What=code", "Points=score:amount", "Evidence=evidence"] },
      {
        title: "Related wallets",
        rows: "related_risky_wallets",
        columns: [
          "Wallet=address",
          "Label=label",
          "Category=category",
          "Relation=relation:text",
          "Value=usd",
          "Evidence=evidence",
        ],
      },
      {
        title: "Approvals at risk",
        rows: "approvals_at_risk",
        columns: [
          "Token=token",
          "Spender=spender",
          "Unlimited=is_unlimited",
          "Value at risk=value_at_risk_usd",
          "Why=reason:text",
          "Evidence=evidence",
        ],
      },
      { title: "Positive factors", rows: "positive_factors", columns: ["Factor=description", "Evidence=evidence"] },
    ],
  },
  wallet_approvals: {
    figures: [
      "Open=summary.open:count",
      "At risk=summary.value_at_risk_usd",
      "Risky spenders=summary.risky_spender:count",
      "Unlimited=summary.unlimited:count",
    ],
    tables: [
      {
        title: "Open approvals",
        rows: "approvals",
        columns: [
          "Token=token_address",
          "Spender=spender.address",
          "Label=spender.label",
          "Unlimited=is_unlimited",
          "Left=amount",
          "Value at risk=value_at_risk_usd",
          "Set=approved.time:time",
          "Last use=last_use.time:time",
          "Why unknown=value_reason:text",
          "Evidence=evidence",
        ],
      },
    ],
  },
  get_wallet_stablecoin_compliance: {
    figures: [
      "Verdict=verdict",
      "Frozen value=frozen_value_usd",
      "From frozen=counterparty_exposure.received_from_frozen_usd",
      "From sanctioned=counterparty_exposure.received_from_sanctioned_usd",
    ],
    tables: [
      {
        title: "Coins checked",
        rows: "checks",
        columns: [
          "Coin=symbol",
          "Network=network",
          "Contract=contract",
          "Check=status",
          "How=method:text",
          "Block=block_number",
          "Why not=reason",
        ],
      },
      {
        title: "Holdings",
        rows: "holdings",
        columns: [
          "Coin=symbol",
          "Network=network",
          "Balance=balance",
          "Value=value_usd",
          "Can be frozen=can_issuer_freeze",
          "Frozen=is_frozen",
          "Since=frozen_since",
        ],
      },
      {
        title: "Freezes",
        rows: "freeze_history",
        columns: ["Coin=symbol", "Network=network", "Event=event", "When=timestamp", "Transaction=tx_hash"],
      },
      {
        title: "Powers of issuers",
        rows: "token_powers",
        columns: [
          "Coin=symbol",
          "Network=network",
          "Freeze=freeze",
          "Seize=seize_or_destroy",
          "Pause=pause",
          "Change code=upgradeable",
          "Admin=admin:address",
        ],
      },
      { title: "Sanctions", rows: "sanctions.matches", columns: ["List=list", "Name=name", "Evidence=evidence"] },
    ],
  },
  is_address_blacklisted_by_stablecoin: {
    figures: ["Blacklisted=is_blacklisted", "Earlier=previously_blacklisted"],
    tables: [
      {
        title: "Coins",
        rows: "results",
        columns: [
          "Coin=stablecoin:strange",
          "Network=network",
          "Contract=contract",
          "Blacklisted=is_blacklisted",
          "Check=status",
          "Balance=balance",
          "Block=block_number",
          "Why not=reason",
        ],
      },
    ],
  },
  get_wallet_address_profile: {
    figures: [
      "Label=identity.primary_label",
      "Wealth=wealth.total_value_usd",
      "Age in days=activity.age_days",
      "Risk=risk.level",
    ],
    tables: [
      {
        title: "First funder",
        rows: "funding.chain",
        columns: [
          "From=address",
          "Label=label",
          "Funded=funded",
          "Amount=amount",
          "When=timestamp",
          "Transaction=tx_hash",
        ],
      },
      {
        title: "Counterparties",
        rows: "behaviour.top_counterparties",
        columns: ["Address=address", "Label=label", "Network=network", "Volume=volume_usd", "Transactions=tx_count"],
      },
      {
        title: "Related wallets",
        rows: "related_wallets",
        columns: ["Address=address", "Label=label", "Network=network", "Relation=relation:text", "Evidence=evidence"],
      },
    ],
  },
};
