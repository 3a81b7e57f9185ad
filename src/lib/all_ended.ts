/** Waits until every promise has settled, so that none continues after another failed. Throws the first rejection in list order. */
export const allEnded = async <T extends readonly unknown[] | []>(work: T) => {
  await Promise.allSettled(work);
  return Promise.all(work);
};
