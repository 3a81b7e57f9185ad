import { useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, sendRequest, useAccountQuery, words } from "../account/request.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";

interface PriceProps {
  readonly credits: number | null;
  readonly tool: string;
  readonly onSet: (credits: number | null) => void;
}

const Price = ({ credits, tool, onSet }: PriceProps) => {
  const [text, setText] = useState(credits === null ? "" : String(credits));
  const is_same = text === (credits === null ? "" : String(credits));
  const set = (event: Event) => {
    event.preventDefault();
    onSet(text === "" ? null : Number(text));
  };
  return (
    <form class="buttons" onSubmit={set}>
      <input
        class="price"
        type="number"
        min="1"
        max="40"
        aria-label={`Credits of ${tool}; empty: temporarily unavailable`}
        placeholder="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={is_same}>
        Set
      </button>
    </form>
  );
};

/** Prices and the allowlist. */
export const Tools = () => {
  const prices = useAccountQuery("/api/operator/prices");
  const tools = useAccountQuery("/api/operator/tools");
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const change = async (path: string, body: JsonObject) => {
    const answer = await sendRequest("PUT", path, body);
    setRefused(answer.status === "error" ? answer : null);
    prices.again();
    tools.again();
  };
  const is_public = new Map(
    (tools.answer === null ? [] : rowsOf(tools.answer.body, "tools")).map((row) => [row.tool, row.is_public === true]),
  );
  const nameOf = (row: JsonObject) => encodeURIComponent(words(row, "tool"));
  return (
    <Section title="Prices and allowlist">
      <Refusal answer={refused ?? prices.answer} />
      <Table
        label="Tools and prices"
        rows={prices.answer === null ? [] : rowsOf(prices.answer.body, "prices")}
        keyOf={(row) => `${words(row, "tool")} ${formatNumber(numberOf(row, "credits"))}`}
        empty="Loading…"
        columns={[
          { head: "Tool", cell: (row) => <code>{words(row, "tool")}</code> },
          {
            head: "Credits",
            cell: (row) => (
              <Price
                tool={words(row, "tool")}
                credits={numberOf(row, "credits")}
                onSet={(credits) => void change(`/api/operator/prices/${nameOf(row)}`, { credits })}
              />
            ),
          },
          { head: "Set by", cell: (row) => (words(row, "source") === "card" ? "its card" : "an operator") },
          {
            head: "Public",
            cell: (row) => (
              <label>
                <input
                  type="checkbox"
                  checked={is_public.get(words(row, "tool")) ?? false}
                  onChange={(event) =>
                    void change(`/api/operator/tools/${nameOf(row)}`, { is_public: event.currentTarget.checked })
                  }
                />{" "}
                <span class="unseen">{words(row, "tool")} is </span>public
              </label>
            ),
          },
        ]}
      />
    </Section>
  );
};
