import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FactsStore } from "../store/open.ts";
import { importList, importScope, type KnownNetworks, type ListFile, type ListReport } from "../wiring/import_list.ts";

/** Where the demo world keeps what an operator would import. */
export const DEMO_LISTS = fileURLToPath(new URL("../demo/evm/lists", import.meta.url));

const DEMO = { licence: "CC0-1.0", origin: "src/demo/evm/lists" };

const DEMO_FILES: readonly (Omit<ListFile, "path"> & { readonly name: string })[] = [
  { ...DEMO, name: "sanctions.json", format: "sanctions-json", list: "demo-sanctions" },
  { ...DEMO, name: "labels.json", format: "labels-json", list: "demo-labels" },
  { ...DEMO, name: "tokens.json", format: "token-list", list: "demo-tokens" },
];

/** Imports the lists of the demo world like an operator, except those already imported. `folder` holds the files. */
export const importDemoLists = async (
  store: Pick<FactsStore, "engine" | "writer">,
  demo: { readonly folder: string; readonly networks: KnownNetworks; readonly now_ms: number },
): Promise<readonly ListReport[]> => {
  const scope = importScope(
    demo.networks,
    demo.networks.map(({ id }) => id),
  );
  const reports: ListReport[] = [];
  for (const { name, ...file } of DEMO_FILES) {
    const path = join(demo.folder, name);
    reports.push(await importList(store, { ...file, path }, { scope, now_ms: demo.now_ms, leaves_same: true }));
  }
  return reports;
};
