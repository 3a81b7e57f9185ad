import { useEffect, useState } from "preact/hooks";
import { rowsOf } from "../account/request.ts";
import { type AnswerState, answerStore, type ToolQuestion } from "../api/answers.ts";
import { listedIn, type PortalTool } from "../api/client.ts";
import { pageAddress, shortId } from "../entity/page_address.ts";
import { Parameters, sharedArgs } from "../entity/parameters.tsx";
import { setQuery } from "../navigation.ts";
import { type ProfitRow, profitRows, readWallets, type WalletPlace, writeWallets } from "../profits/steps.ts";
import type { PageProps } from "../routes.ts";
import { Problem } from "../sheet/problem.tsx";
import { Value } from "../sheet/value.tsx";
import { DataTable } from "../table/data_table.tsx";
import { requestInTurn } from "../ui/block.tsx";
import { CallButton } from "../ui/call_button.tsx";
import { creditsText } from "../ui/format.ts";
import { useNetworks } from "../ui/networks.tsx";
import { type PricesContext, WithPrices } from "../ui/prices.tsx";

const TOOL = "series_pnl";

const show = (wallets: readonly WalletPlace[]): void => setQuery({ wallets: writeWallets(wallets) });

const nameOf = ({ network, address }: WalletPlace): string => `${network} ${shortId(address)}`;

const questionOf = (tool: PortalTool, wallet: WalletPlace, query: URLSearchParams): ToolQuestion => ({
  tool: TOOL,
  args: { wallet_address: wallet.address, network: wallet.network, step: "week", ...sharedArgs(tool, query) },
  path: tool.path,
});

/** Adds a wallet to the page. */
const AddWallet = ({ wallets, tool }: { readonly wallets: readonly WalletPlace[]; readonly tool: PortalTool }) => {
  const [network, setNetwork] = useState("");
  const [address, setAddress] = useState("");
  const listed = (useNetworks() ?? []).filter(({ id }) => tool.networks.includes(id));
  const add = (event: Event): void => {
    event.preventDefault();
    show([...wallets, { network: network || (listed[0]?.id ?? ""), address: address.trim() }]);
    setAddress("");
  };
  return (
    <form class="page-bar" onSubmit={add}>
      <label>
        Network{" "}
        <select value={network || (listed[0]?.id ?? "")} onChange={({ currentTarget: { value } }) => setNetwork(value)}>
          {listed.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Wallet{" "}
        <input
          type="text"
          class="mono"
          required
          maxLength={100}
          size={44}
          value={address}
          onInput={({ currentTarget: { value } }) => setAddress(value)}
        />
      </label>
      <button type="submit">Add</button>
    </form>
  );
};

const Wallets = ({ wallets }: { readonly wallets: readonly WalletPlace[] }) => (
  <ul class="plain" aria-label="Wallets">
    {wallets.map((wallet) => (
      <li key={nameOf(wallet)}>
        <a href={pageAddress({ kind: "wallet", network: wallet.network, id: wallet.address })} title={wallet.address}>
          {nameOf(wallet)}
        </a>{" "}
        <button
          type="button"
          aria-label={`Leave out ${nameOf(wallet)}`}
          onClick={() => show(wallets.filter((one) => one !== wallet))}
        >
          Leave out
        </button>
      </li>
    ))}
  </ul>
);

/** States of several questions. */
const useAnswers = (questions: readonly ToolQuestion[]): readonly (AnswerState | null)[] => {
  const [, redraw] = useState(0);
  const key = JSON.stringify(questions);
  useEffect(() => {
    const stops = questions.map((question) => answerStore(question).subscribe(() => redraw((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [key]);
  return questions.map((question) => answerStore(question).get());
};

const usd = (head: string, name: "step_usd" | "total_usd" | "realized_usd" | "unrealized_usd" | "fees_usd") => ({
  head,
  is_number: true,
  value: (row: ProfitRow) => row[name],
  cell: (row: ProfitRow) => <Value kind="usd" value={row[name]} network={null} reason={row.reason} />,
});

const ProfitTable = ({ rows, step }: { readonly rows: readonly ProfitRow[]; readonly step: string }) => (
  <DataTable
    look="sheet"
    is_wide
    label={`Profit by ${step}`}
    rows={rows}
    keyOf={({ date, wallet }) => `${date} ${wallet === null ? "all" : nameOf(wallet)}`}
    columns={[
      { head: "From", cell: ({ date }) => date },
      { head: "Network", cell: ({ wallet }) => wallet?.network ?? "all" },
      {
        head: "Wallet",
        value: ({ wallet }) => wallet?.address ?? "all",
        cell: ({ wallet }) => (wallet === null ? "all" : <span title={wallet.address}>{shortId(wallet.address)}</span>),
      },
      usd(`Profit of the ${step}`, "step_usd"),
      usd("Since the start", "total_usd"),
      usd("Realized", "realized_usd"),
      usd("Unrealized", "unrealized_usd"),
      usd("Fees", "fees_usd"),
      { head: "Why unknown", cell: ({ reason }) => reason ?? "" },
    ]}
  />
);

interface SeriesProps {
  readonly tool: PortalTool;
  readonly wallets: readonly WalletPlace[];
  readonly query: URLSearchParams;
  readonly priced: PricesContext;
}

/** The series of each wallet, asked in turn, and their sum. */
const Series = ({ tool, wallets, query, priced }: SeriesProps) => {
  const questions = wallets.map((wallet) => questionOf(tool, wallet, query));
  const held = useAnswers(questions);
  const [at, setAt] = useState<number | null>(null);
  const answers = held.map((one) => (one?.kind === "answered" ? one.answer : null));
  const open = questions.filter((_, i) => answers[i] === null || answers[i]?.status === "error");
  const credits = tool.credits === null ? null : tool.credits * open.length;
  const ask = async (): Promise<void> => {
    await requestInTurn(open, priced, setAt);
    setAt(null);
  };
  const rows = profitRows(
    wallets.map((wallet, i) => {
      const answer = answers[i];
      return { wallet, steps: answer == null || answer.status === "error" ? null : rowsOf(answer.body, "steps") };
    }),
  );
  return (
    <>
      <p class="actions">
        <CallButton class="button-main ask" is_idle={at !== null || open.length === 0} onAsk={() => void ask()}>
          {at !== null
            ? `Asking ${at + 1} of ${open.length}…`
            : open.length === 0
              ? "Every wallet has its answer"
              : `Ask ${open.length} · ${credits === null ? "no price" : creditsText(credits)}`}
        </CallButton>
      </p>
      {answers.map((answer, i) =>
        answer?.status === "error" ? (
          <div key={questions[i]?.args.network}>
            <h2>{wallets[i] === undefined ? "" : nameOf(wallets[i])}</h2>
            <Problem answer={answer} />
          </div>
        ) : null,
      )}
      {rows.length === 0 ? null : <ProfitTable rows={rows} step={query.get("step") ?? "week"} />}
    </>
  );
};

/** Profit of several wallets by day, week or month, also on different networks, with their sum. */
const Profits = ({ query }: PageProps) => {
  const wallets = readWallets(query.get("wallets"));
  useEffect(() => {
    document.title = "Profit of several wallets · Assay";
  }, []);
  return (
    <>
      <h1>Profit of several wallets</h1>
      <p class="hint">
        Each wallet costs one series. The sum of a step is unknown where the profit of one wallet is unknown.
      </p>
      <WithPrices>
        {(priced) => {
          const tool = listedIn(priced.prices, TOOL);
          return tool === undefined ? (
            <p class="quiet">This service has no series of profit.</p>
          ) : (
            <>
              <Parameters tools={[tool]} query={query} />
              <Wallets wallets={wallets} />
              <AddWallet wallets={wallets} tool={tool} />
              {wallets.length === 0 ? null : (
                <Series key={writeWallets(wallets)} {...{ tool, wallets, query, priced }} />
              )}
            </>
          );
        }}
      </WithPrices>
    </>
  );
};

export default Profits;
