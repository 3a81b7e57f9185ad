import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Version of this program. */
export const programVersion = (checkout: string): string => {
  // Our own package.json.
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { version: string };
  return version;
};
