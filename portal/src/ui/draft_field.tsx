import { useId, useState } from "preact/hooks";

interface DraftFieldProps {
  readonly label: string;
  readonly class: string;
  readonly text: string;
  readonly length_max: number;
  readonly is_long?: boolean;
  readonly is_fixed?: boolean;
  /** Called when the user leaves the field, or presses Enter in a short one. */
  readonly onText: (text: string) => void;
}

/** A field whose text is taken over at its end. Redrawing the page meanwhile does not touch what the user writes. */
export const DraftField = ({ label, class: name, text, length_max, is_long, is_fixed, onText }: DraftFieldProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  const id = useId();
  const shared = {
    ...{ id, maxLength: length_max, readOnly: is_fixed === true, value: draft ?? text },
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => setDraft(event.currentTarget.value),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      onText(event.currentTarget.value);
      setDraft(null);
    },
  };
  return (
    <div class={name}>
      <label for={id}>{label}</label>
      {is_long === true ? <textarea {...shared} /> : <input type="text" {...shared} />}
    </div>
  );
};
