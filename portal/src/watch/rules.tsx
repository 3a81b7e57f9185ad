import { useState } from "preact/hooks";
import { Once, Refusal, Sure, Table } from "../account/parts.tsx";
import { sendRequest, timeOf, words } from "../account/request.ts";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { pageAddress, shortId } from "../entity/page_address.ts";
import { Strange } from "../ui/strange.tsx";

/** The watched address with its page; a screening has none. */
export const Watched = ({ rule }: { readonly rule: JsonObject }) => {
  const [network, subject, kind] = [words(rule, "network"), words(rule, "subject"), words(rule, "subject_kind")];
  if (kind === "screening")
    return (
      <>
        transfer <Strange text={subject} width={80} is_marked={false} />
      </>
    );
  return (
    <a href={pageAddress({ kind: kind === "token" ? "token" : "wallet", network, id: subject })} title={subject}>
      {kind} <code>{shortId(subject)}</code>
    </a>
  );
};

const limitsOf = (rule: JsonObject): string => {
  const events = Array.isArray(rule.events) ? rule.events.join(", ") : "";
  const direction = words(rule, "direction");
  const least = typeof rule.min_usd === "number" ? `, at least $${rule.min_usd.toLocaleString("en-US")}` : "";
  return `${events}${direction === "both" ? "" : `, ${direction}`}${least}`;
};

const stateOf = (rule: JsonObject): string => {
  const because = textOf(rule.ended_because);
  return because === null ? words(rule, "state") : `${words(rule, "state")}: ${because}`;
};

type RuleAct = "pause" | "resume" | "test" | "rotate" | "remove";

interface RuleButtonsProps {
  readonly rule: JsonObject;
  readonly act: (rule: JsonObject, what: RuleAct) => void;
}

const RuleButtons = ({ rule, act }: RuleButtonsProps) => (
  <span class="buttons">
    <button type="button" onClick={() => act(rule, "test")}>
      Send a test
    </button>
    {rule.state === "active" ? (
      <button type="button" onClick={() => act(rule, "pause")}>
        Pause
      </button>
    ) : null}
    {rule.state === "paused" ? (
      <button type="button" onClick={() => act(rule, "resume")}>
        Resume
      </button>
    ) : null}
    {rule.url === null ? null : (
      <button type="button" onClick={() => act(rule, "rotate")}>
        New secret
      </button>
    )}
    <Sure name="Remove" question="End this rule for good?" onSure={() => act(rule, "remove")} />
  </span>
);

interface RulesProps {
  readonly rules: readonly JsonObject[];
  /** False for readers of events. */
  readonly may_manage: boolean;
  readonly onChanged: () => void;
}

const DONE: Readonly<Record<RuleAct, string>> = {
  pause: "The rule is paused.",
  resume: "The rule matches new blocks again.",
  test: "The test event is in the list below.",
  rotate: "The rule has a new secret. The old one also works for a day.",
  remove: "The rule has ended.",
};

/** Watch rules of the account. */
export const Rules = ({ rules, may_manage, onChanged }: RulesProps) => {
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const act = async (rule: JsonObject, what: RuleAct): Promise<void> => {
    const path = `/api/watch/rules/${encodeURIComponent(words(rule, "id"))}/${what}`;
    const answer = await sendRequest("POST", path, {});
    const is_refused = answer.status === "error";
    setRefused(is_refused ? answer : null);
    setDone(is_refused ? null : DONE[what]);
    if (!is_refused && what === "rotate") setSecret(textOf(answer.body.secret));
    onChanged();
  };
  return (
    <>
      <Refusal answer={refused} />
      <p role="status">{done ?? ""}</p>
      {secret === null ? null : (
        <Once what="The new secret of the rule's webhooks." text={secret} onDone={() => setSecret(null)} />
      )}
      <Table
        label="Watch rules"
        rows={rules}
        keyOf={(rule) => words(rule, "id")}
        empty="The account watches nothing yet. Fill in the form, or open a wallet or a token and choose Watch."
        columns={[
          { head: "Watched", value: (rule) => words(rule, "subject"), cell: (rule) => <Watched rule={rule} /> },
          { head: "Network", cell: (rule) => words(rule, "network") },
          { head: "Events", cell: limitsOf },
          {
            head: "Sent to",
            value: (rule) => textOf(rule.url),
            cell: (rule) => (rule.url === null ? "list and stream" : <Strange text={words(rule, "url")} />),
          },
          {
            head: "Note",
            value: (rule) => textOf(rule.note),
            cell: (rule) => (
              <span class="prose">
                <Strange text={textOf(rule.note) ?? "–"} width={200} is_marked={false} />
              </span>
            ),
          },
          { head: "State", cell: stateOf },
          { head: "Since (UTC)", cell: (rule) => timeOf(words(rule, "created_at")) },
          ...(may_manage
            ? [
                {
                  head: "Change",
                  cell: (rule: JsonObject) => (
                    <RuleButtons rule={rule} act={(one, what: RuleAct) => void act(one, what)} />
                  ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
};
