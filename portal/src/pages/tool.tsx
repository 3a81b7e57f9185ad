import { useEffect } from "preact/hooks";
import type { JsonObject } from "../api/answer.ts";
import type { PortalTool } from "../api/client.ts";
import { argsOf, type FormField, fieldsOfTool, openFields, writtenOf } from "../form/fields.ts";
import { FieldRow } from "../form/form.tsx";
import { setQuery } from "../navigation.ts";
import type { PageProps } from "../routes.ts";
import { Codes } from "../sheet/sheet.tsx";
import { Block } from "../ui/block.tsx";
import { Notice } from "../ui/notice.tsx";
import { type PricesContext, WithPrices } from "../ui/prices.tsx";
import { Prose } from "../ui/prose.tsx";

/** In the page's address the as-of block has one name everywhere. */
const wordOf = (field: string): string => (field === "as_of_block" ? "as_of" : field);

const Form = ({
  tool,
  fields,
  query,
}: {
  readonly tool: PortalTool;
  readonly fields: readonly FormField[];
  readonly query: URLSearchParams;
}) => {
  const useExample = () =>
    setQuery({
      ...Object.fromEntries(fields.map(({ name }) => [wordOf(name), null])),
      ...Object.fromEntries(Object.entries(tool.example).map(([name, value]) => [wordOf(name), writtenOf(value)])),
    });
  return (
    <form class="tool-form" onSubmit={(event) => event.preventDefault()}>
      <div class="form-head">
        <h2>Question</h2>
        <button type="button" class="small" onClick={useExample}>
          Fill in the example
        </button>
      </div>
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          text={query.get(wordOf(field.name)) ?? ""}
          onText={(text) => setQuery({ [wordOf(field.name)]: text })}
        />
      ))}
    </form>
  );
};

const Result = ({
  tool,
  args,
  open,
  priced,
}: {
  readonly tool: PortalTool;
  readonly args: JsonObject;
  readonly open: readonly string[];
  readonly priced: PricesContext;
}) => {
  const question = { tool: tool.name, args };
  if (open.length > 0)
    return (
      <section class="block" aria-label="Answer">
        <p class="quiet">
          Still to be written: <code>{open.join(", ")}</code>
        </p>
        <Codes question={question} />
      </section>
    );
  return <Block title={tool.title} question={question} prices={priced.prices} onPrices={priced.onPrices} has_code />;
};

const Playground = ({
  name,
  query,
  priced,
}: {
  readonly name: string;
  readonly query: URLSearchParams;
  readonly priced: PricesContext;
}) => {
  const tool = priced.prices.tools.find((one) => one.name === name);
  if (tool === undefined)
    return (
      <>
        <h1>{name}</h1>
        <Notice tone="warn" title="Tool not found">
          <a href="/app/tools">All tools</a>
        </Notice>
      </>
    );
  const fields = fieldsOfTool(tool);
  const args = argsOf(fields, (field) => query.get(wordOf(field)) ?? "");
  return (
    <>
      <h1>{tool.title}</h1>
      <p class="lead">
        <Prose text={tool.description} />
      </p>
      <div class="playground">
        <Form tool={tool} fields={fields} query={query} />
        <Result tool={tool} args={args} open={openFields(fields, args)} priced={priced} />
      </div>
    </>
  );
};

const ToolPage = ({ params, query }: PageProps) => {
  const name = params.name ?? "";
  useEffect(() => {
    document.title = `${name} · Assay`;
  }, [name]);
  return (
    <>
      <p class="kicker">
        <a href="/app/tools">Tools</a>
      </p>
      <WithPrices>{(priced) => <Playground name={name} query={query} priced={priced} />}</WithPrices>
    </>
  );
};

export default ToolPage;
