/** Where the parameters of an event are in its log. */
import { type EventRow, plainSignature } from "./protocol_files.ts";

export interface EventLayout {
  readonly signature: string;
  readonly topics: number;
  /** Of the data, without what dynamic parameters hold. */
  readonly words: number;
  readonly is_dynamic: boolean;
  /** `t1`..`t3` or `w0`.. of a parameter. @throws Error for a name that no parameter has */
  readonly place: (parameter: string) => string;
  /** @throws Error for a name that no parameter has */
  readonly typeOf: (parameter: string) => string;
}

const PARAMETER = /^(?<type>[a-z0-9(),[\]]+) (?<indexed>indexed )?(?<name>\w+)$/;
/** Also within a tuple. */
const DYNAMIC = /(?<![a-z0-9])(?:bytes|string)(?!\d)|\[\]/;
const TUPLE = /^\(([^()[\]]+)\)$/;

/** Words of a parameter in the data: of a dynamic one its offset. @throws Error for a static array, which no listed event has */
const wordsOf = (type: string, id: string): number => {
  if (DYNAMIC.test(type)) return 1;
  const [, members] = TUPLE.exec(type) ?? [];
  if (members === undefined && /[()[\]]/.test(type))
    throw new Error(`knowledge: ${id} has the unreadable type ${type}`);
  return members?.split(",").length ?? 1;
};

/** @throws Error for a parameter that it cannot read */
export const layoutOf = ({ id, event }: Pick<EventRow, "id" | "event">): EventLayout => {
  const [, list = ""] = /\((.*)\)$/.exec(event) ?? [];
  const places = new Map<string, { readonly at: string; readonly type: string }>();
  let [topics, words, is_dynamic] = [1, 0, false];
  for (const text of list.split(", ")) {
    const parameter = PARAMETER.exec(text)?.groups;
    if (parameter === undefined) throw new Error(`knowledge/protocols: ${id} has the unreadable parameter "${text}"`);
    const is_indexed = parameter.indexed !== undefined;
    const at = is_indexed ? `t${topics}` : `w${words}`;
    places.set(parameter.name ?? "", { at, type: parameter.type ?? "" });
    if (is_indexed) topics += 1;
    else words += wordsOf(parameter.type ?? "", id);
    is_dynamic ||= !is_indexed && DYNAMIC.test(parameter.type ?? "");
  }
  const parameterOf = (wanted: string) => {
    const found = places.get(wanted);
    if (found === undefined) throw new Error(`knowledge/protocols: ${id} names ${wanted}, which is no parameter of it`);
    return found;
  };
  const place = (wanted: string): string => parameterOf(wanted).at;
  const typeOf = (wanted: string): string => parameterOf(wanted).type;
  return { signature: plainSignature(event), topics, words, is_dynamic, place, typeOf };
};

/** Number of a topic (`t`) or word (`w`). @throws Error where the parameter is the other of the two */
export const numberAt = (place: string, kind: "t" | "w", id: string): number => {
  if (!place.startsWith(kind)) throw new Error(`knowledge/protocols: ${id} has ${place} where a ${kind} must be`);
  return Number(place.slice(1));
};
