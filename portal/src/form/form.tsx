import { Prose } from "../ui/prose.tsx";
import type { FormField } from "./fields.ts";

export interface ControlProps {
  readonly field: FormField;
  readonly text: string;
  readonly onText: (text: string) => void;
}

const Choice = ({ field, text, onText }: ControlProps) => {
  const choices = field.type === "yes_or_no" ? ["true", "false"] : field.choices;
  return (
    <select id={`field-${field.name}`} value={text} onChange={(event) => onText(event.currentTarget.value)}>
      <option value="">{field.fallback === null ? "choose…" : `${field.fallback} (default)`}</option>
      {choices
        .filter((choice) => choice !== field.fallback || choice === text)
        .map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
    </select>
  );
};

const Written = ({ field, text, onText }: ControlProps) => {
  const id = `field-${field.name}`;
  const onInput = (event: { readonly currentTarget: HTMLInputElement }) => onText(event.currentTarget.value);
  if (field.type === "date") return <input id={id} type="date" value={text} onInput={onInput} />;
  const is_number = field.type === "number" || field.type === "integer";
  return (
    <input
      id={id}
      type="text"
      inputMode={is_number ? "decimal" : "text"}
      autocomplete="off"
      spellcheck={false}
      value={text}
      placeholder={field.fallback ?? (field.type === "list" ? "separated by commas" : "")}
      onInput={onInput}
    />
  );
};

const boundsOf = ({ minimum, maximum }: FormField): string => {
  if (minimum === null && maximum === null) return "";
  if (maximum === null) return `at least ${minimum}`;
  return minimum === null ? `at most ${maximum}` : `${minimum} to ${maximum}`;
};

/** One field of a form: the service's name for it, its meaning, and its input element. */
export const FieldRow = (props: ControlProps) => {
  const { field } = props;
  const bounds = boundsOf(field);
  return (
    <div class="field">
      <label for={`field-${field.name}`}>
        <code>{field.name}</code>
        {field.is_required ? <span class="required"> required</span> : null}
      </label>
      {field.type === "choice" || field.type === "yes_or_no" ? <Choice {...props} /> : <Written {...props} />}
      <p class="hint">
        <Prose text={field.description} />
        {bounds === "" ? "" : ` (${bounds})`}
      </p>
    </div>
  );
};
