import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { afterAll, expect, test } from "vitest";
import { camel } from "../../scripts/sdk_card.ts";
import { tools } from "../../src/tools/index.ts";
import { emptyFolder, ROOT } from "./packed.ts";

const { folder, remove } = emptyFolder();
afterAll(remove);

/** Bundle of a page that imports `names`. */
const bundled = async (names: readonly string[]): Promise<string> => {
  const entry = join(folder, "entry.js");
  writeFileSync(entry, `export { ${names.join(", ")} } from "${ROOT}/sdk/src/index.ts";\n`);
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: "silent",
    build: { write: false, minify: true, lib: { entry, formats: ["es"] } },
  });
  const [first] = Array.isArray(built) ? built : [];
  const [chunk] = first?.output ?? [];
  if (chunk?.type !== "chunk") throw new Error("nothing was built");
  return chunk.code;
};

test("bundles no other tool, no pagination and no webhooks with one imported tool, in under 4 KB compressed", async () => {
  const code = await bundled(["openAssay", "getTokenInfo"]);
  const others = tools.filter(({ name }) => name !== "get_token_info" && code.includes(name));
  expect(others.map(({ name }) => name)).toEqual([]);
  expect(code).toContain("get_token_info");
  expect(code).not.toMatch(/has_more_data|whsec_|HMAC/);
  expect(gzipSync(code).length).toBeLessThan(4_096);
});

test("bundles all tools in under 8 KB compressed, without modules of Node, and with a function for each", async () => {
  const code = await bundled(["openAssay", "verifyWebhook", ...tools.map(({ name }) => camel(name))]);
  expect(gzipSync(code).length).toBeLessThan(8_192);
  expect(code).not.toMatch(/\bfrom\s*["'`]|\brequire\(|node:/);
  for (const { name } of tools) expect(code).toContain(name);
});
