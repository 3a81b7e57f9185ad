import { useRef, useState } from "preact/hooks";
import { Refusal, Section, Sure, Table } from "../account/parts.tsx";
import { numberColumn, numberOf, rowsOf, sendRequest, timeOf, useAccountQuery, words } from "../account/request.ts";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";

const PATH = "/api/operator/risk/rules";

/** Fields of the form, as text. `version` is null for a new rule. */
interface RuleDraft {
  readonly id: string;
  readonly category: string;
  readonly exposure: string;
  readonly direction: string;
  readonly usd: string;
  readonly percent: string;
  readonly version: number | null;
}

const NEW_RULE: RuleDraft = {
  ...{ id: "", category: "", exposure: "any", direction: "any", usd: "", percent: "", version: null },
};

const limitText = (row: JsonObject, name: string): string => String(numberOf(row, name) ?? "");

const draftOf = (row: JsonObject): RuleDraft => ({
  id: words(row, "id"),
  category: words(row, "category"),
  exposure: words(row, "exposure"),
  direction: words(row, "direction"),
  usd: limitText(row, "usd"),
  percent: limitText(row, "percent"),
  version: numberOf(row, "version"),
});

const limitOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** Makes the rule of the form, or replaces the one that it was filled with. */
const sendRule = ({ id, usd, percent, version, ...rest }: RuleDraft): Promise<ToolAnswer> => {
  const rule = { ...rest, usd: limitOf(usd), percent: limitOf(percent) };
  return version === null
    ? sendRequest("POST", PATH, { id, ...rule })
    : sendRequest("PUT", pathOf(id), { ...rule, version });
};

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values with their words. */
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

const Choice = ({ label, value, options, onChoose }: ChoiceProps) => (
  <label class="field">
    {label}
    <select required value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

const EXPOSURES = [
  ["any", "any: both together"],
  ["direct", "direct"],
  ["indirect", "indirect"],
] as const;

const DIRECTIONS = [
  ["any", "any: both together"],
  ["in", "in: received"],
  ["out", "out: paid"],
] as const;

interface LimitProps {
  readonly label: string;
  readonly value: string;
  readonly max?: number;
  readonly onInput: (value: string) => void;
}

const Limit = ({ label, value, max, onInput }: LimitProps) => (
  <label class="field">
    {label}
    <input
      type="number"
      min="0"
      step="any"
      placeholder="no limit"
      {...(max === undefined ? {} : { max })}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  </label>
);

interface RuleFormProps {
  readonly draft: RuleDraft;
  readonly categories: readonly string[];
  readonly onDraft: (draft: RuleDraft) => void;
  readonly onSend: () => void;
  readonly onLeave: () => void;
}

/** Form of a new rule, or of a changed one. It stays, so that the keyboard's place does. */
const RuleForm = ({ draft, categories, onDraft, onSend, onLeave }: RuleFormProps) => {
  const set = (change: Partial<RuleDraft>) => onDraft({ ...draft, ...change });
  const is_new = draft.version === null;
  return (
    <form
      class="make"
      aria-label={is_new ? "New rule" : `Change of ${draft.id}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <label class="field">
        Name of the rule
        <input
          required
          pattern="[a-z][a-z0-9_\-]{0,63}"
          title="Small letters, digits, _ and -, beginning with a letter"
          readOnly={!is_new}
          value={draft.id}
          onInput={(event) => set({ id: event.currentTarget.value })}
        />
      </label>
      <Choice
        label="Category"
        value={draft.category}
        options={[["", "choose"], ...categories.map((one) => [one, one.replaceAll("_", " ")] as const)]}
        onChoose={(category) => set({ category })}
      />
      <Choice label="Exposure" value={draft.exposure} options={EXPOSURES} onChoose={(exposure) => set({ exposure })} />
      <Choice
        label="Direction"
        value={draft.direction}
        options={DIRECTIONS}
        onChoose={(direction) => set({ direction })}
      />
      <Limit label="Limit in USD" value={draft.usd} onInput={(usd) => set({ usd })} />
      <Limit label="Limit in percent" value={draft.percent} max={100} onInput={(percent) => set({ percent })} />
      <p class="buttons">
        <button type="submit">{is_new ? "Make it" : "Change it"}</button>
        {is_new ? null : (
          <button type="button" onClick={onLeave}>
            Leave it
          </button>
        )}
      </p>
    </form>
  );
};

/** Time and actor of the last change; a rule of the configuration has none. */
const changeOf = (row: JsonObject): string => {
  const by = textOf(row.changed_by);
  return by === null ? "—" : `${timeOf(words(row, "changed_at"))} by ${by}`;
};

const categoryOf = (row: JsonObject): string =>
  `${words(row, "category").replaceAll("_", " ")}${row.applies === false ? " (not in this release: never applies)" : ""}`;

interface RulesTableProps {
  readonly answer: ToolAnswer | null;
  readonly onEdit: (row: JsonObject) => void;
  readonly onRemove: (row: JsonObject) => void;
}

const RulesTable = ({ answer, onEdit, onRemove }: RulesTableProps) => (
  <Table
    label="Risk rules in force"
    rows={answer === null ? [] : rowsOf(answer.body, "rules")}
    keyOf={(row) => `${words(row, "source")} ${words(row, "id")}`}
    empty={answer === null ? "Loading…" : "There are no risk rules. Scores and levels need none."}
    columns={[
      { head: "Rule", value: (row) => words(row, "id"), cell: (row) => <code>{words(row, "id")}</code> },
      { head: "Category", cell: categoryOf },
      { head: "Exposure", cell: (row) => words(row, "exposure") },
      { head: "Direction", cell: (row) => words(row, "direction") },
      numberColumn("USD", "usd"),
      numberColumn("Percent", "percent"),
      { head: "From", cell: (row) => (row.source === "file" ? "configuration" : "portal") },
      { head: "Last change (UTC)", cell: changeOf },
      {
        head: "Change",
        cell: (row) =>
          row.source === "file" ? (
            <span class="quiet">in the configuration</span>
          ) : (
            <span class="buttons">
              <button type="button" onClick={() => onEdit(row)}>
                Edit <span class="unseen">{words(row, "id")}</span>
              </button>
              <Sure name="Remove" question="End this rule?" onSure={() => onRemove(row)} />
            </span>
          ),
      },
    ]}
  />
);

/** Limits for the exposure of wallets and transfers: those of the configuration, and those that operators set here. */
export const RiskRules = () => {
  const { answer, again } = useAccountQuery(PATH);
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [draft, setDraft] = useState(NEW_RULE);
  const form = useRef<HTMLDivElement>(null);
  const done = (got: ToolAnswer): boolean => {
    setRefused(got.status === "error" ? got : null);
    again();
    return got.status !== "error";
  };
  /** The button that was pressed may go: the keyboard goes on in the form. */
  const fill = (next: RuleDraft) => {
    setDraft(next);
    form.current?.querySelector("select")?.focus();
  };
  const send = async () => {
    if (done(await sendRule(draft))) setDraft(NEW_RULE);
  };
  const remove = async (row: JsonObject) => {
    const [id, version] = [words(row, "id"), numberOf(row, "version")];
    if (done(await sendRequest("POST", `${pathOf(id)}/remove`, { version }))) fill(draft.id === id ? NEW_RULE : draft);
  };
  const categories = answer?.body.categories;
  return (
    <Section title="Risk rules">
      <p class="quiet">
        An exposure that reaches every limit of a rule makes it fire in the risk overview of a wallet, and puts a
        screened transfer under review. Rules change no score. Those of the configuration and those made here all apply,
        from the next answer on.
      </p>
      <Refusal answer={refused ?? answer} />
      <RulesTable answer={answer} onEdit={(row) => fill(draftOf(row))} onRemove={(row) => void remove(row)} />
      <div ref={form}>
        <RuleForm
          draft={draft}
          categories={Array.isArray(categories) ? categories.map(String) : []}
          onDraft={setDraft}
          onSend={() => void send()}
          onLeave={() => fill(NEW_RULE)}
        />
      </div>
    </Section>
  );
};
