/**
 * Compiles `contracts/*.sol` and writes `contracts/artifacts/<Name>.json`: `node dist/scripts/contracts.js`. The compilers
 * are the npm packages `solc` (and `solc4` for the one source of 2017), so this needs no network. Artifacts are committed:
 * nothing compiles Solidity at run time.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectSettings, sourceClosure } from "../src/sources/project.ts";

/** Content of a file of `contracts/artifacts`. */
export interface ArtifactFile {
  readonly name: string;
  readonly source: string;
  /** SHA-256 over the source and everything it imports; detects a stale artifact without compiling. */
  readonly sources_sha256: string;
  readonly compiler: { readonly version: string; readonly evm_version: string | null; readonly optimizer_runs: number };
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly deployed_bytecode: `0x${string}`;
}

interface Compiler {
  version(): string;
  compile(input: string): string;
  compileStandardWrapper?(input: string): string;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: { readonly bytecode: { object: string }; readonly deployedBytecode: { object: string } };
          }
        >
      >
    >
  >;
}

const OPTIMIZER_RUNS = 200;
// No PUSH0: the same bytecode runs on every EVM network.
const EVM_VERSION = "paris";

const projectFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
};
export const CONTRACTS = join(projectFolder(), "contracts");

/** SHA-256 of a source file of `contracts/` with its imports. */
export const sourcesHash = (file: string): string => {
  const hash = createHash("sha256");
  for (const [path, text] of [...sourceClosure(CONTRACTS, file)].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path}\n${text}\n`);
  return hash.digest("hex");
};

export const sourceFiles = (): readonly string[] =>
  readdirSync(CONTRACTS)
    .filter((file) => file.endsWith(".sol"))
    .sort();

const isOld = (file: string): boolean => /pragma solidity \^0\.4\./.test(readFileSync(join(CONTRACTS, file), "utf8"));

const run = (file: string): { output: CompilerOutput; compiler: ArtifactFile["compiler"] } => {
  const old = isOld(file);
  // Both packages are CommonJS without types; `Compiler` names the three functions that are used.
  const solc = createRequire(import.meta.url)(old ? "solc4" : "solc") as Compiler;
  const sources = Object.fromEntries([...sourceClosure(CONTRACTS, file)].map(([path, content]) => [path, { content }]));
  const input = JSON.stringify({
    language: "Solidity",
    sources,
    settings: {
      ...(old ? { optimizer: { enabled: true, runs: OPTIMIZER_RUNS } } : projectSettings(EVM_VERSION, OPTIMIZER_RUNS)),
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  });
  const text = old && solc.compileStandardWrapper ? solc.compileStandardWrapper(input) : solc.compile(input);
  // The shape is solc's documented standard JSON output.
  const output = JSON.parse(text) as CompilerOutput;
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(`${file}: ${errors.map((error) => error.formattedMessage).join("\n")}`);
  const compiler = {
    version: solc.version(),
    evm_version: old ? null : EVM_VERSION,
    optimizer_runs: OPTIMIZER_RUNS,
  };
  return { output, compiler };
};

/** Artifacts of the contracts that `file` itself defines and that can be deployed. Throws with solc's message. */
export const compile = (file: string): readonly ArtifactFile[] => {
  const { output, compiler } = run(file);
  return Object.entries(output.contracts?.[file] ?? {})
    .filter(([, contract]) => contract.evm.bytecode.object !== "")
    .map(([name, contract]) => ({
      name,
      source: file,
      sources_sha256: sourcesHash(file),
      compiler,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}` as const,
      deployed_bytecode: `0x${contract.evm.deployedBytecode.object}` as const,
    }));
};

const codeFile = (...path: string[]): string => join(CONTRACTS, "..", "src", "domain", "token", ...path);

/** Contracts that the product ships: their code overrides that of addresses, and is never deployed. */
export const SHIPPED: readonly { readonly name: string; readonly file: string; readonly constant: string }[] = [
  { name: "Simulator", file: codeFile("simulation", "simulator.gen.ts"), constant: "SIMULATOR_CODE" },
  { name: "RouterGuise", file: codeFile("simulation", "router_guise.gen.ts"), constant: "ROUTER_GUISE_CODE" },
  { name: "PowerProbe", file: codeFile("powers", "probe.gen.ts"), constant: "PROBE_CODE" },
  { name: "Puppet", file: codeFile("powers", "puppet.gen.ts"), constant: "PUPPET_CODE" },
  { name: "Marker", file: codeFile("powers", "marker.gen.ts"), constant: "MARKER_CODE" },
];

/** Content of a file of `SHIPPED`. */
export const shippedText = (
  constant: string,
  { source, deployed_bytecode }: Pick<ArtifactFile, "source" | "deployed_bytecode">,
): string =>
  `import { hex } from "../../../lib/bytes.ts";\n\n/** Runtime code of contracts/${source}, written by scripts/contracts.ts. */\nexport const ${constant} = hex(\n  "${deployed_bytecode.slice(2)}",\n);\n`;

const isMain = process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1];
if (isMain) {
  const target = join(CONTRACTS, "artifacts");
  mkdirSync(target, { recursive: true });
  for (const artifact of sourceFiles().flatMap(compile)) {
    writeFileSync(join(target, `${artifact.name}.json`), `${JSON.stringify(artifact, null, 1)}\n`);
    for (const { name, file, constant } of SHIPPED)
      if (name === artifact.name) writeFileSync(file, shippedText(constant, artifact));
    process.stderr.write(`${artifact.name}: ${artifact.deployed_bytecode.length / 2 - 1} bytes\n`);
  }
}
