/** The same question in three languages, ready to be pasted: the key comes from the environment. */
import type { ToolQuestion } from "../api/answers.ts";
import { callPath } from "../api/client.ts";

export interface Example {
  readonly language: string;
  readonly text: string;
}

/** For a shell between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** JSON as Python writes it: only the three words differ. */
const pythonOf = (value: unknown): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
};

export const examplesOf = ({ tool, args, path }: ToolQuestion, origin: string): readonly Example[] => {
  const url = `${origin}${callPath(tool, path)}`;
  return [
    {
      language: "curl",
      text: `curl -s ${url} \\\n  -H "Authorization: Bearer $ASSAY_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(args))}`,
    },
    {
      language: "TypeScript",
      text: `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.ASSAY_KEY}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify(${JSON.stringify(args, null, 2).replaceAll("\n", "\n  ")}),
});
const answer = await response.json();`,
    },
    {
      language: "Python",
      text: `import os
import httpx

answer = httpx.post(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['ASSAY_KEY']}"},
    json=${pythonOf(args)},
    timeout=60,
).json()`,
    },
  ];
};
