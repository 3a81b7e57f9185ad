import { useState } from "preact/hooks";
import { Refusal, Table } from "../account/parts.tsx";
import { rowsOf, timeOf, words } from "../account/request.ts";
import { fieldsOf, type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { changesOf } from "./server_case.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  "case.create": "began the case",
  "case.change": "changed title or status",
  "case.add": "added",
  "case.change_part": "changed",
  "case.remove_part": "removed",
};

const PARTS: Readonly<Record<string, string>> = { entry: "result", note: "note", graph: "graph" };

/** Parts that a change names. */
const partsIn = (entry: JsonObject): readonly string[] =>
  [fieldsOf(entry.before), fieldsOf(entry.after)]
    .flatMap((state) => [state, ...rowsOf(state, "parts")])
    .flatMap(({ part }) => textOf(part) ?? [])
    .map((kind) => PARTS[kind] ?? kind);

const changeText = (entry: JsonObject): string => {
  const action = words(entry, "action");
  const parts = partsIn(entry);
  const kinds = [...new Set(parts)].map((kind) => {
    const count = parts.filter((one) => one === kind).length;
    return action === "case.change_part" || count === 1 ? `a ${kind}` : `${count} ${kind}s`;
  });
  const title = textOf(fieldsOf(entry.after).title);
  const status = textOf(fieldsOf(entry.after).status);
  const state = title === null ? "" : `: ${title}, ${status}`;
  return `${[ACTIONS[action] ?? action, kinds.join(", ")].join(" ").trim()}${state}`;
};

/** Each change of the case: who made it and when. */
export const CaseChanges = ({ id }: { readonly id: string }) => {
  const [answer, setAnswer] = useState<ToolAnswer | null>(null);
  const names = new Map(
    answer === null ? [] : rowsOf(answer.body, "people").map((row) => [words(row, "actor"), words(row, "name")]),
  );
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && void changesOf(id).then(setAnswer)}>
      <summary>Changes of the case</summary>
      <Refusal answer={answer} />
      <Table
        label="Changes"
        rows={answer === null ? [] : rowsOf(answer.body, "entries")}
        keyOf={(row) => String(row.seq)}
        empty="No change was read yet."
        columns={[
          { head: "When", cell: (row) => timeOf(words(row, "at")) },
          { head: "By", cell: (row) => names.get(words(row, "actor")) ?? words(row, "actor") },
          { head: "Change", cell: (row) => <bdi>{changeText(row)}</bdi> },
        ]}
      />
    </details>
  );
};
