import { useState } from "preact/hooks";
import { Once, Refusal } from "../account/parts.tsx";
import { sendRequest } from "../account/request.ts";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { useNetworks } from "../ui/networks.tsx";

const EVENTS = [
  { event: "movement", name: "Movements of coins and tokens" },
  { event: "freeze", name: "Freezes by an issuer" },
  { event: "approval", name: "Approvals of a spender" },
  { event: "risk", name: "Changed risk levels" },
] as const;

interface RuleDraft {
  readonly network: string;
  readonly kind: "address" | "token";
  readonly subject: string;
  readonly events: readonly string[];
  readonly direction: string;
  readonly min_usd: string;
  readonly include_unpriced: boolean;
  readonly url: string;
  readonly note: string;
}

const draftOf = (query: URLSearchParams): RuleDraft => {
  const token = query.get("token");
  return {
    ...{ network: query.get("network") ?? "", kind: token === null ? "address" : "token" },
    ...{ subject: token ?? query.get("address") ?? "", events: ["movement"], direction: "both" },
    ...{ min_usd: "", include_unpriced: false, url: "", note: "" },
  };
};

const bodyOf = ({ kind, subject, min_usd, url, note, ...rest }: RuleDraft): JsonObject => ({
  ...rest,
  [kind]: subject.trim(),
  min_usd: min_usd.trim() === "" ? null : Number(min_usd),
  url: url.trim() || null,
  note: note.trim() || null,
});

interface DraftProps {
  readonly draft: RuleDraft;
  readonly change: (to: Partial<RuleDraft>) => void;
}

const Subject = ({ draft, change }: DraftProps) => {
  const networks = useNetworks() ?? [];
  return (
    <>
      <label class="field">
        Network
        <select required value={draft.network} onChange={({ currentTarget: { value } }) => change({ network: value })}>
          <option value="">Choose a network</option>
          {networks.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Kind
        <select
          value={draft.kind}
          onChange={({ currentTarget: { value } }) => change({ kind: value === "token" ? "token" : "address" })}
        >
          <option value="address">A wallet or contract</option>
          <option value="token">A token</option>
        </select>
      </label>
      <label class="field">
        Address
        <input
          type="text"
          class="mono"
          required
          maxLength={100}
          value={draft.subject}
          onInput={({ currentTarget: { value } }) => change({ subject: value })}
        />
      </label>
    </>
  );
};

const Events = ({ draft: { events }, change }: DraftProps) => (
  <fieldset>
    <legend>Events</legend>
    {EVENTS.map(({ event, name }) => (
      <label key={event}>
        <input
          type="checkbox"
          checked={events.includes(event)}
          onChange={() =>
            change({ events: events.includes(event) ? events.filter((one) => one !== event) : [...events, event] })
          }
        />{" "}
        {name}
      </label>
    ))}
  </fieldset>
);

const Limits = ({ draft, change }: DraftProps) => (
  <>
    <label class="field">
      Direction
      <select value={draft.direction} onChange={({ currentTarget: { value } }) => change({ direction: value })}>
        <option value="both">In and out</option>
        <option value="in">In</option>
        <option value="out">Out</option>
      </select>
    </label>
    <label class="field">
      At least, USD (empty: any value)
      <input
        type="number"
        min="0"
        step="any"
        value={draft.min_usd}
        onInput={({ currentTarget: { value } }) => change({ min_usd: value })}
      />
    </label>
    <label>
      <input
        type="checkbox"
        checked={draft.include_unpriced}
        onChange={({ currentTarget: { checked } }) => change({ include_unpriced: checked })}
      />{" "}
      Also transfers without a price
    </label>
    <label class="field">
      Send to this https address (empty: only list and stream)
      <input
        type="url"
        maxLength={2_048}
        value={draft.url}
        onInput={({ currentTarget: { value } }) => change({ url: value })}
      />
    </label>
    <label class="field">
      Note
      <input
        type="text"
        maxLength={200}
        value={draft.note}
        onInput={({ currentTarget: { value } }) => change({ note: value })}
      />
    </label>
  </>
);

interface RuleFormProps {
  /** May name `network` with `address` or `token`. */
  readonly query: URLSearchParams;
  readonly onMade: () => void;
}

/** Makes a watch rule. Its secret is shown once. */
export const RuleForm = ({ query, onMade }: RuleFormProps) => {
  const [draft, setDraft] = useState(() => draftOf(query));
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const change = (to: Partial<RuleDraft>): void => setDraft({ ...draft, ...to });
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await sendRequest("POST", "/api/watch/rules", bodyOf(draft));
    setRefused(answer.status === "error" ? answer : null);
    if (answer.status === "error") return;
    setSecret(textOf(answer.body.secret));
    setDraft(draftOf(new URLSearchParams({ network: draft.network })));
    onMade();
  };
  return (
    <>
      <Refusal answer={refused} />
      {secret === null ? null : (
        <Once what="The secret that signs the rule's webhooks." text={secret} onDone={() => setSecret(null)} />
      )}
      <form class="make" onSubmit={(event) => void make(event)}>
        <Subject draft={draft} change={change} />
        <Events draft={draft} change={change} />
        <Limits draft={draft} change={change} />
        <p class="actions">
          <button type="submit" class="button-main" disabled={draft.events.length === 0}>
            Watch it
          </button>
        </p>
      </form>
    </>
  );
};
