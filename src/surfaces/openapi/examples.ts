import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../lib/errors.ts";

/** `docs/examples/<tool>.json`: the answer of really running the card's example. A tool without a file has none. */
export const readExamples = (folder: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    filesOf(folder).map((name) => [
      name.slice(0, -".json".length),
      JSON.parse(readFileSync(join(folder, name), "utf8")),
    ]),
  );

const filesOf = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
};
