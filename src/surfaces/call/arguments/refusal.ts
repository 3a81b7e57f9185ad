/** A refusal on its way up to `bindArguments`, which turns it into a value. */
export class Refusal extends Error {}

export const refuse = (sentence: string): never => {
  throw new Refusal(sentence);
};
