/** A small linear congruential generator (Numerical Recipes), 0 to 1: the same traffic every time. */
export const seededRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
