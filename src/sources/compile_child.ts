/**
 * Compiles standard JSON inputs, one message in, one message out. Runs as a separate process because sources are untrusted:
 * the parent limits its memory and time, and it cannot read files or the network.
 */
import { createRequire } from "node:module";

interface Compiler {
  compile(input: string): string;
}

// A CommonJS package without types; `Compiler` types the one function used here. Without an import callback, files that are
// not in the input do not exist.
const solc = createRequire(import.meta.url)("solc") as Compiler;

process.on("message", (input) => {
  if (typeof input === "string") process.send?.(solc.compile(input));
});
