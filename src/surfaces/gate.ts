import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";

/** Work of which at most so much runs at a time, on all surfaces together; one more is refused at once. */
export interface Gate {
  run<A extends Answer | null>(work: () => Promise<A>): Promise<A | Answer>;
}

export const openGate = (running_max: number): Gate => {
  let running = 0;
  return {
    async run(work) {
      if (running >= running_max) return answers.overloaded;
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
};
