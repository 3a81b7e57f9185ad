/** Suggestions while a text is typed, from the service's own index. */
import { useEffect, useState } from "preact/hooks";
import { isFields, type JsonObject, textOf } from "../api/answer.ts";
import { request } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import type { Entity } from "../entity/page_address.ts";
import { recognise } from "../entity/recognise.ts";
import { useStore } from "../store.ts";

const WAIT_MS = 150;
const LETTERS_LEAST = 2;
const SHOWN_MAX = 8;

export interface Suggestion {
  readonly entity: Entity;
  /** Symbol, label or name. Strangers write symbols. */
  readonly title: string;
  readonly detail: string | null;
  readonly category: string | null;
  readonly is_original: boolean;
  readonly is_impersonation: boolean;
}

export interface Suggestions {
  /** The text that was searched. */
  readonly text: string;
  readonly list: readonly Suggestion[];
  readonly networks: readonly string[];
  /** Networks that could not be searched, each with its reason. */
  readonly not_searched: readonly string[];
  /** Why nothing was searched; null when it was. */
  readonly problem: string | null;
}

const PAGES: Readonly<Record<string, Entity["kind"]>> = {
  token: "token",
  address: "wallet",
  transaction: "transaction",
  name: "name",
};

const suggestionOf = (row: JsonObject): readonly Suggestion[] => {
  const [kind, id] = [PAGES[textOf(row.kind) ?? ""], textOf(row.id)];
  if (kind === undefined || id === null) return [];
  return [
    {
      entity: { kind, network: textOf(row.network) ?? "", id },
      title: textOf(row.title) ?? id,
      detail: textOf(row.detail),
      category: textOf(row.category),
      is_original: row.is_original === true,
      is_impersonation: row.is_impersonation === true,
    },
  ];
};

const rowsIn = (rows: unknown): readonly JsonObject[] => (Array.isArray(rows) ? rows.filter(isFields) : []);

const search = async (text: string, signal: AbortSignal): Promise<Suggestions | null> => {
  const query = new URLSearchParams({ q: text, limit: String(SHOWN_MAX) });
  const answer = await request(`/api/search?${query}`, { method: "GET", signal });
  if (answer.status === "error")
    return answer.code === "ABORTED"
      ? null
      : { text, list: [], networks: [], not_searched: [], problem: answer.message };
  const { matches, networks, not_searched } = answer.body;
  return {
    text,
    list: rowsIn(matches).flatMap(suggestionOf),
    networks: Array.isArray(networks) ? networks.map(String) : [],
    not_searched: rowsIn(not_searched).map((row) => `${textOf(row.network)}: ${textOf(row.reason)}`),
    problem: null,
  };
};

/** An address or a hash says itself what it can be. */
const isSearched = (text: string): boolean => {
  const kind = recognise(text)?.kind ?? null;
  return text.length >= LETTERS_LEAST && (kind === null || kind === "symbol" || kind === "name");
};

/** Suggestions for the newest text; null before the first answer, and where nothing is searched. */
export const useSuggestions = (typed: string): Suggestions | null => {
  const by = useStore(credential);
  const text = typed.trim();
  const [found, setFound] = useState<Suggestions | null>(null);
  useEffect(() => {
    setFound(null);
    if (by === null || !isSearched(text)) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void search(text, stop.signal).then((got) => {
        if (!stop.signal.aborted) setFound(got);
      });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, by]);
  return found?.text === text ? found : null;
};
