import { useState } from "preact/hooks";
import type { CaseFile } from "../../../src/case/format.ts";
import { type CasePlan, type CaseVerdict, compared, OUTCOME_WORDS, planOf, unasked } from "../../../src/case/verify.ts";
import { Table } from "../account/parts.tsx";
import { fieldsOf } from "../api/answer.ts";
import { type Catalog, call, catalog, isCatalog, type PortalTool } from "../api/client.ts";
import { CallButton } from "../ui/call_button.tsx";
import { creditsText } from "../ui/format.ts";
import { Strange } from "../ui/strange.tsx";
import { wholeCase } from "./case_store.ts";

const listedOf = ({ name, credits, input_schema, live_fields }: PortalTool) => ({
  ...{ name, credits, live_fields, takes_block: Object.hasOwn(fieldsOf(input_schema.properties), "as_of_block") },
});

const plansOf = (file: CaseFile, tools: readonly PortalTool[]): readonly CasePlan[] =>
  file.entries.map((entry) => {
    const tool = tools.find(({ name }) => name === entry.tool);
    return planOf(entry, tool === undefined ? null : listedOf(tool));
  });

/** Repeats the call. A refusal leaves the result unverified. */
const verdictOf = async (plan: CasePlan, { version }: Catalog): Promise<CaseVerdict> => {
  if (plan.verdict !== null) return plan.verdict;
  const answer = await call(plan.entry.tool, plan.arguments, { catalog_version: version });
  return answer.status === "error" ? unasked(answer.message) : compared(plan, answer.body);
};

interface Verification {
  readonly plans: readonly CasePlan[];
  readonly read: Catalog;
}

const useVerification = () => {
  const [prepared, setPrepared] = useState<Verification | null>(null);
  const [verdicts, setVerdicts] = useState<readonly CaseVerdict[]>([]);
  const [state, setState] = useState<"idle" | "preparing" | "calling">("idle");
  const [fault, setFault] = useState<string | null>(null);
  const prepare = async (): Promise<void> => {
    setState("preparing");
    setVerdicts([]);
    const [file, read] = [await wholeCase(), await catalog()];
    setState("idle");
    if (!isCatalog(read)) return setFault(read.message);
    setFault(null);
    if (file !== null) setPrepared({ plans: plansOf(file, read.tools), read });
  };
  const verify = async ({ plans, read }: Verification): Promise<void> => {
    setState("calling");
    const found: CaseVerdict[] = [];
    for (const plan of plans) {
      found.push(await verdictOf(plan, read));
      setVerdicts([...found]);
    }
    setState("idle");
  };
  return { prepared, verdicts, state, fault, prepare, verify };
};

const detailsOf = ({ reason, differing, besides }: CaseVerdict): string =>
  [
    reason ?? "",
    differing.length === 0 ? "" : `differs: ${differing.join(" ")}`,
    besides.length === 0 ? "" : `may differ: ${besides.join(" ")}`,
  ]
    .filter((text) => text !== "")
    .join("; ");

interface VerdictsProps {
  readonly plans: readonly CasePlan[];
  readonly verdicts: readonly CaseVerdict[];
}

const Verdicts = ({ plans, verdicts }: VerdictsProps) => (
  <Table
    label="Outcomes"
    rows={verdicts.map((verdict, at) => ({ verdict, at, tool: plans[at]?.entry.tool ?? "" }))}
    keyOf={({ at }) => String(at)}
    empty="No call was repeated yet."
    columns={[
      { head: "Result", cell: ({ at, tool }) => `${at + 1}. ${tool}` },
      { head: "Outcome", cell: ({ verdict }) => OUTCOME_WORDS[verdict.outcome] },
      {
        head: "Details",
        cell: ({ verdict }) => <Strange text={detailsOf(verdict) || "–"} width={600} is_marked={false} />,
      },
    ]}
  />
);

/** Repeats every call of the case at its price, and compares the answers byte by byte. */
export const CaseVerify = ({ results }: { readonly results: number }) => {
  const { prepared, verdicts, state, fault, prepare, verify } = useVerification();
  const asked = prepared?.plans.filter(({ verdict }) => verdict === null) ?? [];
  const credits = asked.reduce((sum, plan) => sum + plan.credits, 0);
  const is_idle = state !== "idle" || results === 0;
  return (
    <section aria-labelledby="verify">
      <h2 id="verify">Verification</h2>
      <p class="hint">
        Assay repeats each call as of its block and compares the answer with the kept one, byte by byte.
      </p>
      <p class="actions">
        {prepared === null ? (
          <CallButton class="" is_idle={is_idle} onAsk={() => void prepare()}>
            {state === "preparing" ? "Reading the case…" : "Verify the case"}
          </CallButton>
        ) : (
          <CallButton class="button-main" is_idle={is_idle} onAsk={() => void verify(prepared)}>
            {state === "calling"
              ? `Calling ${verdicts.length + 1} of ${prepared.plans.length}…`
              : `Repeat ${asked.length} of ${prepared.plans.length} calls · ${creditsText(credits)}`}
          </CallButton>
        )}
      </p>
      {fault === null ? null : <p role="alert">{fault}</p>}
      {prepared === null || verdicts.length === 0 ? null : <Verdicts plans={prepared.plans} verdicts={verdicts} />}
    </section>
  );
};
