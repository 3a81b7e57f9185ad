import { useState } from "preact/hooks";
import { KeyName, keyState, keyText } from "../account/keys.tsx";
import { Refusal, Section, Sure, Table } from "../account/parts.tsx";
import { rowsOf, sendRequest, timeOf, useAccountQuery, words } from "../account/request.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";

const scopesOf = ({ scopes }: JsonObject): string => (Array.isArray(scopes) ? scopes.join(", ") : "");

/** Ids by names, of accounts or users. */
const namesOf = (answer: ToolAnswer | null, list: string): ReadonlyMap<string, string> =>
  new Map((answer === null ? [] : rowsOf(answer.body, list)).map((row) => [words(row, "id"), words(row, "name")]));

/** Keys of all accounts; any of them is revoked here. */
export const Keys = () => {
  const { answer, again } = useAccountQuery("/api/operator/keys");
  const accounts = namesOf(useAccountQuery("/api/operator/accounts").answer, "accounts");
  const users = namesOf(useAccountQuery("/api/operator/users").answer, "users");
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [has_ended, setEnded] = useState(false);
  const revoke = async (key: JsonObject) => {
    const got = await sendRequest("POST", `/api/operator/keys/${encodeURIComponent(words(key, "id"))}/revoke`, {});
    setRefused(got.status === "error" ? got : null);
    again();
  };
  const holderOf = (key: JsonObject): string => {
    const by = words(key, "rotated_by") || words(key, "created_by");
    return users.get(by.replace(/^user:/, "")) ?? (by || "not kept");
  };
  const keys = answer === null ? [] : rowsOf(answer.body, "keys");
  const shown = has_ended ? keys : keys.filter(({ revoked_at }) => revoked_at === null);
  return (
    <Section
      title="Keys"
      aside={
        <label>
          <input type="checkbox" checked={has_ended} onChange={() => setEnded(!has_ended)} /> also revoked ones
        </label>
      }
    >
      <Refusal answer={refused ?? answer} />
      <Table
        label="Keys of all accounts"
        rows={shown}
        keyOf={(key) => words(key, "id")}
        empty={answer === null ? "Loading…" : "No account has a key."}
        columns={[
          { head: "Account", cell: (key) => accounts.get(words(key, "account_id")) ?? words(key, "account_id") },
          { head: "Key", value: keyText, cell: (key) => <KeyName row={key} /> },
          { head: "Secret given to", cell: holderOf },
          { head: "Opens", cell: scopesOf },
          { head: "Since (UTC)", cell: (key) => timeOf(words(key, "created_at")) },
          { head: "Last used", cell: (key) => timeOf(words(key, "last_used_at")) || "never" },
          { head: "State", cell: keyState },
          {
            head: "Change",
            cell: (key) =>
              key.revoked_at === null ? (
                <Sure
                  name="Revoke"
                  question={`Key ${words(key, "prefix")}… of ${accounts.get(words(key, "account_id")) ?? "this account"} ends for good, within a second.`}
                  onSure={() => void revoke(key)}
                />
              ) : (
                "—"
              ),
          },
        ]}
      />
    </Section>
  );
};
