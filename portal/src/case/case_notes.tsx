import { useState } from "preact/hooks";
import { CASE_LIMITS, type Note } from "../../../src/case/format.ts";
import { dropNote, writeNote } from "./case_store.ts";

const OneNote = ({ note }: { readonly note: Note }) => (
  <article class="case-note">
    <label>
      Note of {note.at}
      <textarea
        maxLength={CASE_LIMITS.note_length}
        value={note.text}
        onChange={({ currentTarget: { value } }) => void writeNote(value, note.id)}
      />
    </label>
    <p class="actions">
      <button type="button" onClick={() => void dropNote(note.id)}>
        Remove note
      </button>
    </p>
  </article>
);

/** Notes, each with the time when it was written last. */
export const CaseNotes = ({ notes }: { readonly notes: readonly Note[] }) => {
  const [text, setText] = useState("");
  const add = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    void writeNote(text);
    setText("");
  };
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {notes.map((note) => (
        <OneNote key={note.id} note={note} />
      ))}
      {notes.length >= CASE_LIMITS.notes ? (
        <p>The case holds {CASE_LIMITS.notes} notes, which is all that one can.</p>
      ) : (
        <form class="case-note" onSubmit={add}>
          <label>
            New note
            <textarea
              maxLength={CASE_LIMITS.note_length}
              value={text}
              onInput={({ currentTarget: { value } }) => setText(value)}
            />
          </label>
          <p class="actions">
            <button type="submit">Add note</button>
          </p>
        </form>
      )}
    </section>
  );
};
