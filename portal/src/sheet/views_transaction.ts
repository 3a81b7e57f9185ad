import type { View } from "./views.ts";

export const transactionViews: Readonly<Record<string, View>> = {
  analyze_transaction: {
    lead: "summary_text",
    figures: ["Status=status", "Kind=category", "Value=headline.usd_value", "Fee=fee.usd"],
    tables: [
      {
        title: "Transaction",
        rows: "",
        columns: [
          "From=from",
          "To=to",
          "Method=method.name:strange",
          "When=timestamp",
          "Block=block_number",
          "Confirmations=confirmations:count",
          "Final=finalized:flag",
          "Protocol=headline.protocol:label",
        ],
      },
      {
        title: "Balance changes",
        rows: "asset_changes",
        columns: ["Address=address", "Label=label", "Symbol=symbol", "Token=token", "Amount=amount", "Value=usd_value"],
      },
      {
        title: "Acts",
        rows: "actions",
        columns: [
          "Act=type",
          "Protocol=protocol:strange",
          "Actor=actor",
          "Given=tokens_out",
          "Got=tokens_in",
          "Value=usd_value",
          "Contract=contract",
        ],
      },
      {
        title: "Transfers",
        rows: "transfers",
        columns: [
          "Kind=kind",
          "From=from",
          "To=to",
          "Symbol=symbol",
          "Token=token",
          "Amount=amount",
          "Value=usd_value",
        ],
      },
      {
        title: "Calls",
        rows: "internal_calls",
        columns: [
          "Depth=depth",
          "Call=kind",
          "From=from",
          "To=to:contract",
          "Method=method:strange",
          "Coin=value:amount",
          "Went through=succeeded",
          "Error=error:text",
        ],
      },
      {
        title: "Approvals",
        rows: "approvals",
        columns: [
          "Kind=kind",
          "Owner=owner",
          "Spender=spender",
          "Token=token",
          "Amount=amount",
          "Unlimited=is_unlimited",
        ],
      },
      {
        title: "Risk flags",
        rows: "risk_flags",
        columns: ["Severity=severity", "Flag=code", "Finding=description:text", "Evidence=evidence"],
      },
    ],
  },
  get_contract_source_code: {
    figures: ["Contract=contract_name", "Match=match:text", "Compiler=compiler_version:text", "License=license:text"],
    tables: [{ title: "Files", rows: "files", columns: ["File=path:strange", "Bytes=bytes", "Cut=truncated:flag"] }],
  },
  get_contract_creation: {
    figures: ["Created=timestamp", "Method=method:text", "Proxy=is_proxy", "Destroyed=is_self_destructed"],
    tables: [
      {
        title: "Creation",
        rows: "",
        columns: [
          "Deployer=deployer",
          "Factory=factory",
          "Transaction=creation_tx_hash",
          "Block=block_number",
          "Implementation=implementation",
          "Code hash=runtime_code_hash:text",
        ],
      },
    ],
  },
  resolve_name: {
    figures: ["Service=service:text", "Points back=reverse_verified:flag", "Expires=expires_at"],
    tables: [
      {
        title: "Name",
        rows: "",
        columns: [
          "Name=normalized_name:strange",
          "Network=network",
          "Address=address",
          "Owner=owner",
          "Expires=expires_at",
        ],
      },
      {
        title: "Other services",
        rows: "alternatives",
        columns: ["Service=service:text", "Network=network", "Address=address"],
      },
    ],
  },
  resolve_ens: {
    figures: ["Points back=reverse_verified:flag", "Expires=expires_at"],
    tables: [
      {
        title: "Name",
        rows: "",
        columns: [
          "Name=normalized_name:strange",
          "Address=address",
          "Owner=owner",
          "Resolver=resolver:contract",
          "Name of the address=reverse_name:strange",
        ],
      },
    ],
  },
};
