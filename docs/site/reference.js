// Renders the API reference from the OpenAPI documents. An operation, or an object inside another one, is rendered when the reader opens
// it, because the documents are long.
const element = (tag, ...children) => {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
};

const code = (text) => element("code", text);

/** Renders the content of `open` when it is first opened. */
const lazily = (summary, open) => {
  const details = element("details", element("summary", ...summary));
  const draw = () => details.open && details.childElementCount === 1 && details.append(...open());
  details.addEventListener("toggle", draw);
  return details;
};

/** The part of a document that a reference points to; any other value unchanged. */
const resolved = (document_, part) => {
  if (typeof part?.$ref !== "string") return part ?? {};
  const steps = part.$ref.replace(/^#\//, "").split("/");
  return steps.reduce((at, step) => at?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], document_) ?? {};
};

const alternativesOf = (schema) => schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];

/** A type in a few words. */
const typeOf = (document_, given) => {
  const schema = resolved(document_, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const either = alternativesOf(schema);
  if (either.length > 0) return [...new Set(either.map((one) => typeOf(document_, one)))].join(" | ");
  if (schema.type === "array") return `${typeOf(document_, schema.items ?? {})}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
};

/** Objects in a schema, at any depth of lists and alternatives. */
const objectsIn = (document_, given) => {
  const schema = resolved(document_, given);
  if (schema.properties !== undefined) return [schema];
  if (schema.type === "array") return objectsIn(document_, schema.items);
  return alternativesOf(schema).flatMap((one) => objectsIn(document_, one));
};

const limitsOf = (schema) =>
  ["default", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"]
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${JSON.stringify(schema[name])}`)
    .join(", ");

const memberOf = (document_, name, given, is_required) => {
  const schema = resolved(document_, given);
  const words = [
    code(name),
    " ",
    element("small", `${typeOf(document_, given)}${is_required ? "" : ", may be left out"}`),
  ];
  const about = [schema.description ?? "", limitsOf(schema)].filter((text) => text !== "").join(" · ");
  if (about !== "") words.push(element("div", about));
  const inner = objectsIn(document_, given);
  if (inner.length === 0) return element("li", ...words);
  return element(
    "li",
    lazily(words, () => inner.map((one) => membersOf(document_, one))),
  );
};

const membersOf = (document_, schema) => {
  const required = schema.required ?? [];
  const members = Object.entries(schema.properties ?? {});
  return element("ul", ...members.map(([name, one]) => memberOf(document_, name, one, required.includes(name))));
};

const bodyOf = (document_, content) => {
  const schema = content?.["application/json"]?.schema;
  if (schema === undefined) return [];
  const objects = objectsIn(document_, schema);
  return objects.length > 0
    ? objects.map((one) => membersOf(document_, one))
    : [element("p", code(typeOf(document_, schema)))];
};

const answerOf = (document_, status, given) => {
  const answer = resolved(document_, given);
  return lazily([code(status), ` ${answer.description ?? ""}`], () => {
    const headers = Object.entries(answer.headers ?? {}).map(([name, one]) =>
      element("li", code(name), ` ${resolved(document_, one).description ?? ""}`),
    );
    return [
      ...bodyOf(document_, answer.content),
      ...(headers.length > 0 ? [element("p", "Headers"), element("ul", ...headers)] : []),
    ];
  });
};

const operationOf = (document_, place, operation) => {
  const { method, path } = place;
  const credits = operation["x-credits"];
  const price = typeof credits === "number" ? ` · ${credits} ${credits === 1 ? "credit" : "credits"}` : "";
  return lazily([code(`${method.toUpperCase()} ${path}`), ` ${operation.summary ?? ""}${price}`], () => {
    const parameters = (operation.parameters ?? []).map((given) => {
      const { name, in: where, required, schema, description } = resolved(document_, given);
      const about = { ...resolved(document_, schema), description: `${description ?? ""} (${where})` };
      return memberOf(document_, name, about, required === true);
    });
    const request = bodyOf(document_, resolved(document_, operation.requestBody).content);
    const answers = Object.entries(operation.responses ?? {});
    return [
      element("p", operation.description ?? ""),
      ...(parameters.length > 0 ? [element("h3", "Parameters"), element("ul", ...parameters)] : []),
      ...(request.length > 0 ? [element("h3", "Body"), ...request] : []),
      element("h3", "Answers"),
      ...answers.map(([status, one]) => answerOf(document_, status, one)),
    ];
  });
};

const operationsOf = (document_) =>
  Object.entries(document_.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => operationOf(document_, { method, path }, operation)),
  );

const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: HTTP ${answer.status}`);
  return answer.json();
};

/** Renders all documents after `after`; shows an error for one that cannot be read. */
export const drawReference = async (after, root) => {
  const documents = [
    ["Tools", "/api/tools/openapi.json"],
    ["Account", "/api/account/openapi.json"],
    ["Operator", `${root}/operator_openapi.json`],
  ];
  const parts = documents.map(([title]) => element("section", element("h2", title), element("p", "Loading…")));
  for (const part of parts) part.className = "reference";
  after.after(...parts);
  await Promise.all(
    documents.map(async ([, address], at) => {
      const [part, waiting] = [parts[at], parts[at].lastElementChild];
      try {
        part.append(...operationsOf(await read(address)));
        waiting.remove();
      } catch (error) {
        waiting.textContent = `The document could not be loaded: ${error.message}`;
      }
    }),
  );
};
