import { useId, useState } from "preact/hooks";
import { CASE_LIMITS, type Note } from "../../../src/case/format.ts";
import { Strange } from "../ui/strange.tsx";
import { removePart, writeNote } from "./case_store.ts";
import { type CaseView, stampKey } from "./case_view.ts";

interface NoteProps {
  readonly view: CaseView;
  readonly note: Note;
}

/** A text that another person has written over in the meantime. */
interface LostText {
  readonly text: string;
  readonly reason: string;
}

const OneNote = ({ view, note }: NoteProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  const [lost, setLost] = useState<LostText | null>(null);
  const stamp = view.stamps.get(stampKey("note", note.id));
  const save = async (text: string): Promise<void> => {
    const outcome = await writeNote(text, note);
    setDraft(null);
    setLost(outcome.kind === "refused" ? { text, reason: outcome.message } : null);
  };
  return (
    <article class="case-note">
      <label>
        Note of {note.at}
        {stamp === undefined ? "" : `, by ${stamp.changed_by}`}
        <textarea
          maxLength={CASE_LIMITS.note_length}
          readOnly={!view.may_write}
          value={draft ?? note.text}
          onInput={({ currentTarget: { value } }) => setDraft(value)}
          onChange={({ currentTarget: { value } }) => void save(value)}
        />
      </label>
      {lost === null ? null : (
        <div role="alert" class="case-lost">
          <p>{lost.reason} Your text was not saved:</p>
          <blockquote>
            <Strange text={lost.text} width={2_000} is_marked={false} />
          </blockquote>
          <p class="actions">
            <button type="button" onClick={() => void save(lost.text)}>
              Save your text instead
            </button>
            <button type="button" onClick={() => setLost(null)}>
              Drop your text
            </button>
          </p>
        </div>
      )}
      {view.may_write ? (
        <p class="actions">
          <button type="button" onClick={() => void removePart("note", note.id)}>
            Remove note
          </button>
        </p>
      ) : null}
    </article>
  );
};

interface NotesProps {
  readonly view: CaseView;
  /** The result that the notes are about; null: the case. */
  readonly entry: string | null;
}

/** Notes about a result or the case, each with the time when it was written last. */
export const NotesOf = ({ view, entry }: NotesProps) => (
  <>
    {view.notes
      .filter((note) => note.entry === entry)
      .map((note) => (
        <OneNote key={note.id} view={view} note={note} />
      ))}
  </>
);

interface NewNoteProps extends Pick<NotesProps, "entry"> {
  readonly label: string;
  readonly button: string;
}

export const NewNote = ({ entry, label, button }: NewNoteProps) => {
  const [text, setText] = useState("");
  const field = useId();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (text.trim() === "") return;
    if ((await writeNote(text, { entry })).kind === "done") setText("");
  };
  return (
    <form class="case-note" onSubmit={(event) => void add(event)}>
      <label for={field}>{label}</label>
      <textarea
        id={field}
        maxLength={CASE_LIMITS.note_length}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
      />
      <p class="actions">
        <button type="submit">{button}</button>
      </p>
    </form>
  );
};
