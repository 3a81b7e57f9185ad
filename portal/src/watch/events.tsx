import { useEffect, useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import { rowsOf, sendRequest, timeOf, useAccountQuery, words } from "../account/request.ts";
import { fieldsOf, type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { Strange } from "../ui/strange.tsx";
import { deliveryText, eventText } from "./event_text.ts";
import { Watched } from "./rules.tsx";

const EVERY_MS = 5_000;

/** Repeats a request while the page is visible. */
const useRepeated = (again: () => void): void =>
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [again]);

const hashOf = (row: JsonObject): string | null => textOf(fieldsOf(fieldsOf(row.event).transaction).hash);

const Transaction = ({ row }: { readonly row: JsonObject }) => {
  const [hash, network] = [hashOf(row), textOf(fieldsOf(row.event).network)];
  if (hash === null || network === null) return <>–</>;
  return (
    <a class="mono" href={`/app/transaction/${encodeURIComponent(network)}/${encodeURIComponent(hash)}`} title={hash}>
      {hash.slice(0, 10)}…
    </a>
  );
};

/** Whether a replay would do something: the event was sent, or is unpaid. */
const mayReplay = ({ delivery, state }: JsonObject): boolean => delivery !== null || state === "unpaid";

interface EventTableProps {
  readonly label: string;
  readonly empty: string;
  readonly rows: readonly JsonObject[];
  readonly rules: ReadonlyMap<string, JsonObject>;
  readonly may_manage: boolean;
  readonly onReplay: (id: string) => void;
}

const EventTable = ({ label, empty, rows, rules, may_manage, onReplay }: EventTableProps) => (
  <Table
    label={label}
    rows={rows}
    keyOf={(row) => words(row, "id")}
    empty={empty}
    columns={[
      { head: "When (UTC)", cell: (row) => timeOf(words(fieldsOf(row.event), "created_at")).slice(0, 19) },
      {
        head: "Event",
        value: (row) => eventText(fieldsOf(row.event)),
        cell: (row) => (
          <>
            <Strange text={eventText(fieldsOf(row.event))} width={300} is_marked={false} />
            {row.is_retracted === true ? " (retracted: its block was dropped)" : ""}
          </>
        ),
      },
      { head: "Transaction", value: hashOf, cell: (row) => <Transaction row={row} /> },
      {
        head: "Watched",
        value: (row) => textOf(rules.get(words(row, "rule_id"))?.subject),
        cell: (row) => {
          const rule = rules.get(words(row, "rule_id"));
          return rule === undefined ? "a rule that has ended" : <Watched rule={rule} />;
        },
      },
      {
        head: "Delivery",
        value: deliveryText,
        cell: (row) => <Strange text={deliveryText(row)} width={300} is_marked={false} />,
      },
      ...(may_manage
        ? [
            {
              head: "Change",
              cell: (row: JsonObject) =>
                mayReplay(row) ? (
                  <button type="button" onClick={() => onReplay(words(row, "id"))}>
                    {row.state === "unpaid" ? "Pay and send" : "Send again"}
                  </button>
                ) : (
                  "–"
                ),
            },
          ]
        : []),
    ]}
  />
);

interface EventsProps {
  readonly rules: readonly JsonObject[];
  readonly may_manage: boolean;
}

/** Events of the account with the state of their delivery, and those that could not be delivered. */
export const Events = ({ rules, may_manage }: EventsProps) => {
  const [rule_id, setRule] = useState("");
  const of = rule_id === "" ? "" : `?rule_id=${encodeURIComponent(rule_id)}`;
  const history = useAccountQuery(`/api/watch/history${of}`);
  const dead = useAccountQuery(`/api/watch/dead_letters${of}`);
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  useRepeated(history.again);
  useRepeated(dead.again);
  const replay = async (id: string): Promise<void> => {
    const answer = await sendRequest("POST", `/api/watch/history/${encodeURIComponent(id)}/replay`, {});
    setRefused(answer.status === "error" ? answer : null);
    history.again();
    dead.again();
  };
  const named = new Map(rules.map((rule) => [words(rule, "id"), rule] as const));
  const shared = { rules: named, may_manage, onReplay: (id: string) => void replay(id) };
  const rowsIn = (answer: ToolAnswer | null): readonly JsonObject[] =>
    answer === null ? [] : rowsOf(answer.body, "events");
  return (
    <>
      <Section title="Events">
        <label class="field">
          Rule
          <select value={rule_id} onChange={({ currentTarget: { value } }) => setRule(value)}>
            <option value="">All rules</option>
            {rules.map((rule) => (
              <option key={words(rule, "id")} value={words(rule, "id")}>
                {`${words(rule, "network")} ${words(rule, "subject")}`.slice(0, 100)}
              </option>
            ))}
          </select>
        </label>
        <Refusal answer={refused ?? history.answer} />
        <EventTable
          {...shared}
          label="Table of events"
          rows={rowsIn(history.answer)}
          empty="No event yet. The list renews itself every five seconds."
        />
      </Section>
      <Section title="Dead letters">
        <p class="hint">Events that no receiver took, and events that the plan's credits did not cover.</p>
        <EventTable {...shared} label="Table of dead letters" rows={rowsIn(dead.answer)} empty="No event was lost." />
      </Section>
    </>
  );
};
