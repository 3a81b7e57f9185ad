import { useState } from "preact/hooks";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { useStore } from "../store.ts";
import { Strange } from "../ui/strange.tsx";
import { Once, Refusal, Section, Sure, Table } from "./parts.tsx";
import { rowsOf, sendRequest, timeOf, useAccountQuery, words } from "./request.ts";
import { SCOPES } from "./scopes.ts";
import { signedIn } from "./session.ts";

interface Secret {
  readonly what: string;
  readonly text: string;
}

interface MakeKeyProps {
  /** Of the user: a key opens no more. */
  readonly rights: readonly string[];
  readonly onMade: (secret: Secret) => void;
  readonly onRefused: (answer: ToolAnswer) => void;
}

const MakeKey = ({ rights, onMade, onRefused }: MakeKeyProps) => {
  const [chosen, setChosen] = useState<readonly string[]>(["api:call"]);
  const toggle = (scope: string) =>
    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  const make = async (event: Event) => {
    event.preventDefault();
    const answer = await sendRequest("POST", "/api/account/keys", { scopes: chosen });
    if (answer.status === "error") return onRefused(answer);
    onMade({ what: "The new key.", text: words(answer.body, "secret") });
  };
  return (
    <form class="make" onSubmit={(event) => void make(event)}>
      <fieldset>
        <legend>A new key may</legend>
        {SCOPES.filter(({ scope }) => rights.includes(scope)).map(({ scope, name }) => (
          <label key={scope}>
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} /> {name}{" "}
            <code>{scope}</code>
          </label>
        ))}
      </fieldset>
      <button type="submit" class="button-main" disabled={chosen.length === 0}>
        Make a key
      </button>
    </form>
  );
};

/** Whether a key works. */
export const keyState = (key: JsonObject): string => {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null) return `renewed by the assistant, next at ${timeOf(words(key, "expires_at"))}`;
  return key.grace_until === null ? "works" : `old secret works until ${timeOf(words(key, "grace_until"))}`;
};

const lastUse = (key: JsonObject): string => (key.last_used_at === null ? "never" : timeOf(words(key, "last_used_at")));

const scopesOf = ({ scopes }: JsonObject): readonly string[] =>
  Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [];

/** Receiver of the current secret, and when. */
const holderOf = (key: JsonObject): string => {
  const [by, at] = key.rotated_by === null ? [key.created_by, key.created_at] : [key.rotated_by, key.rotated_at];
  return typeof by === "string" ? `${by}, ${timeOf(String(at))}` : `not kept, ${timeOf(words(key, "created_at"))}`;
};

export const NAMED_ITSELF = "The program gave itself this name: nothing proves it";

/** An assistant by the name that it gives itself; any other key by its first characters. */
export const KeyName = ({ row }: { readonly row: JsonObject }) =>
  typeof row.client_name === "string" ? (
    <Strange text={row.client_name} title={NAMED_ITSELF} />
  ) : (
    <code>{words(row, "prefix")}…</code>
  );

/** The name of a key in files and filters. */
export const keyText = (key: JsonObject): string => textOf(key.client_name) ?? words(key, "prefix");

interface KeyButtonsProps {
  readonly id: string;
  readonly is_over: boolean;
  /** Whether the key has no more rights than the caller. */
  readonly may_renew: boolean;
  readonly change: (id: string, what: "rotate" | "revoke") => Promise<void>;
}

const KeyButtons = ({ id, is_over, may_renew, change }: KeyButtonsProps) =>
  is_over ? null : (
    <span class="buttons">
      {may_renew ? (
        <Sure name="Renew" question="Its present secret ends at once." onSure={() => void change(id, "rotate")} />
      ) : null}
      <Sure name="Revoke" question="It ends for good." onSure={() => void change(id, "revoke")} />
    </span>
  );

/** Whether a user may end a key: by the right to manage keys, or because they allowed the assistant. */
const mayEnd = (key: JsonObject, rights: readonly string[] | null, user_id: string | null): boolean =>
  rights === null ||
  rights.includes("keys:manage") ||
  (key.client_name !== null && user_id !== null && key.created_by === `user:${user_id}`);

/** Whether the key has no more rights than the caller. An assistant renews its own. */
const mayRenew = (key: JsonObject, rights: readonly string[] | null): boolean =>
  key.client_name === null && (rights === null || scopesOf(key).every((scope) => rights.includes(scope)));

/** Keys of the account: made, renewed, revoked. `rights`: of the user; null = a key is in use, and the service alone judges. */
export const Keys = ({ rights }: { readonly rights: readonly string[] | null }) => {
  const { answer, again } = useAccountQuery("/api/account/keys");
  const user = useStore(signedIn);
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const done = (fresh: Secret | null) => {
    setRefused(null);
    setSecret(fresh);
    again();
  };
  const change = async (id: string, what: "rotate" | "revoke") => {
    const got = await sendRequest("POST", `/api/account/keys/${encodeURIComponent(id)}/${what}`, {});
    if (got.status === "error") return setRefused(got);
    done(
      what === "rotate"
        ? { what: "The key's new secret; the old one has ended.", text: words(got.body, "secret") }
        : null,
    );
  };
  const keys = answer === null ? [] : rowsOf(answer.body, "keys");
  return (
    <Section title="Keys">
      <Refusal answer={refused ?? answer} />
      {secret === null ? null : <Once {...secret} onDone={() => setSecret(null)} />}
      <Table
        label="Keys of the account"
        rows={keys}
        keyOf={(key) => words(key, "id")}
        empty="The account has no key yet."
        columns={[
          { head: "Key", value: keyText, cell: (key) => <KeyName row={key} /> },
          { head: "Opens", cell: (key) => scopesOf(key).join(", ") },
          { head: "Secret given to", cell: holderOf },
          { head: "Last used", cell: lastUse },
          { head: "State", cell: keyState },
          {
            head: "Change",
            cell: (key) => (
              <KeyButtons
                id={words(key, "id")}
                is_over={key.revoked_at !== null || !mayEnd(key, rights, user?.user_id ?? null)}
                may_renew={mayRenew(key, rights)}
                change={change}
              />
            ),
          },
        ]}
      />
      {rights?.includes("keys:make") === true ? (
        <MakeKey rights={rights} onMade={done} onRefused={setRefused} />
      ) : (
        <p class="hint">New keys are made by an owner or a key manager of the account, or by the operator.</p>
      )}
    </Section>
  );
};
