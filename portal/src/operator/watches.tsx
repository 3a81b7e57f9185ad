import { useState } from "preact/hooks";
import { Refusal, Section, Sure, Table } from "../account/parts.tsx";
import { rowsOf, sendRequest, timeOf, useAccountQuery, words } from "../account/request.ts";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { Strange } from "../ui/strange.tsx";

const eventsOf = ({ events }: JsonObject): string => (Array.isArray(events) ? events.join(", ") : "");

/** Where events go; a rule without a url is listed and streamed alone. */
const goesTo = (row: JsonObject) => {
  const url = textOf(row.url);
  return url === null ? "the stream alone" : <Strange text={url} />;
};

/** Watch rules of all accounts. */
export const Watches = () => {
  const { answer, again } = useAccountQuery("/api/operator/watch/rules");
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const remove = async (row: JsonObject) => {
    const [account, rule] = [words(row, "account_id"), words(row, "id")].map(encodeURIComponent);
    const ended = await sendRequest("POST", `/api/operator/accounts/${account}/watch/rules/${rule}/remove`, {});
    setRefused(ended.status === "error" ? ended : null);
    again();
  };
  return (
    <Section title="Watches">
      <Refusal answer={refused ?? answer} />
      <Table
        label="Watch rules of all accounts"
        rows={answer === null ? [] : rowsOf(answer.body, "rules")}
        keyOf={(row) => words(row, "id")}
        empty={answer === null ? "Loading…" : "No account watches anything."}
        columns={[
          {
            head: "Account",
            value: (row) => words(row, "account_id"),
            cell: (row) => <code>{words(row, "account_id")}</code>,
          },
          { head: "Network", cell: (row) => words(row, "network") },
          {
            head: "What",
            value: (row) => `${words(row, "subject_kind")} ${words(row, "subject")}`,
            cell: (row) => (
              <>
                {words(row, "subject_kind")} <code>{words(row, "subject")}</code>
              </>
            ),
          },
          { head: "Events", cell: eventsOf },
          { head: "Sent to", value: (row) => textOf(row.url), cell: goesTo },
          { head: "State", cell: (row) => words(row, "state") },
          { head: "Since (UTC)", cell: (row) => timeOf(words(row, "created_at")) },
          {
            head: "Change",
            cell: (row) => <Sure name="Remove" question="End this rule for good?" onSure={() => void remove(row)} />,
          },
        ]}
      />
    </Section>
  );
};
