import { useEffect, useState } from "preact/hooks";
import { CASE_LIMITS } from "../../../src/case/format.ts";
import { Section, Table } from "../account/parts.tsx";
import { timeOf } from "../account/request.ts";
import { open } from "../navigation.ts";
import { Notice } from "../ui/notice.tsx";
import { Strange } from "../ui/strange.tsx";
import { OpenFile } from "./case_files.tsx";
import { beginCase, hasBrowserCase, moveToAccount, openCase } from "./case_store.ts";
import type { ListedCase } from "./server_case.ts";

const showOpened = (): void => {
  const { id = null } = openCase.get() ?? {};
  if (id !== null) open(`/app/case/${id}`);
};

const NewCase = () => {
  const [title, setTitle] = useState("");
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    if ((await beginCase(title.trim() || "New case")).kind === "done") showOpened();
  };
  return (
    <form class="actions" onSubmit={(event) => void begin(event)}>
      <label>
        Title{" "}
        <input
          type="text"
          maxLength={CASE_LIMITS.title_length}
          value={title}
          onInput={({ currentTarget: { value } }) => setTitle(value)}
        />
      </label>
      <button type="submit" class="button-main">
        Begin a case
      </button>
    </form>
  );
};

/** Offers to move the case that this browser kept before its user signed in. */
const MoveCase = () => {
  const [state, setState] = useState<"none" | "offered" | "moving">("none");
  useEffect(() => void hasBrowserCase().then((has) => setState(has ? "offered" : "none")), []);
  if (state === "none") return null;
  const move = async (): Promise<void> => {
    if (state === "moving") return;
    setState("moving");
    if ((await moveToAccount()).kind === "done") showOpened();
    else setState("offered");
  };
  return (
    <Notice tone="quiet" title="This browser keeps a case that your account does not have.">
      <button type="button" onClick={() => void move()} aria-disabled={state === "moving"}>
        {state === "moving" ? "Moving…" : "Move it to the account"}
      </button>
    </Notice>
  );
};

interface CaseListProps {
  readonly cases: readonly ListedCase[];
  readonly may_write: boolean;
}

/** The cases of the account. */
export const CasesOfAccount = ({ cases, may_write }: CaseListProps) => (
  <Section title="Cases of the account">
    {may_write ? (
      <>
        <NewCase />
        <p class="actions">
          <OpenFile onTaken={showOpened} />
        </p>
        <MoveCase />
      </>
    ) : null}
    <Table
      label="Cases"
      rows={cases}
      keyOf={({ id }) => id}
      empty="The account has no case yet. Begin one, or keep a result: it begins one for you."
      columns={[
        {
          head: "Title",
          cell: ({ id, title }) => (
            <a href={`/app/case/${id}`}>
              <Strange text={title || "Without a title"} width={200} is_marked={false} />
            </a>
          ),
        },
        { head: "Status", cell: ({ status }) => status },
        { head: "Results", cell: ({ entries }) => entries, is_number: true },
        { head: "Notes", cell: ({ notes }) => notes, is_number: true },
        { head: "Last change", cell: ({ changed_at }) => timeOf(changed_at) },
      ]}
    />
  </Section>
);
