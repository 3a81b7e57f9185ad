/** Questions about accounts and sessions, and what they are answered with. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { isFields, type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { request } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import { useStore } from "../store.ts";

/** One request. */
export const sendRequest = (method: "GET" | "POST" | "PUT", path: string, body?: JsonObject): Promise<ToolAnswer> => {
  const sent =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return request(path, { method, ...sent });
};

export interface AccountQuery {
  /** Null while the first answer is awaited; the one before stays while another is. */
  readonly answer: ToolAnswer | null;
  readonly again: () => void;
}

/** The answer to a read-only request; repeated when the path or the credential changes. */
export const useAccountQuery = (path: string): AccountQuery => {
  const by = useStore(credential);
  const [answer, setAnswer] = useState<ToolAnswer | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let is_wanted = true;
    void sendRequest("GET", path).then((got) => is_wanted && setAnswer(got));
    return () => {
      is_wanted = false;
    };
  }, [path, by, round]);
  return { answer, again: useCallback(() => setRound((count) => count + 1), []) };
};

/** Objects of a list in an answer. */
export const rowsOf = (body: JsonObject, name: string): readonly JsonObject[] => {
  const rows = body[name];
  return Array.isArray(rows) ? rows.filter(isFields) : [];
};

export const words = (row: JsonObject, name: string): string => textOf(row[name]) ?? "";

export const numberOf = (row: JsonObject, name: string): number | null => {
  const value = row[name];
  return typeof value === "number" ? value : null;
};

/** Numbers for people; a dash for an unknown one. */
export const formatNumber = (value: number | null): string => (value === null ? "—" : value.toLocaleString("en-US"));

/** A column of whole numbers, which sorts by them. */
export const numberColumn = (head: string, name: string) => ({
  head,
  is_number: true,
  cell: (row: JsonObject) => formatNumber(numberOf(row, name)),
  value: (row: JsonObject) => numberOf(row, name),
});

/** A time as the service writes it, without its letters. */
export const timeOf = (text: string): string => text.replace("T", " ").replace(/Z$/, "");
