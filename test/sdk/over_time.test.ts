import { expect, test } from "vitest";
import { camel } from "../../scripts/sdk_card.ts";
import * as sdk from "../../sdk/src/index.ts";
import { over_time } from "../../src/tools/over_time/index.ts";

test.each(over_time.map(({ name, path }) => [name, path] as const))(
  "%s is a function for its path",
  async (name, path) => {
    const called: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      called.push(String(url));
      return Response.json({ type: "answer" }, { headers: { "x-request-id": "r" } });
    };
    const assay = sdk.openAssay({ url: "http://service.example/", key: "k", fetch });
    // A function of the library for each call.
    const call = (sdk as unknown as Record<string, (assay: sdk.Assay, input: object) => Promise<unknown>>)[camel(name)];
    await call?.(assay, {});
    expect(called).toEqual([`http://service.example/api/${path}`]);
  },
);
