// Writes the label pack of ../shared/data/labels/pack into the product: node scripts/label_pack.mjs FOLDER
// One line for each row, sorted: network, address, entity, label, category, number of the source. Sources stand in sources.json.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
const target = join(import.meta.dirname, "../src/labels/pack");

const cellsOf = (line) => {
  const cells = [];
  let cell = "";
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') quoted = !quoted;
    else if (letter === "," && !quoted) {
      cells.push(cell);
      cell = "";
    } else cell += letter;
  }
  return [...cells, cell];
};

const sources = [];
const rows = readdirSync(folder)
  .filter((name) => name.endsWith(".csv"))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(1))
  .filter((line) => line !== "")
  .map((line) => {
    const [network, address, entity, label, category, , evidence, , licence] = cellsOf(line);
    const where = `${evidence.replace(/#.*$/, "")} (${licence})`;
    if (!sources.includes(where)) sources.push(where);
    const key = address.startsWith("0x") ? address.slice(2).toLowerCase() : address;
    const short = label.startsWith(`${entity}: `) ? label.slice(entity.length + 2) : `=${label}`;
    return [network, key, entity, short, category, String(sources.indexOf(where))].join("\t");
  })
  .sort();

writeFileSync(join(target, "rows.tsv.gz"), gzipSync(`${rows.join("\n")}\n`, { level: 9 }));
writeFileSync(join(target, "sources.json"), `${JSON.stringify(sources, null, 1)}\n`);
console.log(`${rows.length} rows, ${sources.length} sources`);
