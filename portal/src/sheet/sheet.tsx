import { useState } from "preact/hooks";
import { fieldsOf, type JsonObject } from "../api/answer.ts";
import type { ToolQuestion } from "../api/answers.ts";
import { Chart } from "../ui/chart.tsx";
import { timeText } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { Strange } from "../ui/strange.tsx";
import { caveatOf } from "./caveats.ts";
import { type SheetFigure, sheetContent } from "./columns.ts";
import { dangersOf } from "./dangers.ts";
import { examplesOf } from "./examples.ts";
import { kindOf } from "./kinds.ts";
import { leadOf } from "./lead.ts";
import { type AnswerCoverage, coveragesOf, missingOf, reasonFor } from "./read.ts";
import { Table, type TableContext } from "./table.tsx";
import { Value } from "./value.tsx";

interface FigureProps {
  readonly figure: SheetFigure;
  readonly reading: TableContext;
  /** A limit of the figure; null without one. */
  readonly caveat: string | null;
}

const Figure = ({ figure, reading, caveat }: FigureProps) => {
  const { title, path, value } = figure;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <Value
          kind={figure.kind ?? kindOf(path, value)}
          value={value}
          network={reading.network}
          reason={value === null ? reasonFor(path, [reading.missing]) : null}
        />
        {caveat === null ? null : <span class="caveat">{caveat}</span>}
      </dd>
    </div>
  );
};

const coverageText = ({ complete, gaps, verified }: AnswerCoverage): string => {
  const whole =
    complete === null ? "read live" : complete ? "complete" : `${gaps} gap${gaps === 1 ? "" : "s"} in the index`;
  return verified === null ? whole : `${whole}, blocks verified: ${verified}`;
};

const Covered = ({ list }: { readonly list: readonly AnswerCoverage[] }) => (
  <ul class="plain covered">
    {list.map((one) => (
      <li key={one.network}>
        <strong>{one.network}</strong> as of block{" "}
        <span title={one.block_hash ?? undefined}>{one.block?.toLocaleString("en-US") ?? "unknown"}</span>
        {one.timestamp === null ? "" : ` (${timeText(one.timestamp)} UTC)`} ·{" "}
        <span class={one.complete === false ? "gaps" : undefined}>{coverageText(one)}</span>
      </li>
    ))}
  </ul>
);

const listed = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

/** Basis of an answer: method, sources and missing fields. */
const Grounds = ({ body }: { readonly body: JsonObject }) => {
  const { methodology, sources, warnings } = fieldsOf(body.metadata);
  const missing = missingOf(body);
  return (
    <div class="grounds">
      <Covered list={coveragesOf(body)} />
      {listed(warnings).map(({ code, message }) => (
        <p key={String(code)} class="warning">
          <span aria-hidden="true">! </span>
          {String(message ?? code)}
        </p>
      ))}
      <details>
        <summary>
          Method and sources
          {missing.length === 0 ? "" : ` · ${missing.length} field${missing.length === 1 ? "" : "s"} unknown`}
        </summary>
        <p>
          Method <code>{String(methodology ?? "unknown")}</code>
        </p>
        {listed(sources).length === 0 ? null : (
          <ul>
            {listed(sources).map(({ id, version }) => (
              <li key={String(id)}>
                {String(id)} <span class="quiet">{String(version ?? "")}</span>
              </li>
            ))}
          </ul>
        )}
        {missing.length === 0 ? null : (
          <dl class="missing">
            {missing.map(({ field, reason }) => (
              <div key={field + reason}>
                <dt>
                  <code>{field}</code>
                </dt>
                <dd>{reason}</dd>
              </div>
            ))}
          </dl>
        )}
      </details>
    </div>
  );
};

/** Text that renders only when opened. */
const Raw = ({ title, text }: { readonly title: string; readonly text: () => string }) => {
  const [is_open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {is_open ? (
        <div class="raw">
          <button type="button" onClick={() => void navigator.clipboard?.writeText(text())}>
            Copy
          </button>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
          <pre tabIndex={0}>{text()}</pre>
        </div>
      ) : null}
    </details>
  );
};

export const Codes = ({ question }: { readonly question: ToolQuestion }) => (
  <>
    {examplesOf(question, location.origin).map(({ language, text }) => (
      <Raw key={language} title={language} text={() => text} />
    ))}
  </>
);

/** Link to the next page of a list in the tool's form: a separate call with its own price. */
const More = ({ question, body }: { readonly question: ToolQuestion; readonly body: JsonObject }) => {
  const { has_more_data, page } = fieldsOf(body.pagination);
  if (has_more_data !== true || typeof page !== "number") return null;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...question.args, page: page + 1 }))
    query.set(name === "as_of_block" ? "as_of" : name, Array.isArray(value) ? value.join(", ") : String(value));
  return (
    <p>
      There are more rows than this page of them: <a href={`/app/tools/${question.tool}?${query}`}>page {page + 1}</a>
    </p>
  );
};

/** One answer as a sheet: figures, one picture, the numbers as tables, and what they rest on. */
export const Sheet = ({ question, body }: { readonly question: ToolQuestion; readonly body: JsonObject }) => {
  const chain = fieldsOf(body.metadata).chain;
  const network = typeof chain === "string" && chain !== "all" && chain !== "evm" ? chain : null;
  const { figures, tables, lead } = sheetContent(question.tool, body, network);
  const reading: TableContext = { network, missing: missingOf(body) };
  return (
    <div class="answer">
      {dangersOf(question.tool, body).map(({ title, text }) => (
        <Notice key={title + text} tone="bad" title={title}>
          <Strange text={text} width={400} is_marked={false} />
        </Notice>
      ))}
      {lead === null ? null : (
        <p class="lead">
          <Strange text={leadOf(lead, body)} width={900} is_marked={false} />
        </p>
      )}
      {figures.length === 0 ? null : (
        <dl class="answer-figures">
          {figures.map((figure) => (
            <Figure
              key={figure.title}
              figure={figure}
              reading={reading}
              caveat={caveatOf(question.tool, figure.path, body)}
            />
          ))}
        </dl>
      )}
      <div class="answer-parts">
        <Chart tool={question.tool} answer={body} />
        {tables.map((table) => (
          <Table key={table.title} table={table} reading={reading} />
        ))}
      </div>
      <More question={question} body={body} />
      <Grounds body={body} />
      <div class="carry">
        <Raw title="JSON" text={() => JSON.stringify(body, null, 2)} />
        <Codes question={question} />
      </div>
    </div>
  );
};
