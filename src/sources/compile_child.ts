/**
 * Compiles standard JSON inputs, one message in, one message out. A process of its own, because sources come from
 * strangers: its memory and time are bounded by whoever starts it, and it is given no way to read files or the network.
 */
import { createRequire } from "node:module";

interface Compiler {
  compile(input: string): string;
}

// A CommonJS package without types; `Compiler` names the one function that is used. No import callback: files not in the
// input do not exist.
const solc = createRequire(import.meta.url)("solc") as Compiler;

process.on("message", (input) => {
  if (typeof input === "string") process.send?.(solc.compile(input));
});
