/**
 * Reads JSON that a node sent. Every value is `unknown` until one of these functions checks it. Each throws
 * `BadAnswer`, whose text names the field and never the endpoint.
 */

import type { AnswerCheck } from "./checks.ts";

/** A node's answer violates the protocol. The endpoint is to blame, never the data. */
export class BadAnswer extends Error {
  override readonly name: string = "BadAnswer";
  /** The check that failed; null if the fault is outside of a block's content. */
  readonly check: AnswerCheck | null;
  /** HTTP status of an answer without any other content; null if the answer was read. */
  readonly status: number | null;

  constructor(message: string, check: AnswerCheck | null = null, status: number | null = null) {
    super(message);
    this.check = check;
    this.status = status;
  }
}

export type JsonFields = { readonly [name: string]: unknown };

export const fieldsOf = (value: unknown, what: string): JsonFields => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadAnswer(`${what} is not an object`);
  // A non-null object that is no array has string keys with unknown values.
  return value as JsonFields;
};

export const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new BadAnswer(`${what} is not a list`);
  return value;
};

export const textOf = (value: unknown, what: string): string => {
  if (typeof value !== "string") throw new BadAnswer(`${what} is not a text`);
  return value;
};
