/** Prices of a network that is read on demand: which calls need, and which the network's indexer has read. */
import { EMPTY, fromHex, type Hex } from "../../lib/bytes.ts";
import type { Engine } from "../engine.ts";
import type { DemandedPrice, PriceQuestion } from "../facts.ts";
import { queryRows } from "../query.ts";
import type { TableRows } from "../tables.gen.ts";
import type { Writer } from "../writer.ts";

/** The account that asked; '' for the operator. */
export interface PriceWish extends PriceQuestion {
  readonly asked_by: string;
}

type DemandedRow = TableRows["demanded_prices"];

export interface PriceAnswer extends Omit<DemandedRow, "network" | "token" | "written_at"> {
  readonly token: Hex;
}

/** Questions of one query: servers limit its length. */
const QUESTIONS_MAX = 2_000;

/** A key of a question. */
export const questionKey = ({ token, hour, at_block }: PriceQuestion): string => `${token}:${hour}:${at_block}`;

/** Answers to these questions; one without an answer is absent. */
export const readDemandedPrices = async (
  engine: Pick<Engine, "query">,
  network: string,
  asked: readonly PriceQuestion[],
): Promise<readonly DemandedPrice[]> => {
  const parts = Array.from({ length: Math.ceil(asked.length / QUESTIONS_MAX) }, (_, i) =>
    asked.slice(i * QUESTIONS_MAX, (i + 1) * QUESTIONS_MAX),
  );
  const read = parts.map((part) =>
    queryRows(engine, "demanded_prices", {
      network,
      tokens: part.map(({ token }) => token),
      hours: part.map(({ hour }) => hour),
      blocks: part.map(({ at_block }) => at_block),
    }),
  );
  return (await Promise.all(read)).flat();
};

/** Wishes from `since` on (unix seconds) that wait for an answer, oldest first. */
export const readPriceWishes = (
  engine: Pick<Engine, "query">,
  network: string,
  since: number,
): Promise<readonly PriceWish[]> => queryRows(engine, "price_wishes", { network, since });

const bytesOf = (token: Hex): Uint8Array => fromHex(token) ?? EMPTY;

export const writePriceWishes = (
  writer: Pick<Writer, "insert">,
  network: string,
  wishes: readonly PriceWish[],
): Promise<void> =>
  writer.insert(
    "price_wishes",
    wishes.map((wish) => ({ network, ...wish, token: bytesOf(wish.token), written_at: Date.now() / 1000 })),
  );

/** Written by the network's indexer alone. */
export const writeDemandedPrices = (
  writer: Pick<Writer, "insert">,
  { network, now_ms }: { readonly network: string; readonly now_ms: number },
  answers: readonly PriceAnswer[],
): Promise<void> =>
  writer.insert(
    "demanded_prices",
    answers.map((answer) => ({ network, ...answer, token: bytesOf(answer.token), written_at: now_ms / 1000 })),
    { network },
  );
