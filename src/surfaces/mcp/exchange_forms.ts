/** HTTP around a message: the request as the library reads it, and answers without one of the library. */
import * as refusals from "../refusals.ts";
import { detailOf, type SurfaceResponse } from "../surface_response.ts";

export const rpcError = (status: number, code: number, message: string): SurfaceResponse => ({
  status,
  body: { jsonrpc: "2.0", error: { code, message }, id: null },
  charged: 0,
  credit_status: null,
});

/** Replaces an answer that came too late after it was written in the protocol's form: rare enough to have no id. */
export const lately = (retract: () => Promise<SurfaceResponse>) => async (): Promise<SurfaceResponse> => {
  const { charged, credit_status } = await retract();
  return { ...rpcError(503, -32_000, detailOf(refusals.tooLate)), charged, credit_status };
};

/** Headers that the protocol knows; the others (the key among them) stay with us. */
export const toWebRequest = (raw_headers: readonly string[]): Request => {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw_headers.length; at += 2) {
    const name = raw_headers[at]?.toLowerCase() ?? "";
    if (name === "accept" || name === "content-type" || name.startsWith("mcp-"))
      headers.append(name, raw_headers[at + 1] ?? "");
  }
  return new Request("http://localhost/mcp", { method: "POST", headers });
};
