import { useEffect, useId, useRef, useState } from "preact/hooks";
import { KIND_NAMES, pageAddress, shortId } from "../entity/page_address.ts";
import { open } from "../navigation.ts";
import { Strange } from "../ui/strange.tsx";
import { type Suggestion, type Suggestions, useSuggestions } from "./suggestions.ts";

interface SearchInputProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

const nameOf = (category: string): string => category.replaceAll("_", " ");

const Option = ({
  id,
  of,
  is_active,
}: {
  readonly id: string;
  readonly of: Suggestion;
  readonly is_active: boolean;
}) => (
  // The input keeps the focus; keys and clicks are handled there (ARIA combobox).
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={is_active}
    onMouseDown={(event) => {
      event.preventDefault();
      open(pageAddress(of.entity));
    }}
  >
    <span class="option-kind">{KIND_NAMES[of.entity.kind]}</span>
    <strong>
      <Strange text={of.title} />
    </strong>
    {of.detail === null || of.detail === of.title ? null : <Strange text={of.detail} />}
    {of.category === null ? null : <span class="mark">{nameOf(of.category)}</span>}
    {of.is_original ? <span class="mark mark-good">listed</span> : null}
    {of.is_impersonation ? <span class="mark mark-bad">copy of another token</span> : null}
    <span class="quiet">
      {of.entity.network} <span class="mono">{shortId(of.entity.id)}</span>
    </span>
  </div>
);

/** States what was searched where nothing was found, and networks that were not. */
const noteOf = ({ list, networks, not_searched, problem }: Suggestions): string => {
  if (problem !== null) return problem;
  const nothing =
    list.length > 0 ? "" : `No symbol, token name, label or entity on ${networks.join(", ")} resembles this text.`;
  const missing = not_searched.length === 0 ? "" : `Not searched: ${not_searched.join("; ")}`;
  return `${nothing} ${missing}`.trim();
};

/** Focuses the box: `/` outside of fields, or Ctrl K and Cmd K. */
const isShortcut = (event: KeyboardEvent): boolean => {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) return true;
  const { target } = event;
  const is_field = target instanceof HTMLElement && /^(?:input|textarea|select)$/i.test(target.tagName);
  return event.key === "/" && !is_field && !event.ctrlKey && !event.metaKey && !event.altKey;
};

const useShortcut = (focus: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
};

const MOVES: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

interface ListState {
  readonly list_id: string;
  readonly is_open: boolean;
  /** Number of the active option; -1 without one. */
  readonly active: number;
}

/** Attributes of a combobox. The types of Preact allow its role beside a `datalist` only. */
const comboboxOf = ({ list_id, is_open, active }: ListState): object => ({
  role: "combobox",
  "aria-autocomplete": "list",
  "aria-expanded": is_open,
  "aria-controls": list_id,
  ...(is_open && active >= 0 ? { "aria-activedescendant": `${list_id}-${active}` } : {}),
});

interface OpenList {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly is_open: boolean;
  readonly setActive: (active: number) => void;
  readonly close: () => void;
  readonly show: () => void;
}

/** Arrows choose, Enter opens, Escape closes the list; every other key is the field's. */
const handleKey = (event: KeyboardEvent, { list, active, is_open, setActive, close, show }: OpenList): void => {
  if (event.key === "Escape" && is_open) {
    event.preventDefault();
    close();
    return;
  }
  const move = MOVES[event.key];
  if (move !== undefined && list.length > 0) {
    event.preventDefault();
    show();
    // One place before the first option is the text itself.
    setActive(((active + 1 + move + list.length + 1) % (list.length + 1)) - 1);
    return;
  }
  const chosen = event.key === "Enter" && is_open ? list[active] : undefined;
  if (chosen === undefined) return;
  event.preventDefault();
  close();
  open(pageAddress(chosen.entity));
};

/** The search box: a text field with suggestions (the ARIA pattern of an editable combobox with a list). */
export const SearchInput = ({ id, label, placeholder, value, onValue }: SearchInputProps) => {
  const input = useRef<HTMLInputElement>(null);
  const list_id = useId();
  const found = useSuggestions(value);
  const [active, setActive] = useState(-1);
  const [is_closed, setClosed] = useState(true);
  useShortcut(() => input.current?.focus());
  useEffect(() => setActive(-1), [value]);
  const list = found?.list ?? [];
  const is_open = !is_closed && list.length > 0;
  const onKeyDown = (event: KeyboardEvent) =>
    handleKey(event, { list, active, is_open, setActive, close: () => setClosed(true), show: () => setClosed(false) });
  return (
    <div class="suggesting">
      <input
        ref={input}
        id={id}
        name="q"
        type="search"
        {...comboboxOf({ list_id, is_open, active })}
        aria-label={label}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={(event) => {
          setClosed(false);
          onValue(event.currentTarget.value);
        }}
        onFocus={() => setClosed(false)}
        onBlur={() => setClosed(true)}
        onKeyDown={onKeyDown}
      />
      <div id={list_id} role="listbox" aria-label="Suggestions" class="suggestions" hidden={!is_open}>
        {list.map((one, at) => (
          <Option key={pageAddress(one.entity)} id={`${list_id}-${at}`} of={one} is_active={at === active} />
        ))}
      </div>
      <p class="suggestion-note quiet" role="status">
        {is_closed || found === null ? "" : noteOf(found)}
      </p>
    </div>
  );
};
