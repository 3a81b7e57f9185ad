/** Texts being read, in the memory of the module that reads them. */
import { BadAnswer } from "../../node/answer.ts";
import { EvmModule } from "../verify/module.ts";

/** One per process: it works on one block at a time and synchronously. */
export const module = new EvmModule();

let loaded: { readonly generation: number; readonly starts: ReadonlyMap<Buffer, number> } = {
  generation: -1,
  starts: new Map(),
};

/** Loads texts into the module's memory unless they are there already. @throws BadAnswer if they are too long */
export const load = (wanted: readonly Buffer[]): void => {
  if (loaded.generation === module.generation && wanted.every((text) => loaded.starts.has(text))) return;
  const texts = [...new Set(wanted)];
  const starts = module.write(texts);
  loaded = { generation: module.generation, starts: new Map(texts.map((text, i) => [text, starts[i] ?? 0])) };
};

/** Start of a text that was loaded last. */
export const startOf = (text: Buffer): number => {
  const start = loaded.generation === module.generation ? loaded.starts.get(text) : undefined;
  if (start === undefined) throw new BadAnswer("an answer is not there to be read");
  return start;
};

/** Frees the memory of an uncommonly large answer. */
export const release = (): void => {
  module.shrink();
  loaded = { generation: -1, starts: new Map() };
};
