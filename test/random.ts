/** Draws that follow from a seed: tests and benches that draw show the same again. */

/** 32 bits each (mulberry32, a generator in the public domain). */
const bitsOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/** From 0 to below 1. */
export const drawsOf = (seed: number): (() => number) => {
  const bits = bitsOf(seed);
  return () => bits() / 2 ** 32;
};

/** A whole number below `below`. */
export type RandomBelow = (below: number) => number;

export const diceOf = (seed: number): RandomBelow => {
  const bits = bitsOf(seed);
  return (below) => bits() % below;
};

/** The same elements in a drawn order (Fisher and Yates). */
export const shuffled = <T>(elements: readonly T[], draw: () => number): readonly T[] => {
  const order = [...elements];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(draw() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T]; // both are indices of the list
  }
  return order;
};

/** @throws Error when there is none. */
export const oneOf = <T>(elements: readonly T[], draw: () => number): T => {
  const drawn = elements[Math.floor(draw() * elements.length)];
  if (drawn === undefined) throw new Error("there is nothing to draw from");
  return drawn;
};
