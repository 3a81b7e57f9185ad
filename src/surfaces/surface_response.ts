import type { CreditStatus } from "../accounts/meter.ts";

/** The answer to a request, before a surface writes it in its own form. */
export interface SurfaceResponse {
  readonly status: number;
  readonly body: unknown;
  /** Credits that this request cost: 0 when nothing was charged or the charge was refunded, null when that is not known. */
  readonly charged: number | null;
  /** Null when no caller is known, or when the accounts store does not answer. */
  readonly credit_status: CreditStatus | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a charged answer: refunds the charge, and returns the answer to send when no time is left for this one. */
  readonly retract?: () => Promise<SurfaceResponse>;
}

/** An answer of status 200 that costs nothing. */
export const freeAnswer = (body: unknown, headers: Readonly<Record<string, string>> = {}): SurfaceResponse => ({
  status: 200,
  body,
  charged: 0,
  credit_status: null,
  headers,
});

/** An answer of an error status; its body is `{ detail }`. */
export const refusal = (
  status: number,
  detail: unknown,
  headers: Readonly<Record<string, string>> = {},
): SurfaceResponse => ({
  status,
  body: { detail },
  charged: 0,
  credit_status: null,
  headers,
});

/** The sentence of a refusal whose `detail` is text. */
export const detailOf = ({ body }: SurfaceResponse): string => String(Reflect.get(Object(body), "detail"));
