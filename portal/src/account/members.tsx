import { useState } from "preact/hooks";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { Once, Refusal, Section, Sure, Table } from "./parts.tsx";
import { rowsOf, sendRequest, useAccountQuery, words } from "./request.ts";

/** From the narrowest to the widest, as the service has them. */
const ROLES = ["viewer", "caller", "watcher", "key_manager", "owner"];

/** A link for a new password leaves the role as it is. */
export const UNCHOSEN = "as it is; new users: caller";

interface RoleChoiceProps {
  readonly label: string;
  readonly role: string;
  readonly onChoose: (role: string) => void;
  /** Option for no choice; omitted when a choice is required. */
  readonly unchosen?: string;
}

export const RoleChoice = ({ label, role, onChoose, unchosen }: RoleChoiceProps) => (
  <select aria-label={label} value={role} onChange={(event) => onChoose(event.currentTarget.value)}>
    {unchosen === undefined ? null : <option value="">{unchosen}</option>}
    {ROLES.map((one) => (
      <option key={one} value={one}>
        {one.replace("_", " ")}
      </option>
    ))}
  </select>
);

const Invite = ({ onInvite }: { readonly onInvite: (wish: JsonObject) => void }) => {
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  const invite = (event: Event) => {
    event.preventDefault();
    onInvite({ name, ...(role !== "" && { role }) });
    setName("");
  };
  return (
    <form class="make" onSubmit={invite}>
      <label class="field">
        Name of the user
        <input required maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <RoleChoice label="Role of the user" role={role} onChoose={setRole} unchosen={UNCHOSEN} />
      <button type="submit">Make a set-up link</button>
    </form>
  );
};

/** Users of the account, for its owners: invited, given another role, removed. */
export const Members = () => {
  const { answer, again } = useAccountQuery("/api/account/users");
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const change = async (method: "POST" | "PUT", path: string, body: JsonObject): Promise<ToolAnswer> => {
    const got = await sendRequest(method, `/api/account/users${path}`, body);
    setRefused(got.status === "error" ? got : null);
    again();
    return got;
  };
  const invite = async (wish: JsonObject) => {
    const made = await change("POST", "", wish);
    if (made.status !== "error") setLink(`${location.origin}/app/set-up#${words(made.body, "token")}`);
  };
  const pathOf = (row: JsonObject) => `/${encodeURIComponent(words(row, "id"))}`;
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
        label="Users of the account"
        rows={answer === null ? [] : rowsOf(answer.body, "users").filter(({ state }) => state !== "removed")}
        keyOf={(row) => words(row, "id")}
        empty={answer === null ? "Loading…" : "No user signs in yet."}
        columns={[
          { head: "Name", cell: (row) => words(row, "name") },
          { head: "State", cell: (row) => words(row, "state") },
          {
            head: "Role",
            cell: (row) => (
              <RoleChoice
                label={`Role of ${words(row, "name")}`}
                role={textOf(row.role) ?? ""}
                onChoose={(role) => void change("PUT", `${pathOf(row)}/role`, { role })}
              />
            ),
          },
          {
            head: "Change",
            cell: (row) => (
              <Sure
                name="Remove"
                question="All sessions end at once, and the keys whose secret the user received."
                onSure={() => void change("POST", `${pathOf(row)}/remove`, {})}
              />
            ),
          },
        ]}
      />
      <Invite onInvite={(wish) => void invite(wish)} />
    </Section>
  );
};
