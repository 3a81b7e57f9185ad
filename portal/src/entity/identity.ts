/** The name of an address that costs nothing: a token's symbol and name, or a label, from the index and the lists. */
import { useEffect, useState } from "preact/hooks";
import { worded } from "../../../src/charts/words.ts";
import { isFields, type JsonObject, textOf } from "../api/answer.ts";
import { request } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import { useStore } from "../store.ts";
import type { Entity, EntityKind } from "./page_address.ts";
import { type HeadFacts, UNKNOWN_HEAD } from "./summary/model.ts";

/** Pages about an address. */
const NAMED: readonly EntityKind[] = ["token", "wallet", "contract"];

const COPY = {
  tone: "bad",
  text: "Copy of another token",
  reason: "It uses the symbol or name of a known one.",
} as const;

const factsOf = (match: JsonObject): HeadFacts => {
  const [title, detail, category] = [textOf(match.title), textOf(match.detail), textOf(match.category)];
  // Labels have a category; symbols of tokens have none.
  const is_token = category === null;
  return {
    ...UNKNOWN_HEAD,
    name: is_token ? (detail ?? title) : title,
    symbol: is_token && detail !== null ? title : null,
    kind: category === null ? null : worded(category),
    verdict: match.is_impersonation === true ? COPY : null,
  };
};

/** Read once per entity and credential; empty where the search fails. */
export const useIdentity = ({ kind, network, id }: Entity): HeadFacts => {
  const by = useStore(credential);
  const [facts, setFacts] = useState(UNKNOWN_HEAD);
  useEffect(() => {
    setFacts(UNKNOWN_HEAD);
    if (by === null || !NAMED.includes(kind)) return undefined;
    const control = new AbortController();
    const query = new URLSearchParams({ q: id, network, limit: "1" });
    void request(`/api/search?${query}`, { method: "GET", signal: control.signal }).then(({ status, body }) => {
      const [match] = Array.isArray(body.matches) ? body.matches.filter(isFields) : [];
      if (status === "data" && match !== undefined && !control.signal.aborted) setFacts(factsOf(match));
    });
    return () => control.abort();
  }, [by, kind, network, id]);
  return facts;
};

/** Answers take precedence over the search. */
export const mergedFacts = (free: HeadFacts, asked: HeadFacts): HeadFacts => {
  const named = asked.name === null && asked.symbol === null ? free : asked;
  return {
    name: named.name,
    symbol: named.symbol,
    kind: asked.kind ?? free.kind,
    figure: asked.figure,
    verdict: asked.verdict ?? free.verdict,
  };
};
