import { tablesOf } from "../../../src/case/tables.ts";
import type { ToolAnswer } from "../api/answer.ts";
import type { ToolQuestion } from "../api/answers.ts";
import { ExportButtons } from "../export/export_buttons.tsx";
import { PinButton } from "./pin.tsx";

export interface ExportMenuProps {
  readonly question: ToolQuestion;
  readonly answer: ToolAnswer;
  readonly catalog_version: string | null;
}

/** Exports of an answer: pin it to the case, or save each of its tables as a file. */
export const ExportMenu = ({ question, answer, catalog_version }: ExportMenuProps) => {
  const tables = answer.status === "data" ? tablesOf(answer.body) : [];
  if (answer.status === "error") return null;
  return (
    <div class="take-away">
      {/* A case is verified by its tools. */}
      {question.path == null ? (
        <PinButton tool={question.tool} args={question.args} answer={answer} catalog_version={catalog_version} />
      ) : null}
      {tables.length === 0 ? null : (
        <details>
          <summary>Tables as files</summary>
          <ul class="plain">
            {tables.map((table) => (
              <li key={table.name}>
                <ExportButtons table={table} name={question.tool} /> {table.name}, {table.rows.length} rows
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};
