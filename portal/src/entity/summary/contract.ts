import { worded } from "../../../../src/charts/words.ts";
import { type JsonObject, textOf } from "../../api/answer.ts";
import { at, reasonAt, rowsAt } from "../../sheet/read.ts";
import { capital, type RowAnswer, type SummaryPlan, type SummaryText, type Verdict } from "./model.ts";

const SOURCE = "get_contract_source_code";
const CREATION = "get_contract_creation";

const PROVES_LITTLE = "Published source shows what the code does, not who runs it or whether it is harmless.";

const source = (body: JsonObject): RowAnswer => {
  const is_verified = at(body, "is_verified");
  if (is_verified === null) {
    const reason = reasonAt(body, "is_verified") ?? "the answer gives no reason";
    return { parts: ["Unknown: ", reason], tone: "unknown", notes: [] };
  }
  if (is_verified === false)
    return { parts: ["Not published"], tone: "warn", notes: ["The code cannot be read as its author wrote it."] };
  const match = textOf(at(body, "match"));
  const name = textOf(at(body, "contract_name"));
  const words = match === null ? "" : ` (${worded(match)})`;
  return { parts: [`Published${words}${name === null ? "" : ` as ${name}`}`], tone: "plain", notes: [PROVES_LITTLE] };
};

const proxy = (body: JsonObject): RowAnswer => {
  const is_proxy = at(body, "proxy.is_proxy");
  if (is_proxy === null) return { parts: ["Not known whether it is a proxy"], tone: "unknown", notes: [] };
  if (is_proxy === false) return { parts: ["No: it is not a proxy"], tone: "good", notes: [] };
  const behind = rowsAt(body, "proxy.implementations");
  const parts = behind.flatMap(({ address, name, is_verified }): readonly SummaryText[] => [
    " ",
    { kind: "contract", value: address },
    `${typeof name === "string" ? ` ${name}` : ""}${is_verified === false ? " (source not published)" : ""}`,
  ]);
  const kind = textOf(at(body, "proxy.kind"));
  const words = kind === null ? "a proxy" : `a proxy (${worded(kind)})`;
  const notes = ["Whether an account can replace the code depends on the proxy's administrator."];
  return { parts: [`It is ${words}, which runs`, ...parts], tone: "warn", notes };
};

const creation = (body: JsonObject): RowAnswer => {
  const deployer = at(body, "deployer");
  const when: SummaryText = { kind: "time", value: at(body, "timestamp") };
  const gone = at(body, "is_self_destructed") === true;
  const notes = gone ? ["It was destroyed since."] : [];
  const by: SummaryText = deployer === null ? "the network itself" : { kind: "address", value: deployer };
  return { parts: ["By ", by, " at ", when], tone: gone ? "warn" : "plain", notes };
};

const verdictOf = (body: JsonObject): Verdict => {
  const { tone, parts, notes } = source(body);
  const text = tone === "plain" ? "Source published" : tone === "warn" ? "Source not published" : "Source unknown";
  return { tone, text, reason: tone === "unknown" ? capital(parts.slice(1).join("")) : (notes[0] ?? null) };
};

const head: SummaryPlan["head"] = (read) => {
  const body = read(SOURCE);
  return {
    name: textOf(at(body, "contract_name")),
    symbol: null,
    kind: null,
    figure: null,
    verdict: body === null ? null : verdictOf(body),
  };
};

export const CONTRACT_SUMMARY: SummaryPlan = {
  tools: [SOURCE, CREATION],
  rows: [
    { question: "Source", tool: SOURCE, read: source },
    { question: "Can the code change?", tool: SOURCE, read: proxy },
    { question: "Created", tool: CREATION, read: creation },
  ],
  head,
};
