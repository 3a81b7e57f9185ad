import type { JsonObject } from "../api/answer.ts";
import type { PortalTool } from "../api/client.ts";
import { setQuery } from "../navigation.ts";

/** Parameters of a whole page, stored in its URL under the tools' names, the as-of block as `as_of`. */
const SHARED = [
  { name: "as_of_block", query: "as_of", label: "As of block or date", type: "text", hint: "newest" },
  { name: "from_date", query: "from_date", label: "From", type: "date", hint: "" },
  { name: "to_date", query: "to_date", label: "To", type: "date", hint: "" },
  { name: "step", query: "step", label: "Step over time", type: "step", hint: "" },
] as const;

/** The steps of a series, the usual one first. */
const STEPS = ["week", "day", "month"] as const;

const propertiesOf = ({ input_schema }: PortalTool): JsonObject => {
  const { properties } = input_schema;
  return properties !== null && typeof properties === "object" ? (properties as JsonObject) : {};
};

/** Arguments of a tool that the page's address names. */
export const sharedArgs = (tool: PortalTool, query: URLSearchParams): JsonObject => {
  const properties = propertiesOf(tool);
  const args: Record<string, unknown> = {};
  for (const { name, query: word } of SHARED) {
    const text = query.get(word);
    if (text === null || !Object.hasOwn(properties, name)) continue;
    // A block by its number, or by a date, which the service reads.
    args[name] = name === "as_of_block" && /^\d+$/.test(text) ? Number(text) : text;
  }
  return args;
};

const take = (word: string, text: string): void => setQuery({ [word]: text.trim() });

/** Fields for them, of those that any tool of the page takes. */
export const Parameters = ({
  tools,
  query,
}: {
  readonly tools: readonly PortalTool[];
  readonly query: URLSearchParams;
}) => {
  const wanted = SHARED.filter(({ name }) => tools.some((tool) => Object.hasOwn(propertiesOf(tool), name)));
  if (wanted.length === 0) return null;
  return (
    <fieldset class="parameters">
      <legend>Of the whole page</legend>
      {wanted.map(({ query: word, label, type, hint }) => (
        <div key={word} class="parameter">
          <label for={`page-${word}`}>{label}</label>
          {type === "step" ? (
            <select
              id={`page-${word}`}
              value={query.get(word) ?? STEPS[0]}
              onChange={(event) => take(word, event.currentTarget.value)}
            >
              {STEPS.map((step) => (
                <option key={step} value={step}>
                  {step}
                </option>
              ))}
            </select>
          ) : type === "date" ? (
            <input
              type="date"
              id={`page-${word}`}
              value={query.get(word) ?? ""}
              onChange={(event) => take(word, event.currentTarget.value)}
            />
          ) : (
            <input
              type="text"
              id={`page-${word}`}
              size={12}
              value={query.get(word) ?? ""}
              placeholder={hint}
              onChange={(event) => take(word, event.currentTarget.value)}
            />
          )}
        </div>
      ))}
    </fieldset>
  );
};
