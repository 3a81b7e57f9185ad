/** Reads a file of `knowledge/` and checks it against its schema. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";

/**
 * @param name of `knowledge/<name>.yaml`
 * @param schema_name of `knowledge/schemas/<schema_name>.json`
 * @throws Error that names the file and each field that does not fit
 */
export const readKnowledge = (root: string, name: string, schema_name: string = name): unknown => {
  const path = `knowledge/${name}.yaml`;
  const value: unknown = parse(readFileSync(join(root, path), "utf8"));
  const schema: object = JSON.parse(readFileSync(join(root, `knowledge/schemas/${schema_name}.json`), "utf8"));
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  if (ajv.validate(schema, value)) return value;
  const faults = (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  throw new Error(`${path} does not fit its schema: ${[...new Set(faults)].join("; ")}`);
};

/** Rows of a file have an id each. @throws Error that names an id that two rows have */
export const checkIds = (name: string, rows: readonly { readonly id: string }[]): void => {
  const ids = rows.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Error(`knowledge/${name}.yaml has two rows with the id ${twice}`);
};
