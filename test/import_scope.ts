import type { ImportScope } from "../src/labels/import/parsed_list.ts";
import { importScope } from "../src/wiring/import_list.ts";

/** Scope of parsers in tests: the networks of the program, and the demo for rows without a network. */
export const testScope = (default_networks: readonly string[] = ["demo"]): ImportScope =>
  importScope([{ id: "demo", family: "evm", chain_id: 31_337 }], default_networks);
