import type { JsonFields } from "../node/answer.ts";

const VOID_ADDRESS = `0x${"0".repeat(40)}`;

/**
 * Transactions from and to the zero address are the chain's own book-keeping (Polygon's state sync): no trace, no
 * filter bits.
 */
export const isBookkeeping = (fields: JsonFields): boolean =>
  fields.from === VOID_ADDRESS && fields.to === VOID_ADDRESS;
