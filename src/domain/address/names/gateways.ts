import type { Web } from "../../../web/web.ts";
import type { GatewayClient } from "./ccip.ts";

/** Gateways of names (EIP-3668), called over TLS through the operator's outbound access; null without it. */
export const gatewaysOver = (web: Web | null, signal: AbortSignal): GatewayClient | null =>
  web === null
    ? null
    : async (url, json) => {
        const answer = await web.fetch({
          url,
          needs_tls: true,
          headers: { accept: "application/json", ...(json === null ? {} : { "content-type": "application/json" }) },
          ...(json === null ? {} : { method: "POST" as const, body: json }),
          signal,
        });
        if (answer.kind === "disabled") return { kind: "disabled" };
        if (answer.kind !== "answer") return { kind: "silent" };
        return { kind: "answer", status: answer.status, text: Buffer.from(answer.body).toString("utf8") };
      };
