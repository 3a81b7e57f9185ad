/**
 * A long computation in pieces: it yields wherever other work of the process may have its turn. Who speaks HTTP in the same process
 * waits for one piece at most, however many computations are under way: one of them has a piece in each turn of the event loop.
 */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Rows between two places where a loop may be left: a fraction of a millisecond. */
export const PIECE_ROWS = 2_048;

/** How long one computation goes on before others have their turn. */
const TURN_MS = 1;

const waiting: (() => void)[] = [];

const nextOne = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextOne);
};

const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(nextOne);
  });

/** The whole of it, at once. */
export const atOnce = <T>(pieces: Pieces<T>): T => {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
};

/**
 * The whole of it, turn by turn.
 * @throws the reason of the signal when it aborts before the end.
 */
export const inTurns = async <T>(pieces: Pieces<T>, signal?: AbortSignal): Promise<T> => {
  let until = performance.now() + TURN_MS;
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await ownTurn();
    signal?.throwIfAborted();
    until = performance.now() + TURN_MS;
  }
};
