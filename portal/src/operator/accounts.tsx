import { useState } from "preact/hooks";
import { RoleChoice, UNCHOSEN } from "../account/members.tsx";
import { Once, Refusal, Section, Sure, Table } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, sendRequest, timeOf, useAccountQuery, words } from "../account/request.ts";
import { Usage } from "../account/usage.tsx";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";

const useChange = (again: () => void) => {
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const change = async (method: "POST" | "PUT", path: string, body: JsonObject): Promise<ToolAnswer> => {
    const answer = await sendRequest(method, path, body);
    setRefused(answer.status === "error" ? answer : null);
    if (answer.status !== "error") again();
    return answer;
  };
  return { refused, change };
};

const MakeAccount = ({ plans, onMake }: { plans: readonly string[]; onMake: (name: string, plan: string) => void }) => {
  const [name, setName] = useState("");
  const [plan, setPlan] = useState("free");
  const make = (event: Event) => {
    event.preventDefault();
    onMake(name, plan);
    setName("");
  };
  return (
    <form class="make" onSubmit={make}>
      <label class="field">
        New account
        <input required maxLength={200} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label class="field">
        Plan
        <select value={plan} onChange={(event) => setPlan(event.currentTarget.value)}>
          {plans.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <button type="submit">Make it</button>
    </form>
  );
};

interface AccountProps {
  readonly id: string;
  readonly plans: readonly string[];
  readonly onClose: () => void;
}

const AccountCredits = ({ body }: { readonly body: JsonObject }) => (
  <dl class="figures small">
    <div>
      <dt>Credits left</dt>
      <dd>
        {formatNumber(numberOf(body, "credits_remaining"))}{" "}
        <small>of {formatNumber(numberOf(body, "credits_quota"))}</small>
      </dd>
    </div>
    <div>
      <dt>Keys</dt>
      <dd>
        {formatNumber(numberOf(body, "keys"))} <small>of {formatNumber(numberOf(body, "keys_max"))}</small>
      </dd>
    </div>
    <div>
      <dt>Id</dt>
      <dd>
        <code>{words(body, "id")}</code>
      </dd>
    </div>
  </dl>
);

/** One account: its remaining credits, its plan, a grant. */
const OneAccount = ({ id, plans, onClose }: AccountProps) => {
  const path = `/api/operator/accounts/${encodeURIComponent(id)}`;
  const { answer, again } = useAccountQuery(path);
  const { refused, change } = useChange(again);
  const [credits, setCredits] = useState("");
  if (answer === null) return <p class="waiting">The account is being read…</p>;
  const { body } = answer;
  const grant = (event: Event) => {
    event.preventDefault();
    void change("POST", `${path}/grants`, { credits: Number(credits) });
    setCredits("");
  };
  return (
    <div class="once">
      <div class="sheet-head">
        <h3>{words(body, "name")}</h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <Refusal answer={refused ?? answer} />
      <AccountCredits body={body} />
      <form class="make" onSubmit={grant}>
        <label class="field">
          Plan
          <select
            value={words(body, "plan")}
            onChange={(event) => void change("PUT", `${path}/plan`, { plan: event.currentTarget.value })}
          >
            {plans.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label class="field">
          Credits to grant this month
          <input
            required
            type="number"
            min="1"
            value={credits}
            onInput={(event) => setCredits(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Grant</button>
      </form>
      <Usage path={`/api/operator/usage?account_id=${encodeURIComponent(id)}`} />
    </div>
  );
};

/** All accounts; one of them opened. */
export const Accounts = () => {
  const { answer, again } = useAccountQuery("/api/operator/accounts");
  const plans = useAccountQuery("/api/operator/plans").answer;
  const { refused, change } = useChange(again);
  const [opened, setOpened] = useState<string | null>(null);
  const names = plans === null ? [] : rowsOf(plans.body, "plans").map((plan) => words(plan, "id"));
  return (
    <Section title="Accounts">
      <Refusal answer={refused ?? answer} />
      <Table
        label="All accounts"
        rows={answer === null ? [] : rowsOf(answer.body, "accounts")}
        keyOf={(row) => words(row, "id")}
        empty={answer === null ? "Loading…" : "No accounts yet."}
        columns={[
          {
            head: "Name",
            value: (row) => words(row, "name"),
            cell: (row) => (
              <button type="button" aria-expanded={opened === row.id} onClick={() => setOpened(words(row, "id"))}>
                {words(row, "name")}
              </button>
            ),
          },
          { head: "Plan", cell: (row) => words(row, "plan") },
          { head: "Since (UTC)", cell: (row) => timeOf(words(row, "created_at")) },
        ]}
      />
      {opened === null ? null : <OneAccount key={opened} id={opened} plans={names} onClose={() => setOpened(null)} />}
      <MakeAccount
        plans={names.filter((plan) => plan !== "custom")}
        onMake={(name, plan) => void change("POST", "/api/operator/accounts", { name, plan })}
      />
    </Section>
  );
};

const LinkForm = ({ accounts, onLink }: { accounts: readonly JsonObject[]; onLink: (wish: JsonObject) => void }) => {
  const [name, setName] = useState("");
  const [account_id, setAccount] = useState("");
  const [is_operator, setOperator] = useState(false);
  const [role, setRole] = useState("");
  const link = (event: Event) => {
    event.preventDefault();
    onLink({
      name,
      is_operator,
      account_id: account_id === "" ? null : account_id,
      ...(account_id !== "" && role !== "" && { role }),
    });
  };
  return (
    <form class="make" onSubmit={link}>
      <label class="field">
        Name of the user
        <input required maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label class="field">
        Account
        <select value={account_id} onChange={(event) => setAccount(event.currentTarget.value)}>
          <option value="">none</option>
          {accounts.map((account) => (
            <option key={words(account, "id")} value={words(account, "id")}>
              {words(account, "name")}
            </option>
          ))}
        </select>
      </label>
      <RoleChoice label="Role in the account" role={role} onChoose={setRole} unchosen={UNCHOSEN} />
      <label>
        <input type="checkbox" checked={is_operator} onChange={() => setOperator(!is_operator)} /> is an operator
      </label>
      <button type="submit">Make a set-up link</button>
    </form>
  );
};

/** People who sign in. */
export const Users = () => {
  const { answer, again } = useAccountQuery("/api/operator/users");
  const accounts = useAccountQuery("/api/operator/accounts").answer;
  const { refused, change } = useChange(again);
  const [link, setLink] = useState<string | null>(null);
  const rows = accounts === null ? [] : rowsOf(accounts.body, "accounts");
  const nameOf = (id: string | null) => rows.find((row) => row.id === id)?.name ?? id ?? "—";
  const make = async (wish: JsonObject) => {
    const made = await change("POST", "/api/operator/users", wish);
    if (made.status !== "error") setLink(`${location.origin}/app/set-up#${words(made.body, "token")}`);
  };
  return (
    <Section title="Users">
      <Refusal answer={refused ?? answer} />
      {link === null ? null : (
        <Once
          what="The link. The first person to open it chooses the password."
          text={link}
          onDone={() => setLink(null)}
        />
      )}
      <Table
        label="All users"
        rows={answer === null ? [] : rowsOf(answer.body, "users").filter(({ state }) => state !== "removed")}
        keyOf={(row) => words(row, "id")}
        empty={answer === null ? "Loading…" : "No users yet."}
        columns={[
          { head: "Name", cell: (row) => words(row, "name") },
          { head: "Account", cell: (row) => String(nameOf(textOf(row.account_id))) },
          { head: "State", cell: (row) => words(row, "state") },
          { head: "Rights", cell: rightsOf },
          {
            head: "Change",
            cell: (row) => (
              <Sure
                name="Remove"
                question="All sessions end at once."
                onSure={() =>
                  void change("POST", `/api/operator/users/${encodeURIComponent(words(row, "id"))}/remove`, {})
                }
              />
            ),
          },
        ]}
      />
      <LinkForm accounts={rows} onLink={(wish) => void make(wish)} />
    </Section>
  );
};

const rightsOf = ({ is_operator, role }: JsonObject): string =>
  [...(is_operator === true ? ["operator"] : []), ...(typeof role === "string" ? [role.replace("_", " ")] : [])].join(
    ", ",
  ) || "—";
