/** What all of them come to, once the last one has ended: none goes on behind the fault of another. Throws the first fault in their order. */
export const allEnded = async <T extends readonly unknown[] | []>(work: T) => {
  await Promise.allSettled(work);
  return Promise.all(work);
};
