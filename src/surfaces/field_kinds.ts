import type * as z from "zod";
import type { FieldKind } from "../tools/fields.ts";

const KINDS: Readonly<Record<FieldKind, true>> = {
  network: true,
  networks: true,
  address: true,
  token: true,
  any_address: true,
  hash: true,
  date: true,
  name: true,
  name_or_address: true,
};

const isKind = (kind: unknown): kind is FieldKind => typeof kind === "string" && Object.hasOwn(KINDS, kind);

/** Schema and meaning of one input field, whatever `optional` or `default` stand around it. */
const innermost = (schema: z.ZodType): z.ZodType => {
  // Zod's wrappers (optional, default, nullable, readonly) keep the wrapped schema in `def.innerType`.
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return innerType === undefined ? schema : innermost(innerType);
};

/** True for a field of whole numbers: Zod itself says only "number" when something else was sent. */
export const isInteger = (input: z.ZodObject, field: string): boolean => {
  const schema = Object.hasOwn(input.shape, field) ? input.shape[field] : undefined;
  // Only Zod's number schemas have `isInt`; `shape` is typed by the wider core type.
  return schema !== undefined && (innermost(schema as z.ZodType) as { readonly isInt?: boolean }).isInt === true;
};

const kindOf = (schema: z.ZodType): FieldKind | null => {
  const own = schema.meta()?.kind ?? innermost(schema).meta()?.kind;
  return isKind(own) ? own : null;
};

/** True when every call names one network; where that is a choice, an address may be on several. */
export const asksOneNetwork = (input: z.ZodObject): boolean =>
  kindsOf(input).some(([field, kind]) => kind === "network" && input.shape[field]?._zod.optin !== "optional");

type Kinds = readonly (readonly [field: string, kind: FieldKind])[];

const known = new WeakMap<z.ZodObject, Kinds>();

/** Fields of a tool's input that mean more than their JSON type, in the order of the schema. */
export const kindsOf = (input: z.ZodObject): Kinds => {
  const kinds = known.get(input) ?? findKinds(input);
  known.set(input, kinds);
  return kinds;
};

const findKinds = (input: z.ZodObject): Kinds =>
  Object.entries(input.shape).flatMap(([field, schema]) => {
    // A ZodObject's shape holds classic schemas; `shape` is typed by the wider core type.
    const kind = kindOf(schema as z.ZodType);
    return kind === null ? [] : [[field, kind] as const];
  });
