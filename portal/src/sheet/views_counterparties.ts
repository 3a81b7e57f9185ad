import type { View } from "./views.ts";

export const counterpartyViews: Readonly<Record<string, View>> = {
  get_wallet_counterparties: {
    figures: [
      "Counterparties=summary.counterparty_count",
      "Received=summary.total_in_usd+summary.left_out.mints_usd+summary.left_out.rewards_usd",
      "Sent=summary.total_out_usd+summary.left_out.burns_usd",
      "With a label=summary.labeled_count",
    ],
    tables: [
      {
        title: "Received and sent, in parts",
        rows: "",
        columns: [
          "Received from counterparties=summary.total_in_usd",
          "Minted to it=summary.left_out.mints_usd",
          "Rewards=summary.left_out.rewards_usd",
          "Sent to counterparties=summary.total_out_usd",
          "Burned=summary.left_out.burns_usd",
          "Transfers without a price=summary.unpriced_transfers:count",
          "From=metadata.date_range.from:time",
          "To=metadata.date_range.to:time",
        ],
      },
      {
        title: "Counterparties",
        rows: "data",
        columns: [
          "Peer=peer.address",
          "Label=peer.label",
          "Category=peer.category",
          "In=volume_in_usd",
          "Out=volume_out_usd",
          "Net=net_usd",
          "Transactions=tx_count",
          "First=first_interaction",
          "Last=last_interaction",
          "Risks=risk_tags",
        ],
      },
    ],
  },
  get_wallet_counterparties_analysis: {
    figures: [
      "Counterparties=summary.counterparty_count",
      "Largest five=concentration.top5_percent",
      "New peers=recurrence.new_peers",
      "Poisoning=poisoning_attempts.count",
    ],
    tables: [
      {
        title: "By category",
        rows: "by_category",
        columns: [
          "Category=category",
          "In=in_usd",
          "Out=out_usd",
          "Share in=share_in_percent",
          "Share out=share_out_percent",
          "Peers=peer_count",
        ],
      },
      {
        title: "By entity",
        rows: "by_entity",
        columns: ["Entity=entity", "Category=category", "In=in_usd", "Out=out_usd", "Addresses=addresses_count"],
      },
      {
        title: "Relationships",
        rows: "relationships",
        columns: ["Address=address", "Relation=relation:text", "Confidence=confidence:amount", "Evidence=evidence"],
      },
      {
        title: "Risk exposure",
        rows: "risk_exposure",
        columns: ["Category=category", "In=in_usd", "Out=out_usd", "Evidence=evidence"],
      },
    ],
  },
};
