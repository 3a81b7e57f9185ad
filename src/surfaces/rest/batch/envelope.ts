import { isRecord } from "../../../lib/record.ts";
import type { Envelope } from "../../http/envelope.ts";
import { partedKeyFaults } from "../../http/idempotency_key.ts";
import { echo, type FieldError } from "../../http/json_body.ts";

export const ITEMS_MAX = 100;

type ItemArguments = Readonly<Record<string, unknown>>;
type ReadEnvelope = Extract<Envelope, { kind: "read" }>;

const itemFault = (value: unknown, index: number): FieldError => ({
  type: "dict_type",
  loc: ["body", "items", index],
  msg: "Input should be a valid dictionary",
  ...echo(value),
});

const lengthFault = (count: number): FieldError => {
  const [type, word, limit] = count === 0 ? ["too_short", "at least", 1] : ["too_long", "at most", ITEMS_MAX];
  const msg = `List should have ${word} ${limit} item${limit === 1 ? "" : "s"} after validation, not ${count}`;
  const bound = count === 0 ? { min_length: 1 } : { max_length: ITEMS_MAX };
  return { type: String(type), loc: ["body", "items"], msg, ctx: { ...bound, actual_length: count } };
};

const itemFaults = (items: unknown): readonly FieldError[] => {
  const loc = ["body", "items"];
  if (items === undefined) return [{ type: "missing", loc, msg: "Field required" }];
  if (!Array.isArray(items)) return [{ type: "list_type", loc, msg: "Input should be a valid list", ...echo(items) }];
  if (items.length === 0 || items.length > ITEMS_MAX) return [lengthFault(items.length)];
  return items.flatMap((item, index) => (isRecord(item) && !Array.isArray(item) ? [] : [itemFault(item, index)]));
};

const extraFaults = (body: ItemArguments): readonly FieldError[] =>
  Object.keys(body)
    .filter((name) => name !== "items")
    .map((name) => ({ type: "extra_forbidden", loc: ["body", name], msg: "Extra inputs are not permitted" }));

/** The argument objects of a batch, or the items of a 422. */
export const readItems = ({
  args,
  idempotency_key,
}: ReadEnvelope):
  | { readonly kind: "read"; readonly items: readonly ItemArguments[] }
  | { readonly kind: "invalid"; readonly faults: readonly FieldError[] } => {
  const faults = [...partedKeyFaults(idempotency_key), ...itemFaults(args.items), ...extraFaults(args)];
  // Without a fault, `items` is an array of objects.
  return faults.length > 0
    ? { kind: "invalid", faults }
    : { kind: "read", items: args.items as readonly ItemArguments[] };
};
