import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ERROR_CODES } from "../src/lib/outcome.ts";
import { tools } from "../src/tools/index.ts";
import { over_time } from "../src/tools/over_time/index.ts";
import type { Workshop } from "./generated.ts";
import { sdkTool } from "./sdk_card.ts";
import { writePython } from "./sdk_python.ts";
import { writeTypescript } from "./sdk_typescript.ts";

/** The client libraries' own files of tools that are no more. */
const strays = (root: string, made: ReadonlySet<string>): readonly string[] =>
  ["sdk/src/tools", "sdk-python/src/assay_sdk/tools"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))
    .filter((path) => /\.gen\.ts$|_gen\.py$/.test(path) && !made.has(path));

/** Both client libraries from the cards. */
export const writeSdks = async ({ root, complain }: Workshop) => {
  const cards = [...tools, ...over_time].map(sdkTool);
  const made = [...writeTypescript(cards, ERROR_CODES), ...writePython(cards, ERROR_CODES)];
  for (const path of strays(root, new Set(made.map(({ path }) => path))))
    complain(`${path} is of a tool that is no more: delete it`);
  return made;
};
