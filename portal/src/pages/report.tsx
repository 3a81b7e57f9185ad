import { useEffect } from "preact/hooks";
import { answerStore, type ToolQuestion } from "../api/answers.ts";
import { setQuery } from "../navigation.ts";
import { reportOf } from "../report/read.ts";
import { ReportView } from "../report/report.tsx";
import type { PageProps } from "../routes.ts";
import { Problem } from "../sheet/problem.tsx";
import { useStore } from "../store.ts";
import { requestPriced } from "../ui/block.tsx";
import { CallButton } from "../ui/call_button.tsx";
import { creditsText } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { type PricesContext, WithPrices } from "../ui/prices.tsx";

/** Block of the page, as a number or a date. */
const asOf = (query: URLSearchParams) => {
  const text = query.get("as_of");
  if (text === null || text === "") return {};
  return { as_of_block: /^\d+$/.test(text) ? Number(text) : text };
};

const questionOf = ({ params, query }: PageProps): ToolQuestion | null => {
  const { network = "", address, hash } = params;
  if (address !== undefined) return { tool: "get_wallet_risk_overview", args: { address, network, ...asOf(query) } };
  const [asset, direction] = [query.get("asset"), query.get("direction")];
  if (hash === undefined || asset === null || direction === null) return null;
  const method = query.get("method");
  const how = method === null || method === "" ? {} : { method };
  return { tool: "analyze_transaction", args: { tx_hash: hash, network, asset, direction, ...how } };
};

/** Asset, direction and method of the screening, which the address of the page then holds. */
const TransferForm = () => (
  <form
    class="parameters"
    onSubmit={(event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      const textIn = (name: string) => String(form.get(name)).trim();
      setQuery({ asset: textIn("asset"), direction: textIn("direction"), method: textIn("method") });
    }}
  >
    <div class="parameter">
      <label for="report-asset">Asset</label>
      <input type="text" id="report-asset" name="asset" required placeholder="native, or a token address" />
    </div>
    <div class="parameter">
      <label for="report-direction">Direction</label>
      <select id="report-direction" name="direction">
        <option value="in">in: received</option>
        <option value="out">out: sent</option>
      </select>
    </div>
    <div class="parameter">
      <label for="report-method">How money mixes</label>
      <select id="report-method" name="method">
        <option value="haircut">haircut: pro rata</option>
        <option value="fifo">fifo: first in, first out</option>
        <option value="poison">poison: tainted in full</option>
      </select>
    </div>
    <button type="submit">Choose</button>
  </form>
);

const Answered = ({ question, priced }: { readonly question: ToolQuestion; readonly priced: PricesContext }) => {
  const held = useStore(answerStore(question));
  const price = priced.prices.tools.find(({ name }) => name === question.tool)?.credits ?? null;
  const answer = held?.kind === "answered" ? held.answer : null;
  const report = answer?.status === "data" ? reportOf(answer.body) : null;
  return (
    <>
      <div class="page-bar">
        {price === null ? (
          <span class="quiet">This tool has no price, so it cannot be called</span>
        ) : (
          <CallButton
            class={answer === null ? "button-main ask" : "ask"}
            is_idle={held?.kind === "asking"}
            onAsk={() => void requestPriced(question, priced.prices, priced.onPrices)}
          >
            {answer === null ? "Make the report" : "Make it again"} · {creditsText(price)}
          </CallButton>
        )}
        {report === null ? null : (
          <button type="button" onClick={() => print()}>
            Print or save as PDF
          </button>
        )}
      </div>
      {held?.kind === "asking" ? (
        <p class="waiting" role="status">
          Asking…
        </p>
      ) : null}
      {answer?.status === "error" ? <Problem answer={answer} /> : null}
      {answer?.status === "no_data" ? (
        <Notice tone="quiet" title="Nothing was found">
          {String(answer.body.message ?? "")}
        </Notice>
      ) : null}
      {answer === null || report === null ? null : (
        <ReportView report={report} made_at={new Date(answer.at_ms).toISOString()} />
      )}
    </>
  );
};

/** The risk of a wallet or of one transfer as a report to print, from the same answer as the other pages. */
const Report = (page: PageProps) => {
  const question = questionOf(page);
  useEffect(() => {
    document.title = "Risk report · Assay";
  }, []);
  return (
    <>
      <header class="entity">
        <p class="kicker">{page.params.address === undefined ? "Transfer" : "Wallet"}</p>
        <h1>Risk report</h1>
      </header>
      {question === null ? (
        <TransferForm />
      ) : (
        <WithPrices>{(priced) => <Answered question={question} priced={priced} />}</WithPrices>
      )}
    </>
  );
};

export default Report;
