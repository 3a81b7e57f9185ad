/** Small things that the pages of accounts and operators share. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { ToolAnswer } from "../api/answer.ts";
import { type DataColumn, DataTable } from "../table/data_table.tsx";
import { Notice } from "../ui/notice.tsx";

/** Why something was not done, as the service says it. */
export const Refusal = ({ answer }: { readonly answer: ToolAnswer | null }) =>
  answer?.status === "error" ? (
    <Notice tone="bad" title={answer.http_status >= 500 || answer.http_status === 0 ? "That did not work" : "Not done"}>
      {answer.message}
    </Notice>
  ) : null;

export interface SectionProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
}

export const Section = ({ title, children, aside }: SectionProps) => {
  const id = useId();
  return (
    <section class="sheet" aria-labelledby={id}>
      <div class="sheet-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
};

interface TableProps<T> {
  /** Caption of the table. */
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly DataColumn<T>[];
  readonly keyOf: (row: T) => string;
  readonly empty: string;
}

/** Rows, or a sentence that says why there are none. */
export const Table = <T,>({ empty, ...table }: TableProps<T>) =>
  table.rows.length === 0 ? <p class="quiet">{empty}</p> : <DataTable look="list" {...table} />;

interface ConfirmProps {
  readonly name: string;
  /** The action, as a question. */
  readonly question: string;
  readonly onSure: () => void;
}

/** A button that asks for confirmation before an irreversible action. */
export const Sure = ({ name, question, onSure }: ConfirmProps) => {
  const [is_asking, setAsking] = useState(false);
  if (!is_asking)
    return (
      <button type="button" onClick={() => setAsking(true)}>
        {name}
      </button>
    );
  return (
    <span class="sure">
      {question}{" "}
      <button
        type="button"
        class="button-main"
        onClick={() => {
          setAsking(false);
          onSure();
        }}
      >
        {name}
      </button>{" "}
      <button type="button" onClick={() => setAsking(false)}>
        Keep
      </button>
    </span>
  );
};

/** A text that is shown this once. */
export const Once = ({ what, text, onDone }: { what: string; text: string; onDone: () => void }) => {
  const [state, setState] = useState<"new" | "copied" | "refused">("new");
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  return (
    <div class="once" role="status">
      <p>
        <strong>{what}</strong> It is shown this once.
      </p>
      <code class="secret">{text}</code>
      <p class="buttons">
        <button type="button" class="button-main" onClick={copy}>
          {state === "copied" ? "Copied" : "Copy"}
        </button>
        <button type="button" onClick={onDone}>
          I have it
        </button>
        {state === "refused" ? <span class="quiet">The browser did not let the page copy it: select it.</span> : null}
      </p>
    </div>
  );
};

/** A share as a bar, with its number as text. */
export const Bar = ({ part, whole }: { readonly part: number; readonly whole: number }) => (
  <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bar-ground" width="100" height="8" />
    <rect class="bar-part" width={whole <= 0 ? 0 : Math.min(100, (100 * part) / whole)} height="8" />
  </svg>
);
