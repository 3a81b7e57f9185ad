import { restoring, signedIn } from "../account/session.ts";
import { hasEnded } from "../api/client.ts";
import { setQuery } from "../navigation.ts";
import { Accounts, Users } from "../operator/accounts.tsx";
import { Audit } from "../operator/audit.tsx";
import { Endpoints } from "../operator/endpoints.tsx";
import { Keys } from "../operator/keys.tsx";
import { Lists } from "../operator/lists.tsx";
import { Networks } from "../operator/networks.tsx";
import { RiskRules } from "../operator/risk_rules.tsx";
import { Spending } from "../operator/spending.tsx";
import { Tools } from "../operator/tools.tsx";
import { Watches } from "../operator/watches.tsx";
import type { PageProps } from "../routes.ts";
import { useStore } from "../store.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/account.css";

const PARTS = [
  { id: "networks", name: "Networks", Part: Networks },
  { id: "nodes", name: "Nodes", Part: Endpoints },
  { id: "spending", name: "Spending", Part: Spending },
  { id: "lists", name: "Lists", Part: Lists },
  { id: "accounts", name: "Accounts", Part: Accounts },
  { id: "keys", name: "Keys", Part: Keys },
  { id: "users", name: "Users", Part: Users },
  { id: "tools", name: "Prices", Part: Tools },
  { id: "risk", name: "Risk rules", Part: RiskRules },
  { id: "watches", name: "Watches", Part: Watches },
  { id: "audit", name: "Audit trail", Part: Audit },
];

const SignedOut = () => {
  const has_ended = useStore(hasEnded);
  return (
    <Notice tone="warn" title={has_ended ? "Your session has ended" : "This page is for operators who are signed in"}>
      <a href="/app/sign-in?to=/app/operator">Sign in</a>
    </Notice>
  );
};

const Operator = ({ query }: PageProps) => {
  const who = useStore(signedIn);
  const is_waiting = useStore(restoring);
  const chosen = PARTS.find(({ id }) => id === query.get("part")) ?? PARTS[0];
  if (who === null) return is_waiting ? <p class="waiting">Opening…</p> : <SignedOut />;
  if (!who.is_operator)
    return (
      <Notice tone="warn" title="This page is for operators">
        You are signed in as {who.name}, who is not an operator, or the setting sign_in.operators is off.
      </Notice>
    );
  return (
    <div class="sheets">
      <div class="sheet-head">
        <h1>Operator</h1>
        <fieldset class="segments">
          <legend class="unseen">Part</legend>
          {PARTS.map(({ id, name }) => (
            <button key={id} type="button" aria-pressed={id === chosen?.id} onClick={() => setQuery({ part: id })}>
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      {chosen === undefined ? null : <chosen.Part />}
    </div>
  );
};

export default Operator;
