/** Reads a file of `knowledge/` and checks it against its schema. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";

const SCHEMAS = "knowledge/schemas";

const readSchemas = (root: string): readonly object[] =>
  readdirSync(join(root, SCHEMAS)).map((name) => JSON.parse(readFileSync(join(root, SCHEMAS, name), "utf8")));

/** A schema by the name of its file. */
export const readSchema = (root: string, name: string): unknown =>
  JSON.parse(readFileSync(join(root, SCHEMAS, `${name}.json`), "utf8"));

/**
 * Files of `knowledge/` against their schemas.
 * @throws Error that names the file and each field that does not fit
 */
export const knowledgeReader = (root: string) => {
  const ajv = new Ajv2020({ schemas: [...readSchemas(root)], allErrors: true, strict: true, allowUnionTypes: true });
  /** @param name of `knowledge/<name>.yaml`, with the schema `<schema_name>.json` */
  return (name: string, schema_name: string = name): unknown => {
    const path = `knowledge/${name}.yaml`;
    const value: unknown = parse(readFileSync(join(root, path), "utf8"));
    if (ajv.validate(`${schema_name}.json`, value)) return value;
    const faults = (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
    throw new Error(`${path} does not fit its schema: ${[...new Set(faults)].join("; ")}`);
  };
};

/** Names of the YAML files of a folder of `knowledge/`, without the ending. */
export const filesOf = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, "knowledge", folder))
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => `${folder}/${file.replace(/\.yaml$/, "")}`);

/** Rows of a file have an id each. @throws Error that names an id that two rows have */
export const checkIds = (name: string, rows: readonly { readonly id: string }[]): void => {
  const ids = rows.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Error(`knowledge/${name}.yaml has two rows with the id ${twice}`);
};
