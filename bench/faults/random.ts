/** Draws from 0 to below 1 that follow from the seed (mulberry32). */
export const drawsOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
