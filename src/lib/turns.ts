/**
 * A long computation in pieces: it yields where other work of the process may run. HTTP requests in the same process wait for one
 * piece at most, however many computations run: only one of them runs a piece in each turn of the event loop.
 */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Rows between two yields of a loop: a fraction of a millisecond. */
export const PIECE_ROWS = 2_048;

/** Time that one computation runs before others get a turn. */
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

/** Runs the computation to its end without yielding. */
export const atOnce = <T>(pieces: Pieces<T>): T => {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
};

/**
 * Runs the computation to its end, turn by turn.
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
