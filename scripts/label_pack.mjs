// Writes a label pack into the product: node scripts/label_pack.mjs FOLDER VERSION (a day; FOLDER holds its CSV files)
// One line for each row, sorted: network, address, entity, label, category, confidence in percent, number of the evidence, number of
// the origin. sources.json lists evidence and origins.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, version] = process.argv.slice(2);
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

const evidence = new Map();
const origins = new Map();
const numberIn = (known, value) => {
  const key = JSON.stringify(value);
  if (!known.has(key)) known.set(key, known.size);
  return String(known.get(key));
};

const rows = readdirSync(folder)
  .filter((name) => name.endsWith(".csv"))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(1))
  .filter((line) => line !== "")
  .map((line) => {
    const [network, address, entity, label, category, confidence, where, source, licence, published_on] = cellsOf(line);
    const sources = source.split(";").map((one) => one.trim().replace(/^npm (@?[^@]+)@[^:]*/, "npm:$1"));
    const key = address.startsWith("0x") ? address.slice(2).toLowerCase() : address;
    const short = label.startsWith(`${entity}: `) ? label.slice(entity.length + 2) : `=${label}`;
    const percent = String(Math.round(Number(confidence) * 100));
    const numbers = [numberIn(evidence, where), numberIn(origins, { sources, licence, published_on })];
    return [network, key, entity, short, category, percent, ...numbers].join("\t");
  })
  .sort();

const listed = {
  version,
  evidence: [...evidence.keys()].map((key) => JSON.parse(key)),
  origins: [...origins.keys()].map((key) => JSON.parse(key)),
};
writeFileSync(join(target, "rows.tsv.gz"), gzipSync(`${rows.join("\n")}\n`, { level: 9 }));
writeFileSync(join(target, "sources.json"), `${JSON.stringify(listed, null, 1)}\n`);
console.log(`${rows.length} rows, ${evidence.size} places, ${origins.size} origins`);
