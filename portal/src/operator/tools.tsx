import { useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, sendRequest, useAccountQuery, words } from "../account/request.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import { creditsText } from "../ui/format.ts";

interface PriceProps {
  readonly credits: number | null;
  readonly tool: string;
  readonly onSet: (credits: number | null) => void;
}

const creditsOr = (credits: number | null): string => (credits === null ? "unavailable" : creditsText(credits));

/** Sets a price after a question that names the old one and the new one. */
const Price = ({ credits, tool, onSet }: PriceProps) => {
  const [text, setText] = useState(credits === null ? "" : String(credits));
  const [is_asking, setAsking] = useState(false);
  const wanted = text === "" ? null : Number(text);
  const ask = (event: Event) => {
    event.preventDefault();
    setAsking(true);
  };
  if (is_asking)
    return (
      <span class="sure">
        {`${creditsOr(credits)} → ${creditsOr(wanted)}, for every account from its next call on.`}{" "}
        <button
          type="button"
          class="button-main"
          onClick={() => {
            setAsking(false);
            onSet(wanted);
          }}
        >
          Change the price
        </button>{" "}
        <button type="button" onClick={() => setAsking(false)}>
          Keep
        </button>
      </span>
    );
  return (
    <form class="buttons" onSubmit={ask}>
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
      <button type="submit" disabled={wanted === credits}>
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
          { head: "Tool", value: (row) => words(row, "tool"), cell: (row) => <code>{words(row, "tool")}</code> },
          {
            head: "Credits",
            value: (row) => numberOf(row, "credits"),
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
