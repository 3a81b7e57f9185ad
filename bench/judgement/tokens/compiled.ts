/** Compiles the sources of the tokens with the pinned compiler, in memory. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { HexText } from "../../../src/demo/evm/rpc.ts";

const SOURCES = join(import.meta.dirname, "sources");

interface SolidityCompiler {
  compile(input: string): string;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>>
  >;
}

/** Creation code by contract. Throws with the compiler's message. */
export const compileTokens = (): ReadonlyMap<string, HexText> => {
  // A CommonJS package without types.
  const solc = createRequire(import.meta.url)("solc") as SolidityCompiler;
  const files = readdirSync(SOURCES).filter((file) => file.endsWith(".sol"));
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(join(SOURCES, file), "utf8") }]),
  );
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    // The first version with transient storage.
    evmVersion: "cancun",
    outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
  };
  // The shape is that of the compiler's standard JSON output.
  const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings }))) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return new Map(
    Object.values(output.contracts ?? {}).flatMap((contracts) =>
      Object.entries(contracts)
        .filter(([, { evm }]) => evm.bytecode.object !== "")
        .map(([name, { evm }]): [string, HexText] => [name, `0x${evm.bytecode.object}`]),
    ),
  );
};
