import { type Node, parseSync } from "oxc-parser";
import { childrenOf } from "./function_limits.ts";

/** Local name of `Hex` of lib/bytes.ts in a source; null where it is not imported. */
const nameOfHex = (program: Node): string | null => {
  for (const node of childrenOf(program)) {
    if (node.type !== "ImportDeclaration" || !/(^|\/)bytes\.ts$/.test(node.source.value)) continue;
    for (const one of node.specifiers) {
      if (one.type === "ImportSpecifier" && "name" in one.imported && one.imported.name === "Hex")
        return one.local.name;
    }
  }
  return null;
};

const mentions = (type: Node, name: string): boolean =>
  (type.type === "Identifier" && type.name === name) || childrenOf(type).some((child) => mentions(child, name));

/** A tuple states the length of a list that is hex already; a list literal would become hex by it. */
const saysHowMany = (expression: Node, type: Node): boolean =>
  type.type === "TSTupleType" && expression.type !== "ArrayExpression";

/** Lines, from 1, with a cast to `Hex` of lib/bytes.ts. */
export const hexCastsIn = (path: string, text: string): readonly number[] => {
  const { program } = parseSync(path, text);
  const name = nameOfHex(program);
  if (name === null) return [];
  const found: number[] = [];
  const visit = (node: Node): void => {
    if (node.type === "TSAsExpression" || node.type === "TSTypeAssertion") {
      const { typeAnnotation, expression } = node;
      if (mentions(typeAnnotation, name) && !saysHowMany(expression, typeAnnotation))
        found.push(text.slice(0, node.start).split("\n").length);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return found;
};
