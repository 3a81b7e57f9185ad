import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** A function with a body: its first line, its length and the number of its parameters. */
export interface FunctionSize {
  /** Line of its head, from 1. A method's head is its name. */
  readonly line: number;
  readonly lines: number;
  readonly parameters: number;
}

const FUNCTIONS: readonly string[] = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
/** Nodes that name a function, so that the function starts at their name. */
const MEMBERS: readonly string[] = ["MethodDefinition", "Property", "PropertyDefinition"];

export const childrenOf = (node: Node): readonly Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key): readonly Node[] => {
    // The keys of a node's type name its children: a node, a list with holes, or nothing.
    const child = (node as unknown as Record<string, Node | null | undefined | readonly (Node | null)[]>)[key];
    if (child === null || child === undefined) return [];
    return "type" in child ? [child] : child.filter((one) => one !== null);
  });

/** `this: T` is a type and no parameter. */
const parametersOf = (node: Node): number =>
  "params" in node && Array.isArray(node.params)
    ? node.params.filter((one) => !(one.type === "Identifier" && one.name === "this")).length
    : 0;

/**
 * Every function of a source of TypeScript that has a body, nested ones too: declarations, function expressions, arrows,
 * methods, accessors and constructors, of classes and of object literals.
 * @throws Error when the source cannot be parsed
 */
export const functionsIn = (path: string, text: string): readonly FunctionSize[] => {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const found: FunctionSize[] = [];
  const visit = (node: Node, head: number): void => {
    if (FUNCTIONS.includes(node.type)) {
      const line = lineOf(head);
      found.push({ line, lines: lineOf(node.end) - line + 1, parameters: parametersOf(node) });
    }
    for (const child of childrenOf(node)) visit(child, MEMBERS.includes(node.type) ? node.start : child.start);
  };
  visit(program, program.start);
  return found;
};
