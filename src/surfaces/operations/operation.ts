import type * as z from "zod";

/**
 * One operation on accounts over HTTP or the command line. `{name}` in `path` are fields of `input`; its other fields are
 * the query of a GET and the JSON body of anything else. `D` is what it works on.
 */
export interface Operation<D, I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** Whether its body may be as large as answers of tools are. */
  readonly takes_long_body?: boolean;
  /** The output as CSV, for requests with `format=csv`. */
  readonly csv?: (output: z.output<O>) => string;
  /** @throws AssayError whose `public` says what is wrong, with a code of refusals.ts */
  readonly run: (desk: D, input: z.output<I>) => Promise<z.input<O>>;
}

/** Lets an operation on `D` say its input and output by its schemas. */
export const definer =
  <D>() =>
  <I extends z.ZodObject, O extends z.ZodObject>(operation: Operation<D, I, O>): Operation<D, I, O> =>
    operation;

/** Operations of one interface by their ids. */
export type Operations<D> = Readonly<Record<string, Operation<D>>>;

/** Each takes its own input, which its own schema has parsed before it runs. */
export const asOperations = <D>(operations: Readonly<Record<string, unknown>>): Operations<D> =>
  operations as Operations<D>;
