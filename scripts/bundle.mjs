// Bundles dist/src into the few files of dist/bundle, which `assay` starts (docs/design/operations.md). Packages stay where they are
// installed. Files that a module reads beside itself stay in dist/src: `import.meta` keeps the path of the original module.
import { rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const target = join(dist, "bundle");

/** Rewrites `import.meta` to the original module, relative to the bundle's only folder. */
const kept_places = {
  name: "kept-places",
  transform(code, id) {
    if (!code.includes("import.meta")) return null;
    const path = relative(target, id);
    return code
      .replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.url).href`)
      .replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(`/${dirname(path)}`)})`);
  },
};

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: join(dist, "src/cli.js"),
  platform: "node",
  external: /^[^./]/,
  plugins: [kept_places],
});
await bundle.write({ dir: target, entryFileNames: "[name].js", chunkFileNames: "[name].[hash].js" });
await bundle.close();
